//! The pins of a verilated profiler except the bus: the signals of the core, the paths and the evicted entries.

use super::ingress::{Front, IngressPorts};
use super::pins::{Drive, Seen};
use hpp_golden::branch::BranchRecord;
use hpp_golden::path::{CompletedPath, PathDescriptor};
use hpp_golden::profiler::TableEntry;
use verilated::{Input, Model, Output};

/// Access to inputs and outputs: of a model between two evaluations, or of a whole cycle.
pub trait Wires {
    /// Drives an input with the low bits of a value.
    fn put(&mut self, port: Input, value: u64);
    /// The value of an output.
    fn get(&self, port: Output) -> u64;
    /// The model, to set inputs of any width.
    fn model(&mut self) -> &mut Model;
}

impl Wires for Model {
    fn put(&mut self, port: Input, value: u64) {
        self.set_low(port, value);
    }

    fn get(&self, port: Output) -> u64 {
        Model::get(self, port)
    }

    fn model(&mut self) -> &mut Model {
        self
    }
}

/// The wires of [`Model::cycle_staged`].
pub struct Staged<'a>(pub &'a mut Model);

impl Wires for Staged<'_> {
    #[inline]
    fn put(&mut self, port: Input, value: u64) {
        self.0.stage(port, value);
    }

    #[inline]
    fn get(&self, port: Output) -> u64 {
        self.0.shown(port)
    }

    fn model(&mut self) -> &mut Model {
        self.0
    }
}

/// The pins of the core's side.
#[derive(Debug, Clone)]
enum CorePins {
    Native(NativePins),
    Other(IngressPorts),
}

/// The pins of the native ingress.
#[derive(Debug, Clone, Copy)]
struct NativePins {
    br_valid: Input,
    br_ready: Output,
    br_kind: Input,
    br_taken: Input,
    br_target: Input,
    br_next: Input,
    /// The context input, and the number of address bits below it in a record's target.
    br_context: Option<(Input, u32)>,
    br_events: Input,
}

impl NativePins {
    fn find(model: &Model) -> verilated::Result<Self> {
        let br_target = model.input("br_target")?;
        let address = model.input_width(br_target);
        let br_context = model.input("br_context").ok();
        Ok(Self {
            br_valid: model.input("br_valid")?,
            br_ready: model.output("br_ready")?,
            br_kind: model.input("br_kind")?,
            br_taken: model.input("br_taken")?,
            br_target,
            br_next: model.input("br_next")?,
            br_context: br_context.map(|context| (context, address)),
            br_events: model.input("br_events")?,
        })
    }

    /// Without a record its fields are driven with `noise`, or some or all of them keep their values. The latter is
    /// what a core does that withdraws a record and leaves its wires alone.
    #[inline]
    fn drive(&self, wires: &mut impl Wires, record: Option<&BranchRecord>, noise: u64) {
        wires.put(self.br_valid, u64::from(record.is_some()));
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
        let targets = [
            self.br_kind,
            self.br_taken,
            self.br_target,
            self.br_next,
            self.br_events,
        ];
        let stays = |field: usize| record.is_none() && noise >> (57 + field) & 1 == 1;
        for (field, (port, value)) in targets.into_iter().zip(fields).enumerate() {
            if !stays(field) {
                wires.put(port, value);
            }
        }
        if let Some((context, address)) = self.br_context
            && !stays(targets.len())
        {
            // The record has the context above the address.
            let target = record.map_or(noise.rotate_left(29), |record| record.target);
            wires.put(context, target >> address);
        }
    }
}

/// Clock, reset, the core's side and paths.
#[derive(Debug, Clone)]
pub struct RecordPins {
    /// The clock.
    pub clk: Input,
    rst: Input,
    core: CorePins,
    path_valid: Output,
    path_start: Output,
    path_length: Output,
    path_outcomes: Output,
    path_count: Output,
    event_select: Output,
    drain: Option<DrainPins>,
    triggers: Option<TriggerPins>,
}

/// Evicted entries.
#[derive(Debug, Clone, Copy)]
struct DrainPins {
    ready: Input,
    valid: Output,
    start: Output,
    length: Output,
    outcomes: Output,
    count: Output,
    irq: Output,
}

impl DrainPins {
    fn find(model: &Model) -> verilated::Result<Self> {
        Ok(Self {
            ready: model.input("drain_ready")?,
            valid: model.output("drain_valid")?,
            start: model.output("drain_start")?,
            length: model.output("drain_length")?,
            outcomes: model.output("drain_outcomes")?,
            count: model.output("drain_count")?,
            irq: model.output("drain_irq")?,
        })
    }

    fn show(&self, wires: &impl Wires, seen: &mut Seen) {
        let get = |port| wires.get(port);
        seen.drain_irq = get(self.irq) == 1;
        seen.drain = (get(self.valid) == 1).then(|| TableEntry {
            descriptor: PathDescriptor {
                start: get(self.start),
                length: get(self.length) as u32,
                outcomes: get(self.outcomes),
            },
            count: get(self.count) as u32,
        });
    }
}

/// The pins of triggers.
#[derive(Debug, Clone, Copy)]
struct TriggerPins {
    start: Input,
    stop: Input,
    irq: Output,
}

impl TriggerPins {
    fn find(model: &Model) -> verilated::Result<Self> {
        Ok(Self {
            start: model.input("trigger_start")?,
            stop: model.input("trigger_stop")?,
            irq: model.output("trigger_irq")?,
        })
    }
}

impl RecordPins {
    /// The pins of a model.
    ///
    /// # Errors
    ///
    /// If it lacks one.
    pub fn find(model: &Model) -> verilated::Result<Self> {
        let core = match Front::ports(model)? {
            Some(ports) => CorePins::Other(ports),
            None => CorePins::Native(NativePins::find(model)?),
        };
        Ok(Self {
            clk: model.input("clk")?,
            rst: model.input("rst")?,
            core,
            path_valid: model.output("path_valid")?,
            path_start: model.output("path_start")?,
            path_length: model.output("path_length")?,
            path_outcomes: model.output("path_outcomes")?,
            path_count: model.output("path_count")?,
            event_select: model.output("event_select")?,
            drain: match model.input("drain_ready") {
                Ok(_) => Some(DrainPins::find(model)?),
                Err(_) => None,
            },
            triggers: match model.input("trigger_start") {
                Ok(_) => Some(TriggerPins::find(model)?),
                Err(_) => None,
            },
        })
    }

    /// Drives reset, the core's side, `drain_ready` and the trigger inputs. Inputs without a meaning in the cycle are
    /// driven with random values from `noise`.
    #[inline]
    pub fn drive(&self, wires: &mut impl Wires, drive: &Drive, noise: u64) {
        wires.put(self.rst, u64::from(drive.reset));
        if let Some(drain) = &self.drain {
            wires.put(drain.ready, u64::from(drive.drain_ready));
        }
        if let Some(triggers) = &self.triggers {
            wires.put(triggers.start, u64::from(drive.trigger_start));
            wires.put(triggers.stop, u64::from(drive.trigger_stop));
        }
        match &self.core {
            CorePins::Native(pins) => pins.drive(wires, drive.record.as_ref(), noise),
            CorePins::Other(ports) => {
                let mut nonsense = Nonsense::new(noise);
                ports.drive(wires.model(), &drive.shown, drive.event_in, &mut nonsense);
            }
        }
    }

    /// Whether an ingress other than the native one stalls the core in the next cycle.
    pub fn stalls(&self, model: &Model) -> Option<bool> {
        match &self.core {
            CorePins::Native(_) => None,
            CorePins::Other(ports) => Some(model.get(ports.stall()) == 1),
        }
    }

    /// Samples the outputs in place, except those of a bus.
    #[inline]
    pub fn show(&self, wires: &impl Wires, seen: &mut Seen) {
        let get = |port| wires.get(port);
        seen.ready = match &self.core {
            CorePins::Native(pins) => get(pins.br_ready) == 1,
            CorePins::Other(ports) => get(ports.stall()) == 0,
        };
        seen.path = (get(self.path_valid) == 1).then(|| CompletedPath {
            descriptor: PathDescriptor {
                start: get(self.path_start),
                length: get(self.path_length) as u32,
                outcomes: get(self.path_outcomes),
            },
            count: get(self.path_count) as u32,
        });
        seen.event_select = get(self.event_select) as u8;
        if let Some(drain) = &self.drain {
            drain.show(wires, seen);
        }
        seen.trigger_irq = (self.triggers).is_some_and(|triggers| get(triggers.irq) == 1);
    }
}

/// Random values for inputs that have no meaning in a cycle, so that no logic can depend on them.
#[derive(Debug, Clone)]
pub struct Nonsense(u64);

impl Default for Nonsense {
    fn default() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }
}

impl Nonsense {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    /// The next value, by Marsaglia's xorshift: cheap, and two successive values always differ.
    pub fn draw(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}
