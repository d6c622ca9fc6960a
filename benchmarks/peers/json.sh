#!/usr/bin/env bash
# JSON text to verdict beside readers of others: `make bench-peers` runs this.  Needs Debian's rapidjson-dev and libsimdjson-dev;
# msgspec comes from PyPI into a venv below build the first time.
set -euo pipefail
cd "$(dirname "$0")/../.."
[ -e build/embedded/libroutable.so ] || make
venv=build/bench-peers/json-venv
if [ ! -e "$venv/ready" ]; then
    ${PYTHON:-python3} -m venv "$venv"
    "$venv/bin/pip" install -q msgspec && touch "$venv/ready"
fi
echo "== JSON text to verdict, microseconds"
"$venv/bin/python" benchmarks/json/run
