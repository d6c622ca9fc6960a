#!/bin/sh
# Every example is a whole program that compiles without a warning and works as described: the C and the Python version
# print the same bytes, also for the whole demo with the sample service.
#
#   Tests/docs/test_examples.sh [build/embedded]
set -eu
cd "$(dirname "$0")/../.."
library=$PWD/${1:-build/embedded}
work=$(mktemp -d)
service=
trap '[ -z "$service" ] || kill "$service" 2>/dev/null || true; rm -rf "$work"' EXIT INT TERM
export LD_LIBRARY_PATH="$library" ROUTABLE_LIBRARY="$library/libroutable.so.0"
export PYTHONPATH="$PWD/bindings/python/src" PYTHONDONTWRITEBYTECODE=1

same() { # title, file expected, file got
    if ! diff "$2" "$3" >"$work/diff"; then
        printf '%s\n' "$1: expected (<) and got (>)" >&2
        cat "$work/diff" >&2
        exit 1
    fi
}

for source in examples/c/*.c; do
    # shellcheck disable=SC2046 # word splitting is intended
    gcc -std=c99 -Wall -Wextra -Wpedantic -Werror -Iinclude $(pkg-config --cflags jansson libcurl) \
        -o "$work/$(basename "$source" .c)" "$source" -L"$library" -lroutable \
        -Wl,--as-needed $(pkg-config --libs jansson libcurl)
done

cat >"$work/expected" <<'TEXT'
GET https://api.example.com/v1/users/initFabian/statuses/3/comments/32352/users/fakeUser
status: update not allowed; allowed: create, delete, read
TEXT
"$work/social" examples/social.json >"$work/got"
same "social.c" "$work/expected" "$work/got"
python3 examples/python/social.py examples/social.json >"$work/got"
same "social.py" "$work/expected" "$work/got"

forget() {
    python3 -c 'import sys, urllib.request as u; u.urlopen(u.Request(sys.argv[1] + "/reset", method="POST")).read()' "$base"
}

# The sample service, and then a mock of the same description.
with_service() { # title, command that starts it
    what=$1
    shift
    # Opening the pipe waits for the service, whose first line is the port.
    rm -f "$work/port"
    mkfifo "$work/port"
    "$@" >"$work/port" &
    service=$!
    read -r port <"$work/port"
    base=http://127.0.0.1:$port

    "$work/demo" examples/social.json "$base/v1" >"$work/demo.c"
    forget
    python3 examples/python/demo.py examples/social.json "$base/v1" >"$work/demo.python"
    same "$what: the demo in C and in Python" "$work/demo.c" "$work/demo.python"
    grep -q '<- 201 self' "$work/demo.c"
    grep -q '<- 204 empty' "$work/demo.c"
    grep -q '!! not_allowed' "$work/demo.c"
    grep -q 'nearest: user' "$work/demo.c"

    forget
    python3 -c 'import sys, urllib.request as u; u.urlopen(sys.argv[1] + "/v1/users", b"username=ann").read()' "$base"
    "$work/own_client" examples/social.json "$base/v1" ann >"$work/got"
    echo '200 {"username":"ann"}' >"$work/expected"
    same "$what: own_client.c" "$work/expected" "$work/got"
    "$work/jansson_host" examples/social.json "$base/v1" ann "hello world" >"$work/got"
    echo 'status 1: hello world' >"$work/expected"
    same "$what: jansson_host.c" "$work/expected" "$work/got"
    "$work/poll_loop" examples/social.json "$base/v1" ann 50 >"$work/got"
    echo '50 answers, 0 failures' >"$work/expected"
    same "$what: poll_loop.c" "$work/expected" "$work/got"
    forget
    python3 examples/python/many.py examples/social.json "$base/v1" 200 20 >"$work/got"
    echo '200 statuses, 400 words' >"$work/expected"
    same "$what: many.py" "$work/expected" "$work/got"
    kill "$service"
    wait "$service" 2>/dev/null || true
    service=
    echo "$what: the C and Python examples run, and print the same"
}

with_service "the sample service" python3 examples/service/social_service.py --quiet
# jansson_host.c and many.py use the member "id" of a status, which the sample service sends although the description does not declare it.
python3 - "$work/social.json" <<'PYTHON'
import json, sys
description = json.load(open("examples/social.json"))
description["types"]["Status"]["properties"]["id"] = {"type": "string", "readOnly": True}
json.dump(description, open(sys.argv[1], "w"))
PYTHON
with_service "a mock" python3 Tests/mock/mock_service.py --quiet "$work/social.json"
