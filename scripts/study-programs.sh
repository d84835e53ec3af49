#!/bin/sh
# study-programs.sh [ARCHITECTURE]: the programs that `make accuracy` measures, of Debian 13, unpacked with all that they
# need into .tools/study/ARCHITECTURE: the same sources for amd64 and riscv64. No root is needed, nothing is installed. Those for riscv64 may be missing: an
# archive may have none, or be half way through an update of itself.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
suite=trixie
packages="gzip bzip2 xz-utils cpp-14 perl-base python3.13-minimal libpython3.13-stdlib mawk jq sqlite3 bc coreutils yosys-abc
    minisat glpk-utils gnugo lame"

if [ $# -eq 0 ]; then
    "$0" amd64
    "$0" riscv64 || echo "study-programs: no programs for riscv64, see apt's message above; the study goes without them" >&2
    exit 0
fi

. "$root/scripts/apt-suite.sh"

for arch in "$@"; do
    place=$root/.tools/study/$arch
    to=$place.draft
    [ -e "$place/.packages" ] && [ "$(cat "$place/.packages")" = "$packages" ] && continue
    echo "study-programs: unpacking programs for $arch into .tools/study (60 MB to fetch)" >&2
    apt=$root/.tools/study/apt-$arch
    rm -rf "$place" "$to"
    mkdir -p "$to"
    apt_suite_update deb
    # Not every program is there for every architecture.
    there=
    for package in $packages; do
        apt_suite install --simulate "$package" >/dev/null 2>&1 && there="$there $package"
    done
    # shellcheck disable=SC2086 # a list of names
    apt_suite install --yes --download-only --no-install-recommends $there >/dev/null
    for deb in "$apt"/cache/archives/*.deb; do
        dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$to" --keep-directory-symlink --exclude='./usr/share/doc' --exclude='./usr/share/man' \
            --exclude='./usr/share/locale'
    done
    # Where the loader and its libraries are looked for.
    for folder in lib lib64; do
        [ -d "$to/usr/$folder" ] && [ ! -e "$to/$folder" ] && ln -s "usr/$folder" "$to/$folder"
    done
    rm -rf "$apt"
    echo "$packages" >"$to/.packages"
    mv "$to" "$place"
done
