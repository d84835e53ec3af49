//! RISC-V retirements as branch records: what the ingresses do.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`code`] | a program's instructions by address |
//! | [`decode`](mod@decode) | the control transfer an instruction makes |
//! | [`loops`] | the hardware loops that a run sets up |
//! | [`retirement`] | retirements that tell the address that follows to branch records |
//! | [`rvfi`] | the RVFI ingress: a record when the next instruction retires |
//! | [`retire`] | the ingress of a core's last stage: address, instruction, trap |
//! | [`trace`] | the ingress behind a trace interface: blocks with the type of their last instruction |
//! | [`buffer`] | records that wait to be taken |
//! | [`events_of()`] | what a cycle counts |
//! | [`x86`] | the control transfer that an x86-64 instruction makes, for what has no ingress: programs under an emulator |
//!
//! # Records
//!
//! [`decode()`] classifies an instruction (RV32 and RV64, compressed included) by the rules that the
//! ingress circuits follow too; [`Ingress`] turns retirements, in order, into branch records.
//!
//! # Calls and returns
//!
//! They are recognised by the link-register hints of the unprivileged ISA manual (section "Unconditional Jumps", the table
//! of return-address stack actions): a register is a link register if it is `x1` or `x5`.
//!
//! | instruction | `rd` link | `rs1` link | the manual's hint | kind |
//! | --- | --- | --- | --- | --- |
//! | `jal`, `c.j`, `c.jal` | no | | none | forward or backward |
//! | | yes | | push | call |
//! | `jalr`, `c.jr`, `c.jalr` | no | no | none | indirect |
//! | | no | yes | pop | return |
//! | | yes | no | push | indirect call |
//! | | yes | yes, `rd` ≠ `rs1` | pop, then push | indirect |
//! | | yes | yes, `rd` = `rs1` | push | indirect call |
//!
//! A coroutine switch (the row "pop, then push") is *indirect* because that is the kind whose operations on the path
//! stack are a pop and a push: the path of the coroutine that is left ends, one in the other coroutine begins, and
//! the stack stays as deep as the program's.
//!
//! # Other transfers
//!
//! - Direct branches and jumps are *backward* if the encoded offset is zero or negative.
//! - `uret`, `sret` and `mret` are *trap returns*. So is the former `hret`: the level is not looked at.
//! - `ecall` and `ebreak` make no record by themselves. The trap that they cause does.
//! - An encoding that the manual reserves makes no record.
//! - Extensions that share encodings with others, and those of vendors, are what [`decode::Extensions`] says.

pub mod buffer;
pub mod code;
pub mod decode;
mod events;
pub mod loops;
pub mod retire;
pub mod retirement;
pub mod rvfi;
pub mod trace;
pub mod x86;

pub use buffer::{Buffer, CycleRecords, Offer};
pub use code::{Instruction, ProgramCode, Transfer};
pub use decode::{Extensions, Vendor, Xlen, Zcm, decode, decode_as, decode_shown};
pub use events::events_of;
pub use loops::{LoopSetup, Loops};
pub use retire::{LastStage, Retire};
pub use retirement::{Ingress, Retirement};
pub use rvfi::{Rvfi, RvfiNext};
pub use trace::{Block, Trace, TraceForm};
