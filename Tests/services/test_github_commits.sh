#!/bin/sh
# The github_commits example against a replacement of its service: what it prints, and its message for each way to fail.
#
#   Tests/services/test_github_commits.sh [build/embedded]
set -eu
cd "$(dirname "$0")/../.."
library=$PWD/${1:-build/embedded}
work=$(mktemp -d)
trap 'exec 9>&-; rm -rf "$work"' EXIT INT TERM
export LD_LIBRARY_PATH="$library"

# shellcheck disable=SC2046 # word splitting is intended
gcc -std=c99 -Wall -Wextra -Wpedantic -Werror -Iinclude $(pkg-config --cflags jansson) -o "$work/github_commits" \
    examples/github_commits/github_commits.c -L"$library" -lroutable -Wl,--as-needed $(pkg-config --libs jansson)

# The service ends when its standard input, which is descriptor 9 of this script, is closed.
mkfifo "$work/port" "$work/input"
python3 examples/github_commits/stand_in.py <"$work/input" >"$work/port" &
exec 9>"$work/input"
read -r port <"$work/port"

runs=0
check() { # arguments: repository, exit status; standard input: the expected output, first of stdout, then of stderr
    cat >"$work/expected"
    status=0
    "$work/github_commits" examples/github_commits/github.json "http://127.0.0.1:$port" octocat "$1" >"$work/got" \
        2>"$work/problem" 9>&- || status=$?
    sed "s/127.0.0.1:$port/HOST/; s/ (libcurl: .*//" "$work/problem" >>"$work/got"
    if ! diff "$work/expected" "$work/got" >"$work/diff" || [ "$status" != "$2" ]; then
        printf 'octocat/%s: expected exit %s (<), got %s (>)\n' "$1" "$2" "$status" >&2
        cat "$work/diff" >&2
        exit 1
    fi
    printf -- '--- octocat/%s: exit %s\n' "$1" "$status"
    cat "$work/got"
    runs=$((runs + 1))
}

check hello 0 <<'TEXT'
7fd1a60b Merge pull request #6 from Spaceghost/patch-1
76294131 New line at end of file. --Signed off by Spaceghost
553c2077 first commit: café
TEXT
check empty 0 </dev/null
check missing 1 <<'TEXT'
http_status: the service responded with 404 to commits, which is not a success: {"message": "Not Found", "documentation_url": "https://docs.github.com/rest/commits/commits#list-commits", "status": "404"}
404 {"message": "Not Found", "documentation_url": "https://docs.github.com/rest/commits/commits#list-commits", "status": "404"}
TEXT
check limited 1 <<'TEXT'
http_status: the service responded with 403 to commits, which is not a success: {"message": "API rate limit exceeded for 203.0.113.7.", "documentation_url": "https://docs.github.com/rest/commits/commits#list-commits"}
403 {"message": "API rate limit exceeded for 203.0.113.7.", "documentation_url": "https://docs.github.com/rest/commits/commits#list-commits"}
TEXT
check broken 1 <<'TEXT'
response: the body is not JSON: a value is expected
TEXT
check cut 1 <<'TEXT'
response: the body is not JSON: the input ends inside a string
TEXT
check strange 1 <<'TEXT'
not a list of commits: Expected object, got null
TEXT
check slow 1 <<'TEXT'
timeout: no complete response from HOST within 1000 ms; 0 bytes of the body had arrived
TEXT
echo "$runs runs of github_commits say what they should"
