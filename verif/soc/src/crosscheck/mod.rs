//! The cross-check: hardware paths against software paths of the same run.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`software`] | a software path profiler that follows branch records through the graphs of a program |
//! | [`agreement`] | its paths against those of the path stack |
//! | [`emitted`] | the paths of the emitted Verilog against those of the path stack, in every mode |

pub mod agreement;
pub mod emitted;
pub mod software;

pub use agreement::{AgreedPath, Disagreement, cross_check};
pub use emitted::{MODES, Mode, check_emitted};
