//! The numbers of the Linux system calls that matter here.
//!
//! Source: Linux, `arch/x86/entry/syscalls/syscall_64.tbl` and `include/uapi/asm-generic/unistd.h`.

use hpp_explore::trace::Isa;

/// The system calls of programs for an instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Calls(pub Isa);

impl Calls {
    /// Whether it is to replace the program by another: `execve` and `execveat`.
    pub const fn replaces(self, number: i64) -> bool {
        match self.0 {
            Isa::X86_64 => matches!(number, 59 | 322),
            Isa::Riscv32 | Isa::Riscv64 => matches!(number, 221 | 281),
        }
    }

    /// Whether it begins a thread, given its first argument: `clone` that shares memory but does not wait as `vfork` does, and `clone3`.
    pub const fn begins_thread(self, number: i64, first: u64) -> bool {
        const SHARES_MEMORY: u64 = 0x100;
        const WAITS: u64 = 0x4000;
        let clone = match self.0 {
            Isa::X86_64 => 56,
            Isa::Riscv32 | Isa::Riscv64 => 220,
        };
        number == 435 || number == clone && first & (SHARES_MEMORY | WAITS) == SHARES_MEMORY
    }

    /// Where the path of the program stands among the arguments of a call that [replaces](Self::replaces) the program; arguments and environment
    /// come after it.
    pub const fn path_of_program(self, number: i64) -> usize {
        match (self.0, number) {
            (Isa::X86_64, 322) | (Isa::Riscv32 | Isa::Riscv64, 281) => 1,
            _ => 0,
        }
    }

    /// Whether it sets what handles a signal: `rt_sigaction`.
    pub const fn sets_handler(self, number: i64) -> bool {
        match self.0 {
            Isa::X86_64 => number == 13,
            Isa::Riscv32 | Isa::Riscv64 => number == 134,
        }
    }

    /// Whether it leaves the handler of a signal: `rt_sigreturn`.
    pub const fn leaves_handler(self, number: i64) -> bool {
        match self.0 {
            Isa::X86_64 => number == 15,
            Isa::Riscv32 | Isa::Riscv64 => number == 139,
        }
    }
}
