# The steps of scripts/check, which sources this file: the command of each one, its time limit, and the steps that it requires.
# `make check` tests the library that `make DRAFT=1` builds, because optimizing takes longer than all of its tests; `make check-all`
# tests the optimized library.
# shellcheck shell=bash

draft=build/embedded-draft

python() {
    PYTHONPATH="$PWD/bindings/python/src" build/venv/bin/python "$@"
}

traps() { Tests/traps/test_trap_hook && benchmarks/check_hot_path && scripts/check_traps; }

torture() { Tests/torture/run build/embedded && Tests/torture/run build/embedded --checks; }

python_types() {
    python -m mypy --strict --cache-dir build/check/mypy bindings/python/src &&
        MYPYPATH=bindings/python/src python -m mypy --strict --cache-dir build/check/mypy bindings/python/tests/typed
}

python_tests() { # library
    local slowness=1
    case $1 in *-draft) slowness=3 ;; esac
    ROUTABLE_TEST_SLOWNESS="${ROUTABLE_TEST_SLOWNESS:-$slowness}" ROUTABLE_LIBRARY="$PWD/$1/libroutable.so.0" python -m pytest -p no:cacheprovider bindings/python/tests
}

conformance() { # folder of vectors
    ROUTABLE_LIBRARY="$PWD/$draft/libroutable.so.0" python Tests/conformance/run.py "$1" --jobs "$(nproc)"
}

# The patch of Tests/law/of_swift_tests.sh, which runs for longer, must apply.
law() {
    git apply --check Tests/law/of_swift_tests.patch || return
    ROUTABLE_LIBRARY="$PWD/$draft/libroutable.so.0" python Tests/law/run.py "$@"
}

hostile() {
    ROUTABLE_LIBRARY="$PWD/$draft/libroutable.so.0" python Tests/law/hostile.py "$@"
}

mock() { # documents
    ROUTABLE_LIBRARY="$PWD/$draft/libroutable.so.0" python Tests/mock/documents.py "$@" &&
        ROUTABLE_LIBRARY="$PWD/$draft/libroutable.so.0" python Tests/mock/statuses.py --least 500 --made 5 "$@"
}

mock_faults() { ROUTABLE_LIBRARY="$PWD/$draft/libroutable.so.0" python Tests/mock/faults.py; }

command_tests() { # tests
    ROUTABLE_COMMAND="$PWD/build/command-draft/routable" ROUTABLE_LIBRARY="$PWD/$draft/libroutable.so.0" \
        python -m pytest -q -p no:cacheprovider "$@"
}

drawn() { scripts/bootstrap browser && command_tests Tests/command/test_map_drawn.py; }

trees() { # of ROUTABLE_DATA
    scripts/test_c "$draft" shared test_presentation_trees && scripts/swift test --skip-build --filter TreeVectorTests
}

generated() { # arguments of Tests/generate/run.py
    Tests/generate/run.py --command build/command-draft/routable --library "$draft" --swift .build/debug "$@"
}

docs() {
    Tests/docs/test_examples.sh "$draft" && Tests/docs/test_notes.sh "$draft" && Tests/services/test_github_commits.sh "$draft" &&
        Tests/services/test_library_service.sh "$draft" &&
        scripts/check_docs --library "$draft" "$@"
}

# For another processor: Python runs under scripts/emulated, and is the one of the sysroot.

other_python() { # processor, arguments
    local processor=$1
    shift
    PYTHONPATH=/tree/bindings/python/src:/usr/local/lib/python3/dist-packages ROUTABLE_LIBRARY="/tree/$build/libroutable.so.0" \
        scripts/emulated "$processor" ${with_data[@]+"${with_data[@]}"} python3 "$@"
}

other_python_tests() { # processor, build, tests
    local build=$2
    scripts/bootstrap "check-$1" || return
    # The version of Debian 12 is too old for the tests; the package is independent of the processor.
    local packages=build/sysroot/$1/usr/local/lib/python3/dist-packages
    mkdir -p "$packages" && cp -r build/venv/lib/python3*/site-packages/trustme "$packages/" || return
    other_python "$1" -m pytest -p no:cacheprovider "${@:3}"
}

other_conformance() { # processor, build, folder of vectors
    local build=$2 with_data=(--with "$(realpath "$3")" /vectors)
    # The results must have the same bytes on both processors.
    ROUTABLE_CONFORMANCE_RECORD=build/check/conformance-here.txt conformance "$3" >/dev/null || return
    scripts/bootstrap "check-$1" && ROUTABLE_CONFORMANCE_RECORD=build/check/conformance-$1.txt other_python "$1" Tests/conformance/run.py /vectors --jobs "$(nproc)" &&
        cmp build/check/conformance-here.txt "build/check/conformance-$1.txt" &&
        echo "the same bytes as here for $(wc -l <"build/check/conformance-$1.txt") results"
}

other_traps() { # build
    benchmarks/check_hot_path --build "$1" && scripts/check_traps --build "$1"
}

# Tests each kind of code once: matching, plans, encodings, schemas, documents, JSON, transfers.  The build is not optimized,
# because optimizing takes longer than it saves here.
other_sample() { # processor, build
    scripts/check_exports "$2/libroutable.so.0" &&
        scripts/test_c "$2" shared "test_plan test_encodings test_values test_jansson test_map test_perform test_null" &&
        other_python_tests "$1" "$2" bindings/python/tests/test_router.py bindings/python/tests/test_encodings.py \
            bindings/python/tests/test_client.py
}

other=arm64
[ "$(uname -m)" = x86_64 ] || other=amd64

# --- make check: every function of the library in each language ---

part check
step library 300 "" make DRAFT=1
step swift-build 360 "" scripts/swift build --build-tests
step layers 5 "" scripts/check_layers
step headers 30 "" scripts/check_headers
step interface 10 "" scripts/interface --check
step abi 20 "" sh -c "Tests/abi/test_check_abi && scripts/check_abi"
step refusals 5 "" Tests/processor/test_refusals
step blocks 15 "" Tests/processor/test_blocks
# .swift-format defines the format.
step format 15 "" swift format lint --strict -r Sources command Tests bindings/swift examples/Social.swift examples/notes/swift Package.swift
step memory-order 10 "" python3 Tests/memory/run.py
step python-types 60 "" python_types
step man 10 library scripts/check_man "$draft"
step spelling 10 "" scripts/check_spelling
step articles 5 "" scripts/check_articles
step statements 5 "" scripts/check_statements
step check-runner 10 "" Tests/check/test_check
# Its modules are compiled by swift-build.
step command 30 swift-build make DRAFT=1 command
step c 90 library scripts/test_c "$draft"
step python 180 library python_tests "$draft"
step pages 60 library Tests/pages/run.py "$draft" --pages 150
step conformance 20 library conformance Tests/conformance/own
step law 30 library law
step mock 60 library mock Tests/conformance/documents/{kinto,petstore}-3.0.json Tests/conformance/own/openapi-docs/real/*.json
step mock-faults 60 library mock_faults
step command-tests 120 "library command" command_tests Tests/command --ignore Tests/command/test_map_drawn.py
step demo 15 library scripts/demo "$draft"
step docs 180 "library command swift-build" docs
step generated 120 "library command swift-build" generated
# The random routers have one seed, so that a run can be repeated; ROUTABLE_SEED=N sets another.
step names 40 swift-build Tests/names/run .build/debug
step allocations 10 swift-build Tests/allocations/run .build/debug
step swift-documented 30 swift-build scripts/check_swift_documented
step swift-tests 180 swift-build env ROUTABLE_SEED="${ROUTABLE_SEED:-20261122}" scripts/test_swift

# --- make check-all: the same code in other forms, under other conditions, and for longer ---

part all
step optimized 480 "" make
step static-library 480 "" make RUNTIME=static
step exports 5 optimized scripts/check_exports
step size 10 optimized scripts/check_library
step traps 20 optimized traps
step install 60 optimized scripts/check_install
step torture 130 optimized torture
# A short version of scripts/fuzz_readers --count 100000 --large 1000.
step readers 60 optimized scripts/fuzz_readers --count 5000 --large 300
# It builds into build/embedded, too.
step generated-long 420 "optimized command swift-build" generated long
step growth 400 optimized Tests/growth/run build/embedded
step musl 20 optimized scripts/check_musl
step declarations 180 "" scripts/check_undeclared
step python-optimized 180 optimized python_tests build/embedded
step c-archive 90 optimized scripts/test_c build/embedded archive
step c-static 90 static-library scripts/test_c build/static
step exports-static 5 static-library scripts/check_exports build/static/libroutable.so.0
step "$other-library" 240 "" make DRAFT=1 "ARCH=$other" lib
step c-valgrind 400 optimized scripts/test_c build/embedded valgrind
step "$other" 200 "$other-library" other_sample "$other" "build/embedded-$other-draft"
# Optimizing the command takes longer than the whole check: make check-wheels tests the published wheels.
step wheel 120 "optimized swift-build" env WHEEL_DRAFT=1 scripts/check_wheel
step foreign 60 optimized scripts/check_foreign
step map-drawn 60 "library command" drawn
step environments 300 "optimized command" scripts/check_environments --short
step swift-package 400 "" scripts/check_swift_package

# --- make check-data DATA=FOLDER: documents and vectors of others, with the layout of Tests/conformance/own ---

part data
[ -z "$data" ] || export ROUTABLE_DATA="$data"
step data-vectors 60 library conformance "$data"
step data-trees 120 "library swift-build" trees
step data-convert 60 "library command" command_tests Tests/command/test_convert_documents.py Tests/command/test_coverage.py
step data-mock 400 library mock "$data"/openapi-docs/real/*.json
step data-generated 420 "library command swift-build" generated --data "$data/openapi-docs" of-data
# One in seven values; without --every, the script takes five minutes.
step data-hostile 90 library hostile --data "$data" --jobs "$(nproc)" --every "${ROUTABLE_HOSTILE_EVERY:-7}"

# --- make check ARCH=...: the steps for another processor ---

if [ -n "$arch" ]; then
    names=() other=$arch build=build/embedded-$arch
    part check
    step library 600 "" make "ARCH=$other"
    step exports 5 library scripts/check_exports "$build/libroutable.so.0"
    step size 10 library scripts/check_library "$build"
    step traps 20 library other_traps "$build"
    step c 600 library scripts/test_c "$build"
    step c-archive 120 library scripts/test_c "$build" archive "test_plan test_match test_perform"
    step python 900 library other_python_tests "$other" "$build" bindings/python/tests
    step library-here 300 "" make
    step conformance 400 "library library-here" other_conformance "$other" "$build" Tests/conformance/own
    step demo 60 library scripts/demo "$build"
    step wheel 300 library scripts/check_wheel "$other"
fi
