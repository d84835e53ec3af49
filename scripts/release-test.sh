#!/bin/sh
# release-test.sh: what `make release` wrote, where there is no Rust and no compiler: in an unpacked Debian 12 with Python, Icarus Verilog and QEMU (kept in
# .tools/bare), installs the wheel, generates a profiler, simulates it, reports on a profile, profiles a program under QEMU, and says how long each took.
# No root is needed, but a kernel that lets users have namespaces of their own.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
say() { printf 'release-test: %s\n' "$*" >&2; }
die() {
    say "$1"
    say "remedy: $2"
    exit 1
}

wheel=$(echo dist/hpp_profiler-*"_$(uname -m).whl")
[ -f "$wheel" ] || die "no wheel for this machine in dist" "make release"
(cd dist && sha256sum --quiet --check SHA256SUMS) || die "dist is not what was written" "make release"
unshare --user --map-root-user --mount true 2>/dev/null ||
    die "this user cannot have namespaces of its own" "sysctl kernel.unprivileged_userns_clone=1, or run as root"

bare=$root/.tools/bare
if [ ! -e "$bare/usr/bin/python3" ]; then
    work=$bare.fetching
    rm -rf "$work"
    mkdir -p "$work/tree"
    suite=bookworm
    apt=$work/apt
    arch=$(dpkg --print-architecture)
    . "$root/scripts/apt-suite.sh"
    say "unpacking Debian 12 with Python, Icarus Verilog and QEMU into .tools/bare (90 MB to fetch)"
    apt_suite_update deb
    apt_suite install --download-only --no-install-recommends -y '?essential' python3-venv iverilog qemu-user
    for folder in bin sbin lib lib64; do
        mkdir -p "$work/tree/usr/$folder"
        ln -s "usr/$folder" "$work/tree/$folder"
    done
    for package in "$apt"/cache/archives/*.deb; do
        dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink --no-same-owner -C "$work/tree"
    done
    rm -rf "$bare"
    mv "$work/tree" "$bare"
    rm -rf "$work"
fi
for tool in cc gcc cargo rustc; do
    [ ! -e "$bare/usr/bin/$tool" ] || die "$bare has $tool" "remove the folder"
done

rm -rf "$bare/try"
mkdir -p "$bare/try" "$bare/dev" "$bare/proc" "$bare/tmp"
cp "$wheel" cli/hpp/tests/profiles/fixture/words.* "$bare/try"
cat >"$bare/try/steps" <<'END'
set -eu
cd /try
export HOME=/try PATH=/try/venv/bin:/usr/bin:/bin
milliseconds() { echo $(($(date +%s%N) / 1000000)); }
# step NAME COMMAND...: what it printed is in NAME.log.
step() {
    name=$1
    shift
    before=$(milliseconds)
    "$@" >"$name.log" 2>&1 || { cat "$name.log" && exit 1; }
    echo "$name: $(($(milliseconds) - before)) ms"
}
# says NAME TEXT: the step has printed it.
says() { grep -q -- "$2" "$1.log" || { cat "$1.log" && echo "no '$2' in it" && exit 1; }; }
step venv python3 -m venv venv
step install pip install --no-index --disable-pip-version-check ./*.whl
step generate gen-verilog --out hpp
step compile iverilog -g2012 -o bench hpp/hpp.v hpp/hpp_tb.sv
step simulate vvp bench
says simulate 'hpp_tb: passed'
step report hpp report words.txt --elf words.elf --top 3
says report main
step trace hpp trace --top 3 -- /usr/bin/seq 1000
says trace 'overlap with the exact profile'
step uninstall pip uninstall --yes hpp-profiler
[ ! -e venv/lib/hpp ] || [ -z "$(ls venv/lib/hpp)" ]
END
# shellcheck disable=SC2016 # $1 is that of the shell inside
unshare --user --map-root-user --mount sh -ec 'mount --rbind /dev "$1/dev"; mount --rbind /proc "$1/proc"; exec chroot "$1" /bin/sh /try/steps' sh "$bare"
rm -rf "$bare/try"
