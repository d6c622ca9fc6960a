#!/bin/sh
# Reads each request that the tests in C and in Python build, builds its call again, and reads the result (docs/service.md, "The law").
# Prints the requests that are not read or not built again.  The known reasons are: their base is that of the call and not of the
# description, an empty id was allowed, or their parameters have no type.  Fails if a request is read as another call.
#
#   Tests/law/of_tests.sh [build/embedded-draft]
set -eu
cd "$(dirname "$0")/../.."
library=$PWD/${1:-build/embedded-draft}
out=$PWD/build/check/law
mkdir -p "$out"
rm -f "$out/results"
gcc -std=gnu11 -O1 -Wall -Wextra -Werror -shared -fPIC -Iinclude -o "$out/of_tests.so" Tests/law/of_tests.c -L"$library" -lroutable -ljansson -ldl
export LD_LIBRARY_PATH="$library" ROUTABLE_LIBRARY="$library/libroutable.so.0" LAW_RECORD="$out/results" LAW_CHECKER="$out/of_tests.so"
programs=build/check/c-$(basename "$library")-shared
[ -x "$programs/test_plan" ] || { echo "$programs is missing: scripts/test_c $1" >&2; exit 1; }
for program in "$programs"/test_*; do
    # Tests that count allocations, and tests that pass arbitrary arguments to each function, build no further kinds of requests.
    case $program in *hostile* | *allocation* | *usual* | *.h) continue ;; esac
    LD_PRELOAD="$LAW_CHECKER" "$program" >/dev/null 2>&1 || true
done
PYTHONPATH="$PWD/bindings/python/src:$PWD/Tests/law" build/venv/bin/python -m pytest -q -p of_tests -p no:cacheprovider bindings/python/tests >"$out/pytest.log" 2>&1 || true
cut -f1 "$out/results" | sort | uniq -c
grep -v '^equal' "$out/results" | cut -c1-300 | sort | uniq -c | sort -rn
! grep -q '^different' "$out/results"
