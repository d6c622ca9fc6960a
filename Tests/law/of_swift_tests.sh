#!/bin/sh
# Reads each request that the tests in Swift build, builds its call again, and reads the result, as Tests/law/of_tests.sh does for C
# and Python.  The library has no hook for this: a patch adds it to a copy of the sources in build/law-swift.
#
#   Tests/law/of_swift_tests.sh
set -eu
cd "$(dirname "$0")/../.."
tree=$PWD
copy=$PWD/build/law-swift
export LAW_RECORD="$tree/build/check/law/swift-results"
mkdir -p "$copy" "${LAW_RECORD%/*}"
rm -f "$LAW_RECORD"
# `cp -p` keeps the times of the files, so that only changed sources are built again.
git ls-files -z | grep -zv '^Tests/law/of_swift_tests' | xargs -0 cp -p --parents -t "$copy"
cd "$copy"
rm -f Sources/CSystem/law_hook.c Sources/RoutableCore/Request/LawHook.swift Tests/RoutableTests/LawHookTests.swift # the files that the patch adds
GIT_CEILING_DIRECTORIES="$tree/build" git apply "$tree/Tests/law/of_swift_tests.patch"
scripts/swift build --build-tests >"${LAW_RECORD%/*}/swift-build.log" 2>&1
scripts/swift test --skip-build >"${LAW_RECORD%/*}/swift-test.log" 2>&1 || true
cut -f1 "$LAW_RECORD" | sort | uniq -c
# A request whose base is that of the call, and not that of the description, is not below the paths of the description.
grep -v '^equal' "$LAW_RECORD" | cut -f1,3 | sort | uniq -c | sort -rn
! grep -q '^different\|^not built' "$LAW_RECORD"
