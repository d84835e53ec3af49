#!/bin/sh
# unpack-debs.sh PACKAGE...: fetch Debian packages and unpack them into .tools, without root. ONE|OTHER is the first of the two that the archives have: a
# release may have renamed it.
# unpack-debs.sh --variant NAME PACKAGE...: of them only what is in folders of this name, such as the libraries of an instruction set.
# unpack-debs.sh --unfinished: those again whose unpacking was cut short, if there are any.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/scripts/apt-private.sh"

# While packages are unpacked, their names are here: a part of them looks like the whole.
unpacking=$root/.tools/unpacking
if [ "$1" = --unfinished ]; then
    [ -s "$unpacking" ] || exit 0
    # shellcheck disable=SC2046 # a list of names
    set -- $(cat "$unpacking")
    echo "unpack-debs: unpacking again what was cut short: $*" >&2
fi

variant=
if [ "$1" = --variant ]; then
    variant=$2
    shift 2
fi

rm -rf "$root/.tools/debs"
mkdir -p "$root/.tools/debs"
cd "$root/.tools/debs"

# available NAME|NAME...: the first that the archives have.
available() {
    # shellcheck disable=SC2046 # a list of names
    for name in $(echo "$1" | tr '|' ' '); do
        apt_private download --print-uris "$name" >/dev/null 2>&1 || continue
        echo "$name"
        return 0
    done
    return 1
}

# choose PACKAGE...: their names; the first of all where the archives have none, for apt to say so.
choose() {
    names=
    chosen=0
    for package in "$@"; do
        name=$(available "$package") || { name=${package%%|*} && chosen=1; }
        names="$names $name"
    done
    return "$chosen"
}

apt_private_update
choose "$@" || {
    # With the package lists at hand, which may be old, or those of a day without a network.
    rm -f "$apt_dir/updated"
    apt_private_update
    choose "$@" || true
}
# shellcheck disable=SC2086 # a list of names
apt_fetch download $names
echo "$names" >"$unpacking"
for deb in *.deb; do
    if [ -n "$variant" ]; then
        dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$root/.tools" --wildcards --exclude='*/lib/release' "*/$variant/*"
        continue
    fi
    # picolibc comes built for 30 variants of the ISA, 980 MB: the programs use one.
    dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$root/.tools" \
        --exclude='./usr/share/doc' --exclude='./usr/share/man' --exclude='./usr/share/info' \
        --exclude='*/picolibc/*/lib/release' \
        --exclude='*/rv64*' --exclude='*/rv32e*' --exclude='*/rv32ia*' --exclude='*/rv32if*' \
        --exclude='*/rv32ima*' --exclude='*/rv32imf*'
done
cd "$root"
rm -rf .tools/debs

# Icarus has its folder compiled in: tell it where it is now.
ivl=$(echo .tools/usr/lib/*/ivl)
if [ -d "$ivl" ]; then
    mkdir -p .tools/bin
    for tool in "iverilog -B" "vvp -M"; do
        name=${tool% *}
        cat >".tools/bin/$name" <<EOF
#!/bin/sh
here=\$(cd "\$(dirname "\$0")/.." && pwd)
exec "\$here/usr/bin/$name" ${tool#* } "\$here/${ivl#.tools/}" "\$@"
EOF
        chmod +x ".tools/bin/$name"
    done
fi

# GHDL looks for its libraries where they are not, and has one of GNAT.
libraries=.tools/usr/lib/ghdl/mcode/vhdl
if [ -x .tools/usr/bin/ghdl-mcode ] && [ -d "$libraries" ]; then
    mkdir -p .tools/bin "$libraries/vhdl"
    for library in ieee std; do
        ln -sfn "../$library" "$libraries/vhdl/$library"
    done
    cat >.tools/bin/ghdl <<'EOT'
#!/bin/sh
here=$(cd "$(dirname "$0")/.." && pwd)
GHDL_PREFIX=$here/usr/lib/ghdl/mcode/vhdl
LD_LIBRARY_PATH=$(echo "$here"/usr/lib/*-linux-gnu)
export GHDL_PREFIX LD_LIBRARY_PATH
exec "$here/usr/bin/ghdl-mcode" "$@"
EOT
    chmod +x .tools/bin/ghdl
fi

# Yosys finds its folder, but not its libraries, Tcl's scripts and ABC.
if [ -x .tools/usr/bin/yosys ]; then
    mkdir -p .tools/bin
    cat >.tools/bin/yosys <<'EOT'
#!/bin/sh
here=$(cd "$(dirname "$0")/.." && pwd)
LD_LIBRARY_PATH=$(echo "$here"/usr/lib/*-linux-gnu):$(echo "$here"/lib/*-linux-gnu)
TCL_LIBRARY=$(echo "$here"/usr/share/tcltk/tcl8.*)
PATH=$here/usr/bin:$PATH
export LD_LIBRARY_PATH TCL_LIBRARY PATH
exec "$here/usr/bin/yosys" "$@"
EOT
    chmod +x .tools/bin/yosys
fi

# Clang and llvm-profgen find their headers, but not their libraries.
for tool in clang llvm-profgen; do
    program=$(echo .tools/usr/lib/llvm-*/bin/$tool)
    [ -x "$program" ] || continue
    mkdir -p .tools/bin
    cat >".tools/bin/$tool" <<EOT
#!/bin/sh
here=\$(cd "\$(dirname "\$0")/.." && pwd)
LD_LIBRARY_PATH=\$(echo "\$here"/usr/lib/*-linux-gnu):\$(echo "\$here"/usr/lib/llvm-*/lib)
export LD_LIBRARY_PATH
exec "\$here/${program#.tools/}" "\$@"
EOT
    chmod +x ".tools/bin/$tool"
done

# The compiler for Linux has a version in its name, and its linker and assembler have libraries.
for gcc in .tools/usr/bin/riscv64-linux-gnu-gcc-1[0-9]; do
    [ -x "$gcc" ] || continue
    mkdir -p .tools/bin
    ln -sf "${gcc##*/}" .tools/usr/bin/riscv64-linux-gnu-gcc
    for tool in .tools/usr/bin/riscv64-linux-gnu-*; do
        cat >".tools/bin/${tool##*/}" <<EOT
#!/bin/sh
here=\$(cd "\$(dirname "\$0")/.." && pwd)
LD_LIBRARY_PATH=\$(echo "\$here"/usr/lib/*-linux-gnu | tr ' ' :)
export LD_LIBRARY_PATH
exec "\$here/usr/bin/${tool##*/}" "\$@"
EOT
        chmod +x ".tools/bin/${tool##*/}"
    done
done

# QEMU finds its libraries in .tools, and keeps that from the programs it runs.
for qemu in .tools/usr/bin/qemu-x86_64 .tools/usr/bin/qemu-riscv64 .tools/usr/bin/qemu-riscv32; do
    [ -x "$qemu" ] || continue
    mkdir -p .tools/bin
    cat >".tools/bin/${qemu##*/}" <<EOT
#!/bin/sh
here=\$(cd "\$(dirname "\$0")/.." && pwd)
LD_LIBRARY_PATH=\$(echo "\$here"/usr/lib/*-linux-gnu):\$(echo "\$here"/lib/*-linux-gnu)
export LD_LIBRARY_PATH
exec "\$here/usr/bin/${qemu##*/}" -U LD_LIBRARY_PATH "\$@"
EOT
    chmod +x ".tools/bin/${qemu##*/}"
done
rm "$unpacking"
