#!/bin/sh
# fetch-system.sh [SUITE]: QEMU for whole machines of RISC-V and x86-64, of Debian 13, and Debian's kernels for them, unpacked into .tools/system; or QEMU
# alone, of Debian's release SUITE, into .tools/system-SUITE. scripts/setup-tools.sh --system calls it. QEMU 9 is the first that tells a plugin the registers
# of a hart; those of Debian 13 and later run on older systems under their own loader and libraries.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
suite=${1:-trixie}
place=$root/.tools/system${1:+-$1}
work=$place.fetching
[ ! -x "$place/bin/qemu-system-x86_64" ] || exit 0
. "$root/scripts/apt-suite.sh"

rm -rf "$work"
mkdir -p "$work/tree/bin"
apt=$work/apt
arch=$(dpkg --print-architecture)
echo "fetch-system: fetching QEMU of $suite and its libraries (60 MB)" >&2
apt_suite_update deb
apt_suite install --download-only --no-install-recommends -y qemu-system-riscv opensbi qemu-system-x86
for package in "$apt"/cache/archives/*.deb; do
    dpkg-deb -x "$package" "$work/tree"
done

# kernel ARCHITECTURE PACKAGE FILE NAME SIZE: the file of the kernel that PACKAGE stands for, as NAME.
kernel() {
    arch=$1
    echo "fetch-system: fetching the kernel of $suite for $arch ($5)" >&2
    apt_suite_update deb
    rm -rf "$work/kernel"
    mkdir "$work/kernel"
    cd "$work/kernel"
    name=$(apt_suite --print-uris --no-install-recommends -y install "$2" | sed -n 's/.* \(linux-image-[0-9][^_]*\)_.*/\1/p')
    apt_suite download "$name"
    dpkg-deb --fsys-tarfile ./*.deb | tar -x --wildcards "./boot/$3-*"
    mv boot/"$3"-* "$work/tree/$4"
}
if [ $# -eq 0 ]; then
    kernel riscv64 linux-image-riscv64 vmlinux vmlinux "90 MB"
    # That for virtual machines, which is smaller.
    kernel amd64 linux-image-cloud-amd64 vmlinuz vmlinuz-x86_64 "35 MB"
fi

lib=$(find "$work/tree/usr/lib" -name 'ld-linux*' -type f | head -n 1)
lib=${lib#"$work/tree/"}
for name in qemu-system-riscv32 qemu-system-riscv64 qemu-system-x86_64; do
    cat >"$work/tree/bin/$name" <<END
#!/bin/sh
here=\$(dirname "\$(dirname "\$(readlink -f "\$0")")")
exec "\$here/$lib" --library-path "\$here/$(dirname "$lib")" "\$here/usr/bin/$name" -L "\$here/usr/share/qemu" -L "\$here/usr/share/seabios" "\$@"
END
    chmod +x "$work/tree/bin/$name"
done
rm -rf "$place"
mv "$work/tree" "$place"
rm -rf "$work"
