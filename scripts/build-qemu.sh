#!/bin/sh
# build-qemu.sh [SUITE]: QEMU for programs of x86-64 and RV64, with plugins, from the source of Debian's release SUITE, built as .tools/qemu (of trixie, if none
# is said) or .tools/qemu-SUITE. scripts/setup-tools.sh --qemu-newest calls it. Debian's own is a static build since trixie, which loads no plugin.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
suite=${1:-trixie}
arch=$(dpkg --print-architecture)
place=$root/.tools/qemu
[ $# -eq 0 ] || place=$root/.tools/qemu-$suite
work=$place.build
apt=$work/apt
[ ! -x "$place/bin/qemu-x86_64" ] || exit 0
. "$root/scripts/apt-suite.sh"

rm -rf "$work"
mkdir -p "$work/tree"
echo "build-qemu: fetching QEMU's source of $suite (40 MB)" >&2
apt_suite_update deb-src
cd "$work"
# The program's own part: Debian's patches are for its packages.
apt_suite source --download-only --tar-only qemu || {
    listed=$(apt_suite source --print-uris --tar-only qemu | sed -n "s/.* \(qemu_[^ ]*\) .*/\1/p")
    echo "build-qemu: the archive lists $listed for $suite and does not have it, as a mirror that is not up to date" >&2
    echo "build-qemu: remedy: scripts/setup-tools.sh --qemu-newest, without a name, takes Debian 13's; or try again when the mirror has it" >&2
    rm -rf "$work"
    exit 1
}
python3 -m tarfile -e qemu_*.orig.tar.xz tree

# GLib's headers, from the packages that fit this system's libraries.
libraries=$root/.tools/usr/lib/$(gcc -print-multiarch)
[ -e "$libraries/pkgconfig/glib-2.0.pc" ] || "$root/scripts/unpack-debs.sh" libglib2.0-dev 'libglib2.0-0|libglib2.0-0t64' libpcre2-dev zlib1g-dev
PKG_CONFIG_SYSROOT_DIR=$root/.tools
PKG_CONFIG_LIBDIR=$libraries/pkgconfig
PATH=$root/.venv/bin:$PATH
export PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_LIBDIR PATH
# Debian leaves out what only whole machines need, and QEMU's build asks for it.
tree=$(echo "$PWD"/tree/*)
grep -os '[a-z0-9-]*\.dtb' "$tree/pc-bios/dtb/meson.build" | while read -r dtb; do
    touch "$tree/pc-bios/dtb/$dtb"
done
mkdir build
cd build
echo "build-qemu: building it (some minutes); the log is ${work#"$root/"}/log" >&2
{
    "$tree/configure" --python="$root/.venv/bin/python" --prefix="$place" --target-list=riscv64-linux-user,x86_64-linux-user \
        --without-default-features --enable-linux-user --enable-plugins --disable-install-blobs --disable-download --disable-werror \
        --extra-ldflags="-Wl,-rpath,$libraries"
    ninja qemu-x86_64 qemu-riscv64
} >"$work/log" 2>&1 || {
    tail -n 20 "$work/log" >&2
    echo "build-qemu: QEMU cannot be built here" >&2
    exit 1
}
mkdir -p "$place/bin"
cp qemu-riscv64 "$place/bin/"
# Last: with it, the whole is there.
cp qemu-x86_64 "$place/bin/draft"
mv "$place/bin/draft" "$place/bin/qemu-x86_64"
rm -rf "$work"
