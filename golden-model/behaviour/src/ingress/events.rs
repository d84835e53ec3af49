//! The events of a record, and the event types that software can select.

/// What a cycle counts, by the event type selected: 1 for cycles (type 0), the `instructions` that retire in it (1), or what an
/// input adds (2 for the first; types beyond the last input are the last).
///
/// Cycles are those since the record before. All cycles between two retirements go to the later, so a path has the time from the retirement of the
/// branch before it to that of its own last.
///
/// ```
/// use hpp_golden::ingress::events_of;
///
/// let (instructions, inputs) = (2, [5, 7]);
/// let counted = [0, 1, 2, 3, 4].map(|select| events_of(select, instructions, &inputs));
/// assert_eq!(counted, [1, 2, 5, 7, 7]);
/// ```
pub fn events_of(select: u8, instructions: u32, inputs: &[u32]) -> u32 {
    match select {
        0 => 1,
        1 => instructions,
        external => {
            let input = inputs.get(usize::from(external) - 2).or(inputs.last());
            input.copied().unwrap_or(0)
        }
    }
}

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

    pub(crate) fn add(&mut self, events: u32) {
        self.count = self.count.saturating_add(events).min(self.maximum);
    }

    /// What was counted; counting begins anew.
    pub(crate) fn take(&mut self) -> u32 {
        core::mem::take(&mut self.count)
    }
}
