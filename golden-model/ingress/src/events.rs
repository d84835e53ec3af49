//! The events of a record.

/// Counts up to `maximum` and stays there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EventCounter {
    count: u32,
    maximum: u32,
}

impl EventCounter {
    /// A counter of `event_bits` (1 to 32) bits.
    pub(crate) fn new(event_bits: u32) -> Self {
        assert!(
            (1..=32).contains(&event_bits),
            "event counters have 1 to 32 bits, not {event_bits}"
        );
        Self {
            count: 0,
            maximum: u32::MAX >> (32 - event_bits),
        }
    }

    /// That many events more.
    pub(crate) fn add(&mut self, events: u32) {
        self.count = self.count.saturating_add(events).min(self.maximum);
    }

    /// What was counted; counting begins anew.
    pub(crate) fn take(&mut self) -> u32 {
        core::mem::take(&mut self.count)
    }
}
