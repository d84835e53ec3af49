//! The cross-check: hardware paths against software paths of the same run.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`software`] | a software path profiler that follows branch records through the graphs of a program |
//! | [`agreement`] | its paths against those of the path stack |
//! | [`emitted`] | the paths of the emitted Verilog against those of the path stack, in every mode |
//! | [`interesting`] | the hottest paths under the numberings made for few paths |
//! | [`programs`] | real programs, recorded and checked |

pub mod agreement;
pub mod emitted;
pub mod interesting;
pub mod programs;
pub mod software;

pub use agreement::{Agreement, Disagreement, cross_check};
pub use emitted::{Emitted, MODES, Mode, check_emitted};
pub use interesting::{HotFunction, check_interesting};
pub use programs::{Checked, HOT_SHARE, Recording, check, check_modes, record, record_elf};
