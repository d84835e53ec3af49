//! What the command `hpp` reads: registers of a profiler on a board, and waveforms.

#![forbid(unsafe_code)]

pub mod link;
pub mod waveform;
