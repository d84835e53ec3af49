//! The triggers in the reference: each record, event and path in its cycle.

use super::super::pins::Access;
use super::super::pins::{Drive, Seen};
use hpp_golden::branch::BranchRecord;
use hpp_golden::config::Geometry;
use hpp_golden::profiler::register_file::lane_mask;
use hpp_golden::profiler::{BranchQueue, Offer, Triggers};
use hpp_golden::registers::TRIGGER_STATUS;

#[derive(Debug)]
pub struct TimedTriggers {
    triggers: Triggers,
    /// The values in this cycle and in the previous one.
    sights: [Triggers; 2],
    /// The awaited path completed in the previous cycle.
    completed: bool,
}

impl TimedTriggers {
    /// Triggers after reset, if the geometry has them.
    pub fn new(geometry: &Geometry) -> Option<Self> {
        let triggers = Triggers::new(geometry)?;
        Some(Self {
            triggers,
            sights: [triggers; 2],
            completed: false,
        })
    }

    /// An access that took effect in the cycle before `cycle`.
    pub fn access(&mut self, access: &Access) -> Result<(), String> {
        let offset = access.request.address * 4;
        let Some(value) = access.request.write else {
            let expected = self.sights[0].read(offset);
            return match access.data {
                Some(data) if data != expected => {
                    Err(format!("{data:#x}, the model reads {expected:#x}"))
                }
                _ => Ok(()),
            };
        };
        let mask = lane_mask(access.request.select);
        self.triggers.write(offset, value, mask);
        if offset == TRIGGER_STATUS.offset && self.completed {
            self.triggers.tell();
        }
        Ok(())
    }

    /// Clears the count of records rejected before this cycle.
    pub fn clear_counters(&mut self) {
        self.triggers.clear_counters();
    }

    /// Compares the pins of a cycle, after its accesses.
    pub fn compare(&mut self, cycle: u64, seen: &Seen) -> Result<(), String> {
        self.sights[1] = self.triggers;
        if seen.trigger_irq != self.triggers.reached() {
            return Err(format!(
                "trigger_irq is {} in cycle {cycle}, the model has {:?}",
                u8::from(seen.trigger_irq),
                self.triggers
            ));
        }
        Ok(())
    }

    pub fn offer(&mut self, queue: &mut BranchQueue, record: &BranchRecord) -> Offer {
        self.triggers.offer(queue, record)
    }

    /// The events of a cycle, after its record.
    pub fn end(&mut self, drive: &Drive, seen: &Seen) {
        self.triggers
            .signal(drive.trigger_start, drive.trigger_stop);
        self.completed = self.triggers.complete(u64::from(seen.path.is_some()));
        self.sights[0] = self.sights[1];
    }
}
