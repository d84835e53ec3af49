//! Ingresses: circuits that turn the signals of a core's last stage into branch records.
//!
//! ```text
//!   core's ports ---> [ decode, hold until the target is known ] ---> [ buffer ] ---> records
//! ```
//!
//! | circuit | input |
//! | --- | --- |
//! | [`NativeIngress`] | branch records that the core makes itself |
//! | [`RvfiIngress`] | retirements on a RISC-V Formal Interface |
//! | [`RetireIngress`] | address and instruction at retirement, and traps |
//! | [`TraceIngress`] | blocks on the interface to a trace encoder |

mod buffer;
mod events;
mod native;
mod retire;
mod riscv;
mod rvfi;
mod trace;

pub use buffer::{RecordBuffer, SlotMemory};
pub use events::{EventChoice, EventSum};
pub use native::NativeIngress;
pub use retire::RetireIngress;
pub use riscv::InstructionClass;
pub use rvfi::{DirectTarget, RvfiChannel, RvfiIngress, RvfiState};
pub use trace::TraceIngress;
