#!/bin/sh
# build-kernel.sh SOURCE BUILD PREFIX JOBS: the kernel of kernel.config, built in BUILD, with its headers for programs in BUILD/usr/include. PREFIX is
# that of the compiler's name. It takes minutes, and leaves the machine to others.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tools=$here/../../.tools/usr
source=$1
build=$2
prefix=$3
jobs=$4

# Flex and Bison of .tools look for m4 and their own files where Debian would install them.
PATH=$PATH:$tools/bin
export PATH
if [ "$(command -v bison)" = "$tools/bin/bison" ]; then
    M4=$tools/bin/m4
    BISON_PKGDATADIR=$tools/share/bison
    export M4 BISON_PKGDATADIR
fi
unset MAKEFLAGS MAKELEVEL

make_kernel() {
    nice -n 10 make -s -C "$source" ARCH=riscv "CROSS_COMPILE=$prefix" "O=$build" "-j$jobs" "$@"
}

echo "build-kernel: building Linux (some minutes); the log is $build.log" >&2
{
    make_kernel tinyconfig
    cat "$here/kernel.config" >>"$build/.config"
    make_kernel olddefconfig
    # What the configuration asks for and the kernel does not have.
    missing=$(grep '^CONFIG_' "$here/kernel.config" | grep -vxFf "$build/.config") && {
        echo "not in this kernel: $missing" >&2
        exit 1
    }
    make_kernel Image modules
    make_kernel headers
} >"$build.log" 2>&1 || {
    tail -n 20 "$build.log" >&2
    echo "build-kernel: the kernel cannot be built here" >&2
    exit 1
}
