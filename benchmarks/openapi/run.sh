#!/usr/bin/env bash
# Opens an OpenAPI document, compared with jansson, and builds its operations, compared with the same handwritten operations.
#
#   benchmarks/openapi/run.sh DOCUMENT.json [OPERATION ...]
set -euo pipefail
cd "$(dirname "$0")/../.."
library=${ROUTABLE_LIBRARY_DIR:-build/embedded}
[ -e "$library/libroutable.so" ] || make
# shellcheck disable=SC2046 # word splitting is intended
${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -Iinclude $(pkg-config --cflags jansson) -o build/bench-openapi benchmarks/openapi/openapi.c \
    -L"$library" -lroutable $(pkg-config --libs jansson) -Wl,-rpath,'$ORIGIN/'"${library#build/}"
exec build/bench-openapi "$@"
