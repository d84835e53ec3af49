//! The pins of a verilated profiler with native ingress that are no bus's: records in, paths out.

use super::pins::Seen;
use hpp_golden::branch::BranchRecord;
use hpp_golden::path::{CompletedPath, PathDescriptor};
use verilated::{Input, Model, Output};

/// Clock, reset, records and paths.
#[derive(Debug, Clone, Copy)]
pub struct RecordPins {
    /// The clock.
    pub clk: Input,
    rst: Input,
    br_valid: Input,
    br_ready: Output,
    br_kind: Input,
    br_taken: Input,
    br_target: Input,
    br_next: Input,
    br_context: Option<Input>,
    br_events: Input,
    path_valid: Output,
    path_start: Output,
    path_length: Output,
    path_outcomes: Output,
    path_count: Output,
    event_select: Output,
}

impl RecordPins {
    /// The pins of a model.
    ///
    /// # Errors
    ///
    /// If it lacks one.
    pub fn find(model: &Model) -> verilated::Result<Self> {
        Ok(Self {
            clk: model.input("clk")?,
            rst: model.input("rst")?,
            br_valid: model.input("br_valid")?,
            br_ready: model.output("br_ready")?,
            br_kind: model.input("br_kind")?,
            br_taken: model.input("br_taken")?,
            br_target: model.input("br_target")?,
            br_next: model.input("br_next")?,
            br_context: model.input("br_context").ok(),
            br_events: model.input("br_events")?,
            path_valid: model.output("path_valid")?,
            path_start: model.output("path_start")?,
            path_length: model.output("path_length")?,
            path_outcomes: model.output("path_outcomes")?,
            path_count: model.output("path_count")?,
            event_select: model.output("event_select")?,
        })
    }

    /// Drives reset and record; without a record its fields are `noise`.
    pub fn drive(&self, model: &mut Model, reset: bool, record: Option<&BranchRecord>, noise: u64) {
        put(model, self.rst, u64::from(reset));
        put(model, self.br_valid, u64::from(record.is_some()));
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
        for (port, value) in targets.into_iter().zip(fields) {
            put(model, port, value);
        }
        if let Some(context) = self.br_context {
            // The record has it above the address.
            let address = model.input_width(self.br_target);
            let target = record.map_or(noise.rotate_left(29), |record| record.target);
            put(model, context, target >> address);
        }
    }

    /// What they show; nothing of a bus.
    pub fn seen(&self, model: &Model) -> Seen {
        let get = |port| model.get(port);
        Seen {
            ready: get(self.br_ready) == 1,
            path: (get(self.path_valid) == 1).then(|| CompletedPath {
                descriptor: PathDescriptor {
                    start: get(self.path_start),
                    length: get(self.path_length) as u32,
                    outcomes: get(self.path_outcomes),
                },
                count: get(self.path_count) as u32,
            }),
            event_select: get(self.event_select) as u8,
            ..Seen::default()
        }
    }
}

/// Sets a port to the low bits of a value.
pub fn put(model: &mut Model, port: Input, value: u64) {
    let mask = u64::MAX >> (64 - model.input_width(port));
    model.set(port, value & mask);
}

/// Numbers without meaning, for inputs that belong to nothing, so that nothing can come to depend on them.
#[derive(Debug, Clone)]
pub struct Nonsense(u64);

impl Default for Nonsense {
    fn default() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }
}

impl Nonsense {
    /// The next number: Marsaglia's xorshift, cheap, and no two neighbours alike.
    pub fn draw(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}
