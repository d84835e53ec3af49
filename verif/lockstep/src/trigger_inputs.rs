//! The event inputs of the triggers.

use super::record_pins::Nonsense;

/// Starts now and then and stops seldom, so that most records are profiled.
#[derive(Debug, Default)]
pub struct TriggerInputs {
    noise: Nonsense,
}

impl TriggerInputs {
    /// `trigger_start` and `trigger_stop` in this cycle.
    pub fn draw(&mut self) -> (bool, bool) {
        let noise = self.noise.draw() >> 20;
        (noise.is_multiple_of(8), noise >> 8 & 0x7f == 0)
    }
}
