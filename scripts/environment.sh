# Settings of the environment that the Swift toolchain requires.  scripts/check and scripts/bootstrap source this file; the Makefile
# and scripts/toolchain.py do the same.
# shellcheck shell=sh

# The compiler crashes if the path of the temporary folder is not ASCII.
[ -z "$(printf '%s' "${TMPDIR:-}" | LC_ALL=C tr -d ' -~')" ] || export TMPDIR=/tmp
