#!/bin/sh
# rv-profile 0.2.2 (PyPI; flame graphs of RISC-V programs from waveforms of a core) with wal-lang 0.8.2 (PyPI), on a recording of PicoRV32 (PyPI:
# pythondata-cpu-picorv32 1.0.post218) under Icarus Verilog 11.0 (Debian 12: iverilog); zig 0.17.1 (PyPI: ziglang) compiles one program for RV32I and for RV32IC.
# - Of RV32I it has not one stack, and says nothing: it writes an empty file. A return is the word 8082 to it, so the `ret` of four bytes, 00008067, ends no
#   function. We had expected the stacks of RV32IC with other numbers of cycles, as its page asks for the clock, the address and the word of a core alone.
# - Of RV32IC, five nested calls of a recursive function are five in a row, at one depth. We had expected them in each other.
# So cycles are missing, or stand at another depth, in a profile of code that has returns of four bytes among those of two.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target packages ziglang==0.17.1 lark==1.3.1 six==1.17.0
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target packages --no-deps rv-profile==0.2.2 wal-lang==0.8.2 \
    pythondata-cpu-picorv32==1.0.post218
apt-get -qq download iverilog binutils-riscv64-linux-gnu libbinutils 2>/dev/null
for package in *.deb; do
    dpkg -x "$package" root
done
export LD_LIBRARY_PATH="$folder/root/usr/lib/x86_64-linux-gnu" RISCV_PREFIX="$folder/root/usr/bin/riscv64-linux-gnu-"
cat >program.c <<'C'
static volatile int sink;
__attribute__((noinline)) int leaf(int x) { for (int i = 0; i < 10; i++) sink += x; return x + 1; }
__attribute__((noinline)) int twice(int x) { return leaf(x) + leaf(x + 1); }
__attribute__((noinline)) int recursive(int n) { int r = n < 2 ? 1 : n + recursive(n - 1) * 2; sink += 1; return r; }
int main(void) { return twice(3) + recursive(5) + leaf(7); }
__attribute__((naked, noreturn, section(".text.first"))) void _start(void) { __asm__ volatile("lui sp, 0x20\n call main\n ebreak"); }
C
cat >program.ld <<'L'
SECTIONS {
  . = 0x10000;
  .text : { *(.text.first) *(.text .text.*) }
  .data : { *(.data*) *(.bss*) *(.sdata*) *(.sbss*) }
  /DISCARD/ : { *(.eh_frame*) }
}
L
cat >bench.v <<'V'
module bench;
  reg clk = 0, resetn = 0;
  reg [31:0] memory [0:32767];
  wire valid, retires, trap;
  reg ready = 0;
  wire [3:0] lanes;
  wire [31:0] address, written, insn, pc;
  reg [31:0] word;
  reg [63:0] mcycle = 0;
  integer lane;
  picorv32 #(.PROGADDR_RESET(32'h10000), .COMPRESSED_ISA(`COMPRESSED)) core (
    .clk(clk), .resetn(resetn), .trap(trap), .mem_valid(valid), .mem_ready(ready), .mem_addr(address), .mem_wdata(written), .mem_wstrb(lanes), .mem_rdata(word),
    .rvfi_valid(retires), .rvfi_insn(insn), .rvfi_pc_rdata(pc));
  always #5 clk = !clk;
  always @(posedge clk) begin
    mcycle <= mcycle + 1;
    ready <= valid && !ready;
    word <= memory[address[16:2]];
    for (lane = 0; lane < 4; lane = lane + 1)
      if (valid && !ready && lanes[lane]) memory[address[16:2]][8 * lane +: 8] <= written[8 * lane +: 8];
    if (trap) $finish;
  end
  initial begin
    $readmemh(`PROGRAM, memory, 16384);
    $dumpfile("run.vcd");
    $dumpvars(1, bench);
    #20 resetn = 1;
  end
endmodule
V
cat >core.wal <<'W'
(alias pc bench.pc)
(alias instr bench.insn)
(alias mcycle bench.mcycle)
(defun fire [] (&& bench.clk bench.retires))
W
export ZIG_GLOBAL_CACHE_DIR="$folder/cache" ZIG_LOCAL_CACHE_DIR="$folder/cache"
for isa in rv32 rv32+c; do
    case $isa in *+c) compressed=1 ;; *) compressed=0 ;; esac
    packages/ziglang/zig cc --target=riscv32-freestanding-none -mcpu=generic_$isa -O1 -fno-unroll-loops -nostdlib -static -T program.ld -o program program.c
    packages/ziglang/zig objcopy -O binary program program.bin
    python3 -c 'import struct, sys; text = open("program.bin", "rb").read(); text += bytes(-len(text) % 4); print(*("%08x" % word for word in struct.unpack("<%dI" % (len(text) // 4), text)))' >program.hex
    root/usr/bin/iverilog -B root/usr/lib/x86_64-linux-gnu/ivl -DRISCV_FORMAL -DCOMPRESSED=$compressed '-DPROGRAM="program.hex"' -o bench bench.v \
        packages/pythondata_cpu_picorv32/verilog/picorv32.v
    root/usr/bin/vvp -M root/usr/lib/x86_64-linux-gnu/ivl bench >said 2>&1 || { cat said; exit 1; }
    PYTHONPATH=packages python3 -c 'from rv_profile.rv_profile import riscv_profile_main as main; main("program", "run.vcd", "core", "stacks", 0)'
    mv stacks "stacks.$isa"
    "${RISCV_PREFIX}objdump" -d program | grep -c 'ret$' >"returns.$isa"
    grep -c 'b[01]* ' run.vcd >"changes.$isa"
done
cat stacks.rv32+c
echo "RV32I: $(wc -l <stacks.rv32) stacks of a program with $(cat returns.rv32) returns, $(cat changes.rv32) changes in its recording"
[ "$(cat returns.rv32)" -eq 4 ] && [ "$(cat changes.rv32)" -gt 1000 ]
[ ! -s stacks.rv32 ]
[ "$(sed 's/ [0-9]*$//' stacks.rv32+c)" = '_start;main
_start;main;twice
_start;main;twice;leaf
_start;main;twice;leaf
_start;main;recursive
_start;main;recursive
_start;main;recursive
_start;main;recursive
_start;main;recursive
_start;main;leaf' ]
