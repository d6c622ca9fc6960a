#!/bin/sh
# Carries out docs/add-a-route.md with the code blocks of the page and a library that is already built: at most
# five lines in one place, then C and Python use the route and print the output of the page.
#
#   Tests/docs/test_add_a_route.sh [build/embedded]
set -eu
cd "$(dirname "$0")/../.."
library=$PWD/${1:-build/embedded}
page=docs/add-a-route.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

# The code block of one language; the page has one of each.
block() {
    awk -v fence="\`\`\`$1" '$0 == fence { inside = 1; next } /^```$/ { inside = 0 } inside' "$page"
}

fail() { # title, expected, actual
    printf '%s\nexpected:\n%s\ngot:\n%s\n' "$1" "$2" "$3" >&2
    exit 1
}

before=$(cksum "$library"/libroutable.so.0)

block json >"$work/lines"
count=$(wc -l <"$work/lines")
[ "$count" -ge 1 ] && [ "$count" -le 5 ] || fail "lines to add" "1 to 5" "$count"
sed '/^  "resources": {$/r '"$work/lines" examples/social.json >"$work/social.json"
changed=$(diff examples/social.json "$work/social.json" | grep -c '^[0-9]') || true
[ "$changed" = 1 ] || fail "places that change" 1 "$changed"

block text >"$work/expected"

block c >"$work/photo.c"
gcc -std=c99 -Wall -Wextra -Wpedantic -Werror -Iinclude -o "$work/photo" "$work/photo.c" -L"$library" -lroutable
(cd "$work" && LD_LIBRARY_PATH="$library" ./photo >c.out)
cmp -s "$work/expected" "$work/c.out" || fail "C" "$(cat "$work/expected")" "$(cat "$work/c.out")"

{
    block python
    echo 'import sys; sys.stderr.write(api.map())'
} >"$work/photo.py"
(cd "$work" && ROUTABLE_LIBRARY="$library/libroutable.so.0" PYTHONPATH="$OLDPWD/bindings/python/src" \
    PYTHONDONTWRITEBYTECODE=1 python3 photo.py >python.out 2>map)
cmp -s "$work/expected" "$work/python.out" || fail "Python" "$(cat "$work/expected")" "$(cat "$work/python.out")"

line=$(block map)
grep -qxF "$line" "$work/map" || fail "map" "$line" "$(cat "$work/map")"

after=$(cksum "$library"/libroutable.so.0)
[ "$before" = "$after" ] || fail "the library" "$before" "$after"
echo "photo: $count lines in one place; C and Python agree"
