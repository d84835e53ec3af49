#!/bin/sh
# Frida 17.26.2 (PyPI: frida), Stalker with `events: { call: true }`, on a program of x86-64 that zig 0.17.1 (PyPI: ziglang) compiles:
# - Of 1,000 calls in a row all come. Of 300,000 calls some 16,000 come: as many as the queue holds by default (`queueCapacity`, 16,384). What does not fit until the
#   queue is emptied, every 250 ms, is dropped.
# - Neither `onReceive` nor `flush` nor the script's messages say so. We had expected an event, an error or a number of what was lost.
# So a profile that is made of these events is that of the first moments of each quarter of a second, with nothing to tell it from a whole one.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target packages frida==17.26.2 ziglang==0.17.1
cat >program.c <<'C'
#include <stdio.h>
#include <stdlib.h>
volatile int sink;
__attribute__((noinline)) void leaf(int x) { sink += x; }
__attribute__((noinline)) void work(int n) {
    for (int i = 0; i < n; i++) leaf(i);
}
int main(int argc, char **argv) {
    getchar();
    work(atoi(argv[argc - 1]));
    puts("done");
    fflush(stdout);
    getchar();
}
C
export ZIG_GLOBAL_CACHE_DIR="$folder/cache" ZIG_LOCAL_CACHE_DIR="$folder/cache"
packages/ziglang/zig cc -O1 -rdynamic -o program program.c
PYTHONPATH=packages timeout 120 python3 - <<'P'
import subprocess

import frida

SCRIPT = """
const leaf = Process.mainModule.getExportByName('leaf');
let calls = 0;
Interceptor.attach(Process.mainModule.getExportByName('work'), {
  onEnter() {
    Stalker.follow({
      events: { call: true },
      onReceive(events) { for (const [, , target] of Stalker.parse(events, { annotate: true })) if (target.equals(leaf)) calls++; }
    });
  },
  onLeave() { Stalker.unfollow(); }
});
rpc.exports = { calls() { Stalker.flush(); return calls; } };
"""


def calls(of):
    """How many calls Stalker shows, and all that the script says."""
    said = []
    program = subprocess.Popen(["./program", str(of)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    script = frida.attach(program.pid).create_script(SCRIPT)
    script.on("message", lambda message, _: said.append(message))
    script.load()
    program.stdin.write(b"\n")
    program.stdin.flush()
    assert program.stdout.readline() == b"done\n"
    shown = script.exports_sync.calls()
    program.stdin.close()
    program.wait()
    return shown, said


few, many = calls(1000), calls(300_000)
print(f"Frida {frida.__version__}: {few[0]} of 1000 calls, {many[0]} of 300000; messages: {few[1] + many[1]}")
assert few == (1000, []) and 1000 < many[0] < 150_000 and many[1] == []
P
