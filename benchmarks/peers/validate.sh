#!/usr/bin/env bash
# Validation compared with the minimum of work and with other libraries: `make bench-peers` runs this.
#
# The same object (1 KB, 20 properties) against the same schema: from C compared with a bare walk and with jansson's parsing;
# from Python compared with jsonschema-rs, msgspec, pydantic, fastjsonschema and jsonschema, which are installed from PyPI into
# a venv below build on the first run.
set -euo pipefail
cd "$(dirname "$0")/../.."
library=$PWD/build/embedded
[ -e "$library/libroutable.so" ] || make
out=build/bench-peers
mkdir -p "$out"
# shellcheck disable=SC2046 # word splitting is intended
${CC:-cc} -std=gnu11 -O2 -fno-builtin-malloc -Wall -Wextra -Iinclude $(pkg-config --cflags jansson) -o "$out/validate" \
    benchmarks/peers/validate.c -L"$library" -lroutable -ljansson
export LD_LIBRARY_PATH="$library" ROUTABLE_LIBRARY="$library/libroutable.so.0" PYTHONPATH="$PWD/bindings/python/src"
echo "== from C"
"$out/validate" benchmarks/peers/order.schema.json benchmarks/peers/order.json
echo "== formats, patterns, uniqueItems, enums and unions beside checks by hand"
# shellcheck disable=SC2046 # word splitting is intended
${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -Iinclude -o "$out/byhand" benchmarks/json/byhand.c -L"$library" -lroutable $(pkg-config --libs libpcre2-8)
"$out/byhand"
echo "== from Python"
venv=$out/validate-venv
if [ ! -e "$venv/ready" ]; then
    ${PYTHON:-python3} -m venv "$venv"
    "$venv/bin/pip" install -q -r benchmarks/peers/validate.requirements.txt && touch "$venv/ready"
fi
"$venv/bin/python" benchmarks/peers/validate.py benchmarks/peers/order.schema.json benchmarks/peers/order.json
