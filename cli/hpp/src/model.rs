//! The profiler that a command models: sizes and control register, as flags.

use std::sync::LazyLock;

use anyhow::{Context, Result};
use clap::ValueEnum;
use clap::builder::PossibleValue;
use hpp_explore::trace::Isa;
use hpp_golden::config::{Geometry, IndexScheme, Replacement};
use hpp_golden::profiler::{BackwardNotTaken, Extension, Metric, ResetValues, Rows};
use hpp_golden::registers::ppcr_mode;

/// Sizes and control register.
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
    #[arg(long, value_name = "SCHEME", default_value = "full")]
    index: Index,
    /// How a path that is not in the table enters it
    #[arg(long, value_name = "POLICY", default_value = "lfu")]
    replacement: Policy,
    /// Which paths to profile
    #[arg(long, value_name = "PATHS", default_value = "ball-larus")]
    paths: Paths,
    /// What accumulators count
    #[arg(long, value_name = "WHAT", default_value = "executions")]
    metric: What,
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
#[derive(Clone, Copy, ValueEnum)]
pub enum Index {
    /// Start, outcomes and length
    Full,
    /// The start alone
    Start,
}

/// How a path that is not in the table enters it.
#[derive(Clone, Copy)]
pub struct Policy(Replacement);

/// Every policy of the model.
static POLICIES: LazyLock<Vec<Policy>> = LazyLock::new(|| Replacement::ALL.map(Policy).to_vec());

impl ValueEnum for Policy {
    fn value_variants<'a>() -> &'a [Self] {
        &POLICIES
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.0.name()).help(self.0.meaning()))
    }
}

impl From<Index> for IndexScheme {
    fn from(index: Index) -> Self {
        match index {
            Index::Full => Self::Full,
            Index::Start => Self::Start,
        }
    }
}

impl From<Policy> for Replacement {
    fn from(policy: Policy) -> Self {
        policy.0
    }
}

#[derive(Clone, Copy, ValueEnum)]
enum Paths {
    /// Acyclic paths within procedures
    BallLarus,
    /// The path sequence of a whole program path: calls and returns end paths too
    WholeProgram,
}

/// What accumulators count.
#[derive(Clone, Copy, ValueEnum)]
pub enum What {
    /// How often a path ran
    Executions,
    /// Instructions along the path
    Instructions,
}

impl What {
    /// The metric, and the type of events: those of a trace are instructions.
    pub fn selected(self) -> (Metric, u8) {
        match self {
            Self::Executions => (Metric::Executions, ResetValues::default().event_select),
            Self::Instructions => {
                let types = ppcr_mode::EVENT_SELECT.values;
                let instructions = types.iter().find(|(name, _)| *name == "INSTRUCTIONS");
                (
                    Metric::Events,
                    instructions.expect("a type of events").1 as u8,
                )
            }
        }
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
            index_scheme: self.index.into(),
            replacement: self.replacement.into(),
            ..of_isa
        };
        geometry
            .validate()
            .context("no profiler has this configuration")?;
        Ok(geometry)
    }

    /// The control registers.
    pub fn reset(&self, geometry: &Geometry) -> Result<ResetValues> {
        let (extension, max_extension) = match (self.across_loops, self.across_calls) {
            (Some(most), _) => (Extension::Loop, most),
            (_, Some(most)) => (Extension::Procedure, most),
            _ => (Extension::None, 0),
        };
        let (metric, event_select) = self.metric.selected();
        let reset = ResetValues {
            rows: match self.paths {
                Paths::BallLarus => Rows::BALL_LARUS,
                Paths::WholeProgram => Rows::WHOLE_PROGRAM_PATH,
            },
            metric,
            backward_not_taken: match self.backward_not_taken {
                true => BackwardNotTaken::AsBackward,
                false => BackwardNotTaken::AsForward,
            },
            extension,
            max_extension,
            event_select,
            ..ResetValues::enabled()
        };
        reset
            .validate(geometry)
            .context("no profiler has this configuration")?;
        Ok(reset)
    }
}
