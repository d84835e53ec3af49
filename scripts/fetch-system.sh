#!/bin/sh
# fetch-system.sh: QEMU for whole RISC-V machines, of Debian 13, and Debian's kernel for RV64, unpacked into .tools/system. scripts/setup-tools.sh --system calls
# it. QEMU 9 is the first that tells a plugin the registers of a hart; that of Debian 13 runs on older systems under its own loader and libraries.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
suite=trixie
place=$root/.tools/system
work=$place.fetching
[ ! -x "$place/bin/qemu-system-riscv64" ] || exit 0
. "$root/scripts/apt-suite.sh"

rm -rf "$work"
mkdir -p "$work/tree/bin" "$work/kernel"
apt=$work/apt
arch=$(dpkg --print-architecture)
echo "fetch-system: fetching QEMU of $suite and its libraries (35 MB)" >&2
apt_suite_update deb
apt_suite install --download-only --no-install-recommends -y qemu-system-riscv opensbi
for package in "$apt"/cache/archives/*.deb; do
    dpkg-deb -x "$package" "$work/tree"
done

arch=riscv64
echo "fetch-system: fetching the kernel of $suite for $arch (90 MB)" >&2
apt_suite_update deb
cd "$work/kernel"
kernel=$(apt_suite --print-uris --no-install-recommends -y install linux-image-riscv64 | sed -n 's/.* \(linux-image-[0-9][^_]*\)_.*/\1/p')
apt_suite download "$kernel"
dpkg-deb --fsys-tarfile ./*.deb | tar -x --wildcards './boot/vmlinux-*'
mv boot/vmlinux-* "$work/tree/vmlinux"

lib=$(find "$work/tree/usr/lib" -name 'ld-linux*' -type f | head -n 1)
lib=${lib#"$work/tree/"}
for name in qemu-system-riscv32 qemu-system-riscv64; do
    cat >"$work/tree/bin/$name" <<END
#!/bin/sh
here=\$(dirname "\$(dirname "\$(readlink -f "\$0")")")
exec "\$here/$lib" --library-path "\$here/$(dirname "$lib")" "\$here/usr/bin/$name" -L "\$here/usr/share/qemu" "\$@"
END
    chmod +x "$work/tree/bin/$name"
done
mv "$work/tree" "$place"
rm -rf "$work"
