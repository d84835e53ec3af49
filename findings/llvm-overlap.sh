#!/bin/sh
# llvm-profdata 19.1.7 (Debian 12: llvm-19), `overlap` of two profiles of the same program, the second with every count doubled, and of two with shares that differ:
# - Of instrumented profiles the overlap is 100 %, as in the literature: the sum of the smaller of two shares. Of sample profiles (`--sample`) the *sample overlap*
#   is 50 %: the sum of the smaller counts, divided by that of the larger ones. We had expected one measure under one name.
# - What it calls *profile similarity* is the overlap of the literature: 100 % above, and 50 % of 25 and 75 % against 75 and 25 %, where the sample overlap is
#   33.333 %. So the sample overlap of a profile and one of twice the run is 50 %.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -qq download llvm-19 libllvm19 libedit2 libbsd0 libmd0 libz3-4 libxml2 libicu72 libffi8 libtinfo6 libzstd1 2>/dev/null
for package in *.deb; do
    dpkg -x "$package" root
done
export LD_LIBRARY_PATH="$folder/root/usr/lib/x86_64-linux-gnu:$folder/root/usr/lib/llvm-19/lib"
profdata=root/usr/lib/llvm-19/bin/llvm-profdata
$profdata --version | grep 'LLVM version 19\.1\.7'
printf 'foo\n1\n2\n%s\n%s\n\n' 300 100 >once.proftext
printf 'foo\n1\n2\n%s\n%s\n\n' 600 200 >twice.proftext
printf 'foo:400:1\n 1: %s\n 2: %s\n' 300 100 >once.txt
printf 'foo:800:2\n 1: %s\n 2: %s\n' 600 200 >twice.txt
printf 'foo:400:1\n 1: %s\n 2: %s\n' 100 300 >other.txt
for profile in once twice; do
    $profdata merge $profile.proftext -o $profile.profdata
done
# share NAME: the percentage on the line of this name.
share() {
    sed -n "s/^ *$1: \([0-9.]*\)%.*/\1/p" | head -n 1
}
$profdata overlap once.profdata twice.profdata >instrumented
$profdata overlap --sample once.txt twice.txt >sampled
$profdata overlap --sample once.txt other.txt >different
seen="$(share 'Edge profile overlap' <instrumented)
$(share 'Whole program sample overlap' <sampled) $(share 'Whole program profile similarity' <sampled)
$(share 'Whole program sample overlap' <different) $(share 'Whole program profile similarity' <different)"
echo "doubled, instrumented: overlap; doubled, sampled: overlap, similarity; other shares: overlap, similarity"
echo "$seen"
[ "$seen" = "100.000
50.000 100.000
33.333 50.000" ]
