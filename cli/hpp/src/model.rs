//! The profiler that a command models: sizes and control register, as flags.

use anyhow::{Context, Result};
use hpp_explore::trace::Isa;
use hpp_golden::config::{Geometry, IndexScheme, Replacement};
use hpp_golden::profiler::{BackwardNotTaken, Extension, Metric, ResetValues, Rows};
use hpp_report::counted::instructions;

use crate::choices::{Choice, one_of};

#[derive(clap::Args)]
#[command(next_help_heading = "Profiler")]
pub struct Model {
    /// Sets of the hot path table; a power of two [default: 128]
    #[arg(long, value_name = "N")]
    sets: Option<u32>,
    /// Ways of each set [default: 4]
    #[arg(long, value_name = "N")]
    ways: Option<u32>,
    /// Most branches of a path [default: 32]
    #[arg(long, value_name = "N")]
    max_branches: Option<u32>,
    /// Entries of the path stack; a power of two [default: 32]
    #[arg(long, value_name = "N")]
    stack_depth: Option<u32>,
    /// Check returns against the calls on the path stack: a path that `longjmp` or an exception cuts short is dropped, and never continued
    #[arg(long)]
    stack_check: bool,
    /// Bits of a path's context, above its address: the hart, or privilege and address space of a whole machine [default: 0; of a machine 8]
    #[arg(long, value_name = "N")]
    context_bits: Option<u32>,
    /// What the table's index is computed from
    #[arg(long, value_name = "SCHEME", default_value = "full", value_parser = one_of(&INDEX))]
    index: IndexScheme,
    /// How a path that is not in the table enters it
    #[arg(long, value_name = "POLICY", default_value = "lfu", value_parser = one_of(&policies()))]
    replacement: Replacement,
    /// Which paths to profile
    #[arg(long, value_name = "PATHS", default_value = "ball-larus", value_parser = one_of(&PATHS))]
    paths: Rows,
    /// What accumulators count
    #[arg(long, value_name = "WHAT", default_value = "executions", value_parser = one_of(&METRICS))]
    metric: Metric,
    /// Let backward branches that are not taken end paths
    #[arg(long)]
    backward_not_taken: bool,
    /// Let a path extend across up to N backward branches
    #[arg(long, value_name = "N", conflicts_with = "across_calls")]
    across_loops: Option<u8>,
    /// Let a path extend across up to N calls
    #[arg(long, value_name = "N")]
    across_calls: Option<u8>,
}

/// What the index of the table is computed from.
pub const INDEX: [Choice<IndexScheme>; 2] = [
    ("full", "Start, outcomes and length", IndexScheme::Full),
    ("start", "The start alone", IndexScheme::Start),
];

pub const METRICS: [Choice<Metric>; 2] = [
    ("executions", "How often a path ran", Metric::Executions),
    (
        "instructions",
        "Instructions along the path",
        Metric::Events,
    ),
];

const PATHS: [Choice<Rows>; 2] = [
    (
        "ball-larus",
        "Acyclic paths within procedures",
        Rows::BALL_LARUS,
    ),
    (
        "whole-program",
        "The path sequence of a whole program path: calls and returns end paths too",
        Rows::WHOLE_PROGRAM_PATH,
    ),
];

/// How a path that is not in the table enters it: every policy of the model.
pub fn policies() -> Vec<Choice<Replacement>> {
    let named = |policy: Replacement| (policy.name(), policy.meaning(), policy);
    Replacement::ALL.map(named).to_vec()
}

/// The type of events that a metric counts: those of a trace are instructions.
pub fn events(metric: Metric) -> u8 {
    match metric {
        Metric::Executions => ResetValues::default().event_select,
        Metric::Events => instructions(),
    }
}

impl Model {
    /// The sizes for programs of this instruction set.
    pub fn geometry(&self, isa: Isa) -> Result<Geometry> {
        self.geometry_with(isa, 0)
    }

    /// The same, with this width of contexts unless another is given.
    pub fn geometry_with(&self, isa: Isa, context_bits: u32) -> Result<Geometry> {
        let of_isa = isa.geometry();
        let geometry = Geometry {
            sets: self.sets.unwrap_or(of_isa.sets),
            ways: self.ways.unwrap_or(of_isa.ways),
            max_branches: self.max_branches.unwrap_or(of_isa.max_branches),
            stack_depth: self.stack_depth.unwrap_or(of_isa.stack_depth),
            stack_check: self.stack_check,
            context_bits: self.context_bits.unwrap_or(context_bits),
            index_scheme: self.index,
            replacement: self.replacement,
            ..of_isa
        };
        geometry
            .validate()
            .context("no profiler has this configuration")?;
        Ok(geometry)
    }

    pub fn reset(&self, geometry: &Geometry) -> Result<ResetValues> {
        let (extension, max_extension) = match (self.across_loops, self.across_calls) {
            (Some(most), _) => (Extension::Loop, most),
            (_, Some(most)) => (Extension::Procedure, most),
            _ => (Extension::None, 0),
        };
        let reset = ResetValues {
            rows: self.paths,
            metric: self.metric,
            backward_not_taken: match self.backward_not_taken {
                true => BackwardNotTaken::AsBackward,
                false => BackwardNotTaken::AsForward,
            },
            extension,
            max_extension,
            event_select: events(self.metric),
            ..ResetValues::enabled()
        };
        reset
            .validate(geometry)
            .context("no profiler has this configuration")?;
        Ok(reset)
    }
}
