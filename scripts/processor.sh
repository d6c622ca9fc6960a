# Sourced by scripts that compile programs for a library and run them; `library` is the folder of its build.  Sets `arch` (the
# Debian name of its processor), `compile`, and the prefixes of commands that run a C program (`run`) and Python (`python`).
# For the processor of this machine, they are gcc and empty.  For another one, they are clang with the packages of build/sysroot
# (scripts/sysroot), qemu and scripts/emulated, and pkg-config finds those packages.
# shellcheck shell=sh disable=SC2034 # read by the scripts that source this

case $(od -An -tu2 -j18 -N2 "$library/libroutable.so.0" | tr -d ' ') in
62) arch=amd64 machine=x86_64 ;;
183) arch=arm64 machine=aarch64 ;;
*) echo "$library/libroutable.so.0 is for an unknown processor" >&2; exit 1 ;;
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
    # A test that starts itself again uses the emulator, too; programs of this machine do not.
    export QEMU_LD_PREFIX="$sysroot" ROUTABLE_TEST_EMULATOR="$run"
    export PKG_CONFIG_SYSROOT_DIR="build/sysroot/$arch" PKG_CONFIG_LIBDIR="build/sysroot/$arch/usr/lib/$machine-linux-gnu/pkgconfig:build/sysroot/$arch/usr/share/pkgconfig"
    # The factor by which the deadlines of tests are multiplied.
    export ROUTABLE_TEST_SLOWNESS="${ROUTABLE_TEST_SLOWNESS:-10}"
    command -v "$run" >/dev/null || { echo "$run is missing: Debian's package qemu-user-static"; exit 77; }
fi
