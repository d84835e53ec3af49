#!/bin/sh
# fetch-source.sh PACKAGE: the upstream source of a Debian package, unpacked as .tools/src/PACKAGE.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/apt-private.sh"

work=$root/.tools/src/.fetch
rm -rf "$work"
mkdir -p "$work/tree"
cd "$work"
apt_fetch source --download-only "$1"
for tarball in *.orig.tar.*; do
    case $tarball in
    *.asc) ;;
    # Python unpacks every compression in use; tar needs a program for each.
    *) python3 -m tarfile -e "$tarball" tree ;;
    esac
done
rm -rf "$root/.tools/src/$1"
mv tree/* "$root/.tools/src/$1"
rm -rf "$work"
