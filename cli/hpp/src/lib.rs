//! What the command `hpp` reads: registers of a profiler on a board, waveforms, and logs of execution.

#![forbid(unsafe_code)]

pub mod etrace;
pub mod link;
pub mod log;
pub mod waveform;
