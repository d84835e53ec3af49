#!/bin/sh
# release.sh: what a release hands out, into dist. The same commands are packed into the same bytes; that two builds of a commit are the same is not tested yet.
#
#   hpp-verilog-VERSION-NAME.tar.gz     each configuration of fpga/configurations, as gen-verilog writes it
#   hpp_profiler-VERSION-*.whl          a wheel for each machine: commands, QEMU plugin, LiteX and FuseSoC packages; glibc 2.17 or later
#   hpp-VERSION-TARGET.tar.gz           the same commands without Python, linked statically, with completions and manual pages
#   hpp-VERSION.cdx.json, SHA256SUMS    what the commands are made of, and checksums
#
# What Rust has no standard library for on this machine is left out and named: `rustup target add` fetches one, which the workflow release.yml does.
# Nothing is made for macOS and Windows.
set -eu
cd "$(dirname "$0")/.."
root=$PWD
CARGO=${CARGO:-cargo}
say() { printf 'release: %s\n' "$*" >&2; }

version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
[ -z "$(git status --porcelain)" ] || say "the work tree has changes that are in no commit: this is no release"

work=build/release
rm -rf "$work" dist.draft
mkdir -p "$work" dist.draft
venv=build/release-venv
cmp -s scripts/requirements-release.txt "$venv/installed" || {
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r scripts/requirements-release.txt
    cp scripts/requirements-release.txt "$venv/installed"
}
PATH=$root/$venv/bin:$PATH

# Where things lie on this machine is in no file.
cargo_home=${CARGO_HOME:-$HOME/.cargo}
export CARGO_TARGET_DIR="$root/build/release-target"
export RUSTFLAGS="--remap-path-prefix=$cargo_home=/cargo --remap-path-prefix=$root=/hpp"
export CFLAGS="-ffile-prefix-map=$cargo_home=/cargo -ffile-prefix-map=$root=/hpp"

# compile TARGET [GLIBC]: the commands into a prefix of the target's name, and what QEMU loads if there is a C library to load it with.
compile() {
    libraries=$("${RUSTC:-rustc}" --print target-libdir --target "$1")
    [ -n "$(find "$libraries" -name 'libstd-*' 2>/dev/null)" ] || {
        say "not built for $1, for which there is no standard library here; remedy: rustup target add $1"
        return 1
    }
    say "compiling for $1"
    lib=${2:+--lib}
    # shellcheck disable=SC2086 # a flag or none
    "$CARGO" zigbuild --quiet --locked --profile dist --target "$1${2:+.$2}" --bins $lib -p hpp -p hpp-gen ${2:+-p hpp-qemu}
    prefix=$work/$1
    mkdir -p "$prefix/bin"
    built=$CARGO_TARGET_DIR/$1/dist
    cp "$built/hpp" "$built/gen-verilog" "$prefix/bin"
    [ -z "$lib" ] || install -D "$built/libhpp_qemu.so" "$prefix/lib/hpp/libhpp_qemu.so"
}

# archive NAME FOLDER: FOLDER's files in a folder NAME, into dist.
archive() {
    tar -c --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX \
        --transform="s,^\.,$1," -C "$2" . | gzip -9n >"dist.draft/$1.tar.gz"
}

here=$(uname -m)
compile "$here-unknown-linux-gnu" 2.17
case $here in x86_64) there=aarch64 ;; *) there=x86_64 ;; esac
for target in "$there-unknown-linux-gnu 2.17" x86_64-unknown-linux-musl aarch64-unknown-linux-musl; do
    # shellcheck disable=SC2086 # a target, and perhaps a version
    compile $target || true
done

commands=$work/$here-unknown-linux-gnu/bin
hpp=$commands/hpp
gen_verilog=$commands/gen-verilog
share=$work/share
for folder in man/man1 bash-completion/completions zsh/site-functions fish/vendor_completions.d; do mkdir -p "$share/$folder"; done
"$gen_verilog" --man >"$share/man/man1/gen-verilog.1"
"$hpp" man >"$share/man/man1/hpp.1"
sed -n 's/^hpp\\-\([a-z]*\)(1)$/\1/p' "$share/man/man1/hpp.1" | grep -vx help | while read -r name; do
    "$hpp" man "$name" >"$share/man/man1/hpp-$name.1"
done
# completions SHELL FORM: of both commands; FORM has the command's name for %s.
completions() {
    # shellcheck disable=SC2059 # the form is one
    "$hpp" completions "$1" >"$share/$(printf "$2" hpp)"
    # shellcheck disable=SC2059
    "$gen_verilog" --completions "$1" >"$share/$(printf "$2" gen-verilog)"
}
completions bash bash-completion/completions/%s
completions zsh zsh/site-functions/_%s
completions fish fish/vendor_completions.d/%s.fish

for configuration in fpga/configurations/*.toml; do
    name=hpp-verilog-$version-$(basename "$configuration" .toml)
    "$gen_verilog" --config "$configuration" --out "$work/$name"
    cp LICENSE-APACHE LICENSE-MIT "$work/$name"
    archive "$name" "$work/$name"
done

for prefix in "$work"/*-unknown-linux-*; do
    target=$(basename "$prefix")
    cp -r "$share" "$prefix/share"
    case $target in
    *-gnu)
        machine=${target%%-*}
        HPP_PREFIX=$root/$prefix HPP_PLATFORM=manylinux_2_17_$machine.manylinux2014_$machine \
            python -m build --wheel --no-isolation --outdir dist.draft fpga/litex >"$work/wheel.log" 2>&1 || {
            cat "$work/wheel.log" >&2
            exit 1
        }
        ;;
    *)
        cp LICENSE-APACHE LICENSE-MIT "$prefix"
        archive "hpp-$version-$target" "$prefix"
        ;;
    esac
done

scripts/sbom.py hpp hpp-gen hpp-qemu >"dist.draft/hpp-$version.cdx.json"
(cd dist.draft && sha256sum -- *) >"$work/SHA256SUMS"
mv "$work/SHA256SUMS" dist.draft
rm -rf dist
mv dist.draft dist
ls -l dist >&2
