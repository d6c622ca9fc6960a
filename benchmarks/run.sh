#!/usr/bin/env bash
# Builds the C benchmark against the shared library and runs it.
#
#   benchmarks/run.sh                        all tables and rows of a folder: BENCH_DATA, or those that tables.py writes
#   benchmarks/run.sh match ROUTES URLS      one of them
#   benchmarks/run.sh build TSV [EXPECT]
#   benchmarks/run.sh open ROUTES
#   benchmarks/run.sh python                 plans and matches through ctypes
set -euo pipefail
cd "$(dirname "$0")/.."
library=${ROUTABLE_LIBRARY_DIR:-build/embedded}
[ -e "$library/libroutable.so" ] || make
# shellcheck disable=SC2046 # word splitting is intended
${CC:-cc} -std=gnu11 -O2 -fno-builtin-malloc -fno-builtin-free -Wall -Wextra -Werror -Iinclude $(pkg-config --cflags libcurl jansson) -o build/bench \
    benchmarks/c/*.c -L"$library" -lroutable $(pkg-config --libs libcurl jansson) -Wl,-rpath,'$ORIGIN/'"${library#build/}"
through_ctypes() {
    ${CC:-cc} -O2 -Wall -Wextra -shared -fPIC -o build/libempty.so benchmarks/python/empty.c
    PYTHONPATH=$PWD/bindings/python/src ROUTABLE_LIBRARY=$PWD/$library/libroutable.so.0 python3 benchmarks/python/calls.py build/libempty.so
}
if [ "${1:-}" = python ]; then
    through_ctypes
    exit
fi
if [ $# -gt 0 ]; then
    exec build/bench "$@"
fi
data=${BENCH_DATA:-build/bench-tables}
[ -n "${BENCH_DATA:-}" ] || benchmarks/tables.py "$data"
for pair in routes:url_b routes:url_c2k s200_routes:s200_urls s2000_routes:s2000_urls s20000_routes:s20000_urls; do
    build/bench match "$data/${pair%%:*}.txt" "$data/${pair##*:}.txt"
done
build/bench open "$data/s20000_routes.txt"
for rows in build_clean build_dirty build_mix; do
    build/bench build "$data/$rows.tsv" "$data/$rows.expect"
done
benchmarks/check_hot_path "$data/routes.txt" "$data/url_c2k.txt"
through_ctypes
