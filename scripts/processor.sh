# Sourced by scripts that compile programs for a library and run them, with `library` set to the folder of its build:
# sets `arch` (Debian's name of its processor), `compile`, and the words before a program that run it, `run` of one in C and
# `python` of a Python.  Where the processor is this machine's, they are gcc and nothing.  For another one they are clang
# with the packages of build/sysroot (scripts/sysroot), qemu and scripts/emulated, and pkg-config speaks of those packages.
# shellcheck shell=sh disable=SC2034 # read by who sources it

case $(od -An -tu2 -j18 -N2 "$library/libroutable.so.0" | tr -d ' ') in
62) arch=amd64 machine=x86_64 ;;
183) arch=arm64 machine=aarch64 ;;
*) echo "$library/libroutable.so.0 is for a processor that is not known here" >&2; exit 1 ;;
esac
compile=gcc
run=
python=
if [ "$machine" != "$(uname -m)" ]; then
    sysroot=$PWD/build/sysroot/$arch
    swift_bin=$(swiftc -print-target-info | sed -n 's|.*"runtimeResourcePath": *"\(.*\)/lib/swift".*|\1/bin|p')
    compile="$swift_bin/clang --target=$machine-linux-gnu --sysroot=build/sysroot/$arch -fuse-ld=lld"
    run=qemu-$machine-static
    python="scripts/emulated $arch"
    # A test starts itself again by the emulator, too; programs of this machine stay what they are.
    export QEMU_LD_PREFIX="$sysroot" ROUTABLE_TEST_EMULATOR="$run"
    export PKG_CONFIG_SYSROOT_DIR="build/sysroot/$arch" PKG_CONFIG_LIBDIR="build/sysroot/$arch/usr/lib/$machine-linux-gnu/pkgconfig:build/sysroot/$arch/usr/share/pkgconfig"
    # How many times as long as on an ordinary machine a program may take: what the deadlines of tests are multiplied with.
    export ROUTABLE_TEST_SLOWNESS="${ROUTABLE_TEST_SLOWNESS:-10}"
    command -v "$run" >/dev/null || { echo "$run is missing: Debian's package qemu-user-static"; exit 77; }
fi
