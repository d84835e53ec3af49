#!/bin/sh
# Clang 19.1.7 (Debian 12: clang-19), `-O2 -fprofile-generate` and `-fprofile-use`, on a procedure that calls another one, which leaves it by `longjmp` three times of four.
# - The procedure was entered 1,000 times. Its entry count is 350.
# - A choice before the call went 500 times one way and 500 times the other. Its weights are 500 and 0, without a warning: what was not counted itself is derived from
#   what left the procedure by its end. We had expected 500 and 500.
# - Of a branch, which stays a branch because its sides call procedures, the weights are 500 and 500.
# So the compiler takes a choice that is even for one that always goes the same way. Edge counts that are derived from others need the calls that do not return.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -qq download clang-19 libclang-rt-19-dev libclang-cpp19 libclang-common-19-dev libllvm19 llvm-19 libedit2 libbsd0 libmd0 libz3-4 libxml2 libicu72 libffi8 \
    libtinfo6 libzstd1 2>/dev/null
for package in *.deb; do
    dpkg -x "$package" root
done
export LD_LIBRARY_PATH="$folder/root/usr/lib/x86_64-linux-gnu:$folder/root/usr/lib/llvm-19/lib"
llvm=root/usr/lib/llvm-19
compile="$llvm/bin/clang -resource-dir $folder/$llvm/lib/clang/19 -O2 -fno-inline"
$llvm/bin/clang --version | grep -m 1 'version 19\.1\.7'
cat >program.c <<'C'
#include <setjmp.h>
static jmp_buf outside;
static volatile int sink;
static void even(void) { sink += 1; }
static void odd(void) { sink += 2; }
static void leave(int n) { if (n % 4) longjmp(outside, 1); }
int chooses(int n) {
    int one;
    if (n & 1) { sink += 1; one = 1; } else { sink += 2; one = 2; }
    leave(n);
    if (n & 4) { sink += 3; one += 5; } else { sink += 4; one += 6; }
    return one;
}
void branches(int n) {
    if (n & 1) odd(); else even();
    leave(n);
    sink += 3;
}
int main(void) {
    for (volatile int i = 0; i < 1000; i++)
        if (!setjmp(outside)) chooses(i);
    for (volatile int i = 0; i < 1000; i++)
        if (!setjmp(outside)) branches(i);
}
C
$compile -fprofile-generate=. -o program program.c
LLVM_PROFILE_FILE=program.profraw ./program
$llvm/bin/llvm-profdata merge -o program.profdata program.profraw
$compile -fprofile-use=program.profdata -S -emit-llvm -o program.ll program.c 2>said
[ ! -s said ] || { cat said; exit 1; }
python3 - <<'P'
import re

text = open("program.ll").read()
weights = dict(re.findall(r'^(!\d+) = !\{!"(?:branch_weights|function_entry_count)", (.*)\}$', text, re.M))


def numbers(name):
    """The entry count of a function, and the weights of its first choice."""
    head, body = re.search(rf"^define [^\n]*@{name}\(([^\n]*)\n(.*?)^}}", text, re.M | re.S).groups()
    of = [re.search(r"!prof (!\d+)", part)[1] for part in (head, re.search(r"^.* (?:select|br) i1 .*$", body, re.M)[0])]
    return [[int(number) for number in re.findall(r"i(?:32|64) (\d+)", weights[place])] for place in of]


for name in ("chooses", "branches"):
    print(f"{name}: entry count, weights of the first choice: {numbers(name)}")
assert numbers("chooses") == [[350], [500, 0]]
assert numbers("branches")[1] == [500, 500]
P
