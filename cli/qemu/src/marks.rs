//! What every thread of QEMU's process sees of the run.

use core::sync::atomic::AtomicBool;

/// Whether records are taken: not in child processes.
pub(crate) static RECORDING: AtomicBool = AtomicBool::new(false);
/// Whether a hart came to the limit.
pub(crate) static LIMITED: AtomicBool = AtomicBool::new(false);
/// Whether the program asked to be replaced by another one. If it is, nothing comes after that.
pub(crate) static REPLACING: AtomicBool = AtomicBool::new(false);
