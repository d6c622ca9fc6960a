#!/bin/sh
# The service of examples/service_c: curl and the command `routable` create, list, read, update and delete two nested resources.
#
#   Tests/services/test_library_service.sh [build/embedded]
set -eu
cd "$(dirname "$0")/../.."
library=$PWD/${1:-build/embedded}
folder=examples/service_c
work=$(mktemp -d)
service=
trap '[ -z "$service" ] || kill "$service" 2>/dev/null || true; rm -rf "$work"' EXIT INT TERM
export LD_LIBRARY_PATH="$library" ROUTABLE_LIBRARY="$library/libroutable.so.0"
command=$PWD/build/command-draft/routable

# shellcheck disable=SC2046 # word splitting is intended
gcc -std=c99 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Werror -Iinclude $(pkg-config --cflags libmicrohttpd sqlite3) -o "$work/service" \
    "$folder/library_service.c" -L"$library" -lroutable $(pkg-config --libs libmicrohttpd sqlite3)
# Opening the pipe waits for the service, whose first line is the port.
mkfifo "$work/port"
"$work/service" "$folder/library.json" "$work/database" secret >"$work/port" 2>"$work/errors" &
service=$!
read -r port <"$work/port"
base=http://127.0.0.1:$port/v1

echo secret >"$work/token"
passed=0
expect() { # title, expected, actual
    if [ "$2" != "$3" ]; then
        printf '%s: expected\n%s\ngot\n%s\n' "$1" "$2" "$3" >&2
        cat "$work/errors" >&2
        exit 1
    fi
    passed=$((passed + 1))
}

ask() { # arguments of curl: the status, a space and the body
    curl -sS -H 'Authorization: Bearer secret' -w ' %{http_code}' "$@"
}
json() { ask -H 'Content-Type: application/json' "$@"; }

expect "no shelf" '[] 200' "$(ask "$base/shelves")"
expect "a shelf" '{"name":"north 1","room":"2a"} 201' "$(json "$base/shelves" -d '{"name": "north 1", "room": "2a"}')"
expect "a shelf again" '{"type":"about:blank","title":"Conflict","status":409,"detail":"the shelf exists"} 409' \
    "$(json "$base/shelves" -d '{"name": "north 1"}')"
expect "a book" '{"title":"Emma","year":1815,"number":1} 201' "$(json "$base/shelves/north%201/books" -d '{"title": "Emma", "year": 1815}')"
expect "the location of a book" '/v1/shelves/north%201/books/2' \
    "$(json "$base/shelves/north%201/books" -d '{"title": "Persuasion"}' -o "$work/body" -w '%header{location}')"
expect "the books" '[{"title":"Emma","year":1815,"number":1},{"title":"Persuasion","number":2}] 200' "$(ask "$base/shelves/north%201/books")"
expect "another book at its place" '{"title":"Emma","year":1816,"number":1} 200' \
    "$(json -X PUT "$base/shelves/north%201/books/1" -d '{"title": "Emma", "year": 1816}')"
expect "HEAD" ' 200' "$(ask -I "$base/shelves/north%201/books/1" -o "$work/head")"
expect "no body for HEAD, but its length" 'content-length: 39' "$(tr -d '\r' <"$work/head" | tr 'A-Z' 'a-z' | grep '^content-length')"
expect "a book that is not there" '{"type":"about:blank","title":"Not Found","status":404,"detail":"there is no such item"} 404' \
    "$(ask "$base/shelves/north%201/books/9")"
expect "all reasons of a refusal" '/title /year 422' \
    "$(json "$base/shelves/north%201/books" -d '{"title": "", "year": 3}' | python3 -c '
import json, sys
text, status = sys.stdin.read().rsplit(" ", 1)
print(*[each["pointer"] for each in json.loads(text)["errors"]], status)')"
expect "an id that is no number" ' 404' "$(ask "$base/shelves/north%201/books/x" -o "$work/body")"
expect "a method that is not there" 'DELETE, GET, HEAD, PUT 405' \
    "$(ask -X PATCH "$base/shelves/north%201/books/1" -o "$work/body" -w '%header{allow} %{http_code}')"
expect "a media type that is not there" ' 406' "$(ask -H 'Accept: text/html' "$base/shelves" -o "$work/body")"
for number in $(seq 70); do echo "X-$number: a"; done >"$work/headers"
expect "too many headers" ' 431' "$(ask -H @"$work/headers" "$base/shelves" -o "$work/body")"
expect "no token" 'Bearer realm="service" 401' "$(curl -sS "$base/shelves" -o "$work/body" -w '%header{www-authenticate} %{http_code}')"
expect "another token, and a body that is not valid" ' 401' "$(curl -sS -H 'Authorization: Bearer other' "$base/shelves" -o "$work/body" -w ' %{http_code}')"
head -c 1048577 /dev/zero | tr '\0' 'a' >"$work/long"
expect "a body of more than a megabyte" ' 413' "$(json "$base/shelves" --data-binary @"$work/long" -o "$work/body")"
expect "the command reads a book" '{"title":"Emma","year":1816,"number":1}' \
    "$("$command" send "$folder/library.json" shelf.book#read 'north 1' 1 --base "$base" --credential "session=@$work/token")"
expect "a book is deleted" ' 204' "$(ask -X DELETE "$base/shelves/north%201/books/1")"
expect "a shelf is deleted with its books" ' 204' "$(ask -X DELETE "$base/shelves/north%201")"
expect "no book" ' 404' "$(ask "$base/shelves/north%201/books/2" -o "$work/body")"
expect "nothing on standard error" '' "$(cat "$work/errors")"
kill "$service"
wait "$service"
service=
echo "$passed passed, 0 failed"
