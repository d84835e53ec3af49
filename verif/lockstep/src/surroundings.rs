//! What is at the other ports of a profiler: the consumer of its drain, and the event inputs of its triggers.

use super::random::Nonsense;

/// Cycles that a core may wait before the drain is emptied through its ports. No other reason takes as long.
const PATIENCE: u32 = 1000;

/// Cycles for which the consumer keeps its pace.
const SPELL: u32 = 64;

/// Takes entries in every cycle, in some cycles or in none, by turns. It ensures that a held core does not wait for ever.
#[derive(Debug, Default)]
pub struct DrainConsumer {
    noise: Nonsense,
    cycles: u32,
    pace: u64,
    waited: u32,
}

impl DrainConsumer {
    pub fn ready(&mut self) -> bool {
        if self.cycles.is_multiple_of(SPELL) {
            self.pace = [0, 16, 128, 256][self.noise.draw() as usize % 4];
        }
        self.cycles = self.cycles.wrapping_add(1);
        self.noise.draw() % 256 < self.pace
    }

    /// Ends a cycle in which a record waited or did not. Returns whether a record has waited too long.
    pub fn waited(&mut self, waits: bool) -> bool {
        self.waited = if waits { self.waited + 1 } else { 0 };
        let too_long = self.waited == PATIENCE;
        if too_long {
            self.waited = 0;
        }
        too_long
    }
}

/// Starts now and then and stops seldom, so that most records are profiled.
#[derive(Debug, Default)]
pub struct TriggerInputs {
    noise: Nonsense,
}

impl TriggerInputs {
    pub fn draw(&mut self) -> (bool, bool) {
        let noise = self.noise.draw() >> 20;
        (noise.is_multiple_of(8), noise >> 8 & 0x7f == 0)
    }
}
