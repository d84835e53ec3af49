//! The drawings of the manual: timing diagrams from simulations, and the overview of the architecture.

pub mod overview;
pub mod waveform;
