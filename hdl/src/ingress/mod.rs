//! Ingresses: from the signals of a core's last stage to branch records.
//!
//! ```text
//!   the core's ports ---> [ what becomes known ] ---> [ buffer ] ---> records
//! ```
//!
//! | circuit | the core shows |
//! | --- | --- |
//! | [`NativeIngress`] | branch records of its own |
//! | [`RvfiIngress`] | retirements on a RISC-V Formal Interface |
//! | [`RetireIngress`] | address and instruction of what retires, and traps |
//! | [`TraceIngress`] | blocks on the interface to a trace encoder |

mod buffer;
mod events;
mod native;
mod retire;
mod riscv;
mod rvfi;
mod trace;

pub use buffer::{RecordBuffer, SlotMemory};
pub use events::{EventChoice, EventSum, RecordEvents};
pub use native::NativeIngress;
pub use retire::RetireIngress;
pub use riscv::InstructionClass;
pub use rvfi::{DirectTarget, RvfiChannel, RvfiIngress, RvfiState};
pub use trace::{BlockEnd, TraceIngress};
