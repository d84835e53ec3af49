#!/bin/sh
# gcov-tool 12.2.0 (Debian 12: gcc-12), `overlap` of the counts of a program that gcc 12.2.0 compiles with `--coverage`:
# - Of a profile with itself the overlap is 0.00 %, and the shares of both profiles are `inf%`. So it is with one of twice the run, and with one of other shares. We had
#   expected 100 %, 100 % and something between: the sum over all counters of the smaller of two shares, as its manual has it.
# - The counts are there, and `gcov-tool merge` adds them up: 250 and 500 calls are 750. A file's summary has the number of runs and the largest count (`gcov-dump -l`),
#   and not the sum that shares need. The exit status is 1 for all three, and no message says why.
# So who asks how alike two runs are is told that they have nothing in common.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -qq download gcc-12 cpp-12 libgcc-12-dev libgcc-s1 binutils-x86-64-linux-gnu libbinutils libctf0 libctf-nobfd0 libisl23 libmpc3 libmpfr6 libjansson4 libc6 libc6-dev linux-libc-dev 2>/dev/null
for package in *.deb; do
    dpkg -x "$package" root
done
mkdir bin
for tool in as ld; do
    ln -s "$folder/root/usr/bin/x86_64-linux-gnu-$tool" bin/$tool
done
libraries="$folder/root/usr/lib/x86_64-linux-gnu"
run() {
    LD_LIBRARY_PATH="$libraries" "$@"
}
run root/usr/bin/gcov-tool-12 --version | grep -m 1 ' 12\.2\.0$'
cat >program.c <<'C'
#include <stdlib.h>
volatile int x;
__attribute__((noinline)) void up(void) { x++; }
__attribute__((noinline)) void down(void) { x--; }
int main(int count, char **words) {
    int ups = atoi(words[1]), runs = atoi(words[2]);
    for (int i = 0; i < runs; i++)
        if (i % 100 < ups) up();
        else down();
    return count == 0;
}
C
run root/usr/bin/gcc-12 -B"$folder/bin/" -B"$folder/root/usr/lib/gcc/x86_64-linux-gnu/12/" --sysroot="$folder/root" --coverage -o program program.c
for profile in "25 1000 first" "25 2000 twice" "75 1000 other"; do
    rm -f ./*.gcda
    # shellcheck disable=SC2086 # three words
    set -- $profile
    ./program "$1" "$2"
    mkdir "$3"
    mv ./*.gcda "$3/"
done
for second in first twice other; do
    run root/usr/bin/gcov-tool-12 overlap -o first $second >said 2>wrong && exit 1
    [ ! -s wrong ]
    echo "first and $second: $(grep SUM said)"
    grep -q 'SUM: *overlap = *0\.00% *( *inf% *inf%)' said
done
run root/usr/bin/gcov-tool-12 merge first twice -o merged
run root/usr/bin/gcov-dump-12 -l merged/program.gcda >dump
grep -A 1 'COUNTERS arcs 1 counts' dump
grep 'OBJECT_SUMMARY runs=2, sum_max=[0-9]*$' dump
grep -q ': 750 *$' dump
