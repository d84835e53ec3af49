#!/bin/sh
# fetch-linux.sh: the source of Linux 6.12 as Debian 13 has it, unpacked as .tools/src/linux. Earlier ones have no debug console of SBI and a nolibc
# that lacks RV32.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
suite=trixie
arch=$(dpkg --print-architecture)
work=$root/.tools/src/.linux
apt=$work/apt
. "$root/scripts/apt-suite.sh"

rm -rf "$work"
mkdir -p "$work/tree"
apt_suite_update deb
cd "$work"
apt_suite download linux-source-6.12
dpkg-deb -f linux-source-*.deb Version >tree/debian-version
dpkg-deb --fsys-tarfile linux-source-*.deb | tar -x ./usr/src/linux-source-6.12.tar.xz
# Python unpacks every compression in use; tar needs a program for each.
python3 -m tarfile -e usr/src/linux-source-6.12.tar.xz tree
mv tree/debian-version tree/linux-source-6.12/
rm -rf "$root/.tools/src/linux"
mv tree/linux-source-6.12 "$root/.tools/src/linux"
rm -rf "$work"
