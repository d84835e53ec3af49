//! The pins of a verilated profiler except the bus: the signals of the core, the paths and the evicted entries.

use super::ingress::{Front, IngressPorts};
use super::pins::{Drive, Seen};
use super::random::Nonsense;
use hpp_golden::branch::BranchRecord;
use hpp_golden::path::{CompletedPath, PathDescriptor};
use hpp_golden::profiler::TableEntry;
use verilated::{Input, Model, pins};

#[derive(Debug, Clone)]
enum CorePins {
    /// Those of every profiler, and that of the context.
    Native(NativePins, Option<Input>),
    Other(IngressPorts),
}

pins! {
    NativePins {
        valid: input "br_valid",
        ready: output "br_ready",
        kind: input "br_kind",
        taken: input "br_taken",
        target: input "br_target",
        next: input "br_next",
        events: input "br_events",
    }
}

impl NativePins {
    /// Without a record each field is random or keeps its value, as `noise` says: a core that withdraws a record may leave
    /// its outputs as they were.
    #[inline]
    fn drive(
        &self,
        model: &mut Model,
        context: Option<Input>,
        record: Option<&BranchRecord>,
        noise: u64,
    ) {
        model.stage(self.valid, u64::from(record.is_some()));
        if record.is_none() && noise >> 63 == 1 {
            return;
        }
        let fields = match record {
            Some(record) => [
                u64::from(record.kind.code()),
                u64::from(record.taken),
                record.target,
                record.next,
                u64::from(record.events),
            ],
            None => [noise >> 3, noise >> 7, noise, !noise, noise >> 11],
        };
        let targets = [self.kind, self.taken, self.target, self.next, self.events];
        let stays = |field: usize| record.is_none() && noise >> (57 + field) & 1 == 1;
        for (field, (port, value)) in targets.into_iter().zip(fields).enumerate() {
            if !stays(field) {
                model.stage(port, value);
            }
        }
        if let Some(context) = context
            && !stays(targets.len())
        {
            // The record has the context above the address.
            let target = record.map_or(noise.rotate_left(29), |record| record.target);
            let address = model.input_width(self.target);
            model.stage(context, target >> address);
        }
    }
}

pins! {
    PathPins {
        clk: input "clk",
        rst: input "rst",
        valid: output "path_valid",
        start: output "path_start",
        length: output "path_length",
        outcomes: output "path_outcomes",
        count: output "path_count",
        event_select: output "event_select",
    }
}

pins! {
    DrainPins {
        ready: input "drain_ready",
        valid: output "drain_valid",
        start: output "drain_start",
        length: output "drain_length",
        outcomes: output "drain_outcomes",
        count: output "drain_count",
        irq: output "drain_irq",
    }
}

pins! {
    TriggerPins {
        start: input "trigger_start",
        stop: input "trigger_stop",
        irq: output "trigger_irq",
    }
}

/// The pins of a profiler except its bus.
#[derive(Debug, Clone)]
pub struct RecordPins {
    core: CorePins,
    paths: PathPins,
    drain: Option<DrainPins>,
    triggers: Option<TriggerPins>,
}

impl RecordPins {
    pub fn find(model: &Model) -> verilated::Result<Self> {
        let core = match Front::ports(model)? {
            Some(ports) => CorePins::Other(ports),
            None => CorePins::Native(NativePins::find(model)?, model.input("br_context").ok()),
        };
        Ok(Self {
            core,
            paths: PathPins::find(model)?,
            drain: DrainPins::find(model).ok(),
            triggers: TriggerPins::find(model).ok(),
        })
    }

    pub fn clk(&self) -> Input {
        self.paths.clk
    }

    /// Drives reset, the core's side, `drain_ready` and the trigger inputs. Inputs without a meaning in the cycle are
    /// driven with random values from `noise`.
    #[inline]
    pub fn drive(&self, model: &mut Model, drive: &Drive, noise: u64) {
        model.stage(self.paths.rst, u64::from(drive.reset));
        if let Some(drain) = &self.drain {
            model.stage(drain.ready, u64::from(drive.drain_ready));
        }
        if let Some(triggers) = &self.triggers {
            model.stage(triggers.start, u64::from(drive.trigger_start));
            model.stage(triggers.stop, u64::from(drive.trigger_stop));
        }
        match &self.core {
            CorePins::Native(pins, context) => {
                pins.drive(model, *context, drive.record.as_ref(), noise);
            }
            CorePins::Other(ports) => {
                let mut nonsense = Nonsense::new(noise);
                ports.drive(model, &drive.shown, drive.event_in, &mut nonsense);
            }
        }
    }

    /// Whether an ingress other than the native one stalls the core in the next cycle.
    pub fn stalls(&self, model: &Model) -> Option<bool> {
        match &self.core {
            CorePins::Native(..) => None,
            CorePins::Other(ports) => Some(model.get(ports.stall()) == 1),
        }
    }

    /// Samples the outputs in place, except those of a bus.
    #[inline]
    pub fn show(&self, model: &Model, seen: &mut Seen) {
        let get = |port| model.shown(port);
        let descriptor = |start, length, outcomes| PathDescriptor {
            start: get(start),
            length: get(length) as u32,
            outcomes: get(outcomes),
        };
        seen.ready = match &self.core {
            CorePins::Native(pins, _) => get(pins.ready) == 1,
            CorePins::Other(ports) => get(ports.stall()) == 0,
        };
        let paths = &self.paths;
        seen.path = (get(paths.valid) == 1).then(|| CompletedPath {
            descriptor: descriptor(paths.start, paths.length, paths.outcomes),
            count: get(paths.count) as u32,
        });
        seen.event_select = get(paths.event_select) as u8;
        if let Some(drain) = &self.drain {
            seen.drain_irq = get(drain.irq) == 1;
            seen.drain = (get(drain.valid) == 1).then(|| TableEntry {
                descriptor: descriptor(drain.start, drain.length, drain.outcomes),
                count: get(drain.count) as u32,
            });
        }
        seen.trigger_irq = (self.triggers).is_some_and(|triggers| get(triggers.irq) == 1);
    }
}
