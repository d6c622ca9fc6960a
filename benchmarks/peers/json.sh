#!/usr/bin/env bash
# From JSON text to verdict, compared with other readers: `make bench-peers` runs this.  Needs Debian's rapidjson-dev and libsimdjson-dev;
# msgspec is installed from PyPI into a venv below build on the first run.
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
