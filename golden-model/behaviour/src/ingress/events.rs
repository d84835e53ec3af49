//! The events of a record, and the event types that software can select.

/// The events of one cycle, by the selected event type: 1 if cycles are counted (type 0); the `instructions` that retire in it (type 1); the number
/// at the first input (type 2), the second (type 3), and so on. A type beyond the last input selects the last.
///
/// The cycles between two retirements count for the later one. So the time of a path begins with the retirement of the branch before it and ends with
/// the retirement of its own last branch.
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
