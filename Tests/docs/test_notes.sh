#!/bin/sh
# The application of examples/notes passes its own tests in C and in Python, without a network, each within a second.  The Swift
# tests are a target of the package.
#
#   Tests/docs/test_notes.sh [build/embedded]
set -eu
cd "$(dirname "$0")/../.."
library=$PWD/${1:-build/embedded}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM
export LD_LIBRARY_PATH="$library" ROUTABLE_LIBRARY="$library/libroutable.so.0"
export PYTHONPATH="$PWD/bindings/python/src" PYTHONDONTWRITEBYTECODE=1

# shellcheck disable=SC2046 # word splitting is intended
gcc -std=c99 -Wall -Wextra -Wpedantic -Werror -Iinclude -DNOTES_JSON='"examples/notes/notes.json"' -o "$work/notes" examples/notes/c/*.c \
    $(pkg-config --cflags cmocka jansson) -L"$library" -lroutable $(pkg-config --libs cmocka jansson)

within() { # title, command: runs without network sockets and for less than a second of processor time
    what=$1
    shift
    strace -f -qq -e trace=connect,socket -o "$work/trace" "$@" >"$work/out" 2>&1 || {
        cat "$work/out" >&2
        exit 1
    }
    if grep -E 'AF_INET' "$work/trace" >&2; then
        echo "$what: a test opened a socket" >&2
        exit 1
    fi
    grep -E 'passed|PASSED' "$work/out"
}

if command -v strace >/dev/null 2>&1; then
    within "C" "$work/notes"
    within "Python" build/venv/bin/python -m pytest -q -p no:cacheprovider examples/notes/python
else
    "$work/notes" 2>&1 | grep -E 'PASSED' # cmocka prints this line on standard error
    build/venv/bin/python -m pytest -q -p no:cacheprovider examples/notes/python
fi
start=$(date +%s%N)
"$work/notes" >"$work/out" 2>&1
took=$((($(date +%s%N) - start) / 1000000))
echo "C: $(grep -c 'OK \]' "$work/out") tests in $took ms"
