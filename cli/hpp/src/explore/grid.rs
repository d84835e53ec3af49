//! The profilers of a sweep, as flags: every combination of what is given.

use anyhow::{Context, Result, bail};
use hpp_explore::Configuration;
use hpp_explore::trace::Isa;
use hpp_golden::config::{IndexScheme, Replacement};
use hpp_golden::profiler::{BackwardNotTaken, Extension, Metric, ResetValues};

use crate::choices::{Choice, one_of};
use crate::model::{INDEX, METRICS, events, policies};

/// Lists of sizes and settings.
#[derive(clap::Args)]
#[command(next_help_heading = "Profilers: every combination of these lists")]
pub struct Grid {
    /// Entries of the table: ways times a power of two
    #[arg(long, value_name = "N,..", default_value = "512")]
    #[arg(value_delimiter = ',')]
    entries: Vec<u32>,
    /// Ways of each set
    #[arg(long, value_name = "N,..", value_delimiter = ',', default_value = "4")]
    ways: Vec<u32>,
    /// How a path that is not in the table enters it
    #[arg(long, value_name = "POLICY,..", default_value = "lfu")]
    #[arg(value_delimiter = ',', value_parser = one_of(&policies()))]
    replacement: Vec<Replacement>,
    /// What the table's index is computed from
    #[arg(long, value_name = "SCHEME,..", default_value = "full")]
    #[arg(value_delimiter = ',', value_parser = one_of(&INDEX))]
    index: Vec<IndexScheme>,
    /// Most branches of a path
    #[arg(long, value_name = "N,..", value_delimiter = ',', default_value = "32")]
    max_branches: Vec<u32>,
    /// Entries of the path stack
    #[arg(long, value_name = "N,..", value_delimiter = ',', default_value = "32")]
    stack_depth: Vec<u32>,
    /// Whether returns are checked against the calls on the path stack
    #[arg(long, value_name = "WHETHER,..", default_value = "off")]
    #[arg(value_delimiter = ',', value_parser = one_of(&STACK_CHECK))]
    stack_check: Vec<bool>,
    /// Bits of a path's context: the hart, or privilege and address space of a whole machine
    #[arg(long, value_name = "N,..", value_delimiter = ',', default_value = "0")]
    context_bits: Vec<u32>,
    /// What backward branches that are not taken do: as a forward branch, or end the path
    #[arg(long, value_name = "AS,..", default_value = "forward")]
    #[arg(value_delimiter = ',', value_parser = one_of(&BACKWARD_NOT_TAKEN))]
    backward_not_taken: Vec<BackwardNotTaken>,
    /// What paths may extend across
    #[arg(long, value_name = "WHAT,..", default_value = "nothing")]
    #[arg(value_delimiter = ',', value_parser = one_of(&EXTEND))]
    extend: Vec<Extension>,
    /// What accumulators count
    #[arg(long, value_name = "WHAT,..", default_value = "executions")]
    #[arg(value_delimiter = ',', value_parser = one_of(&METRICS))]
    metric: Vec<Metric>,
}

pub const STACK_CHECK: [Choice<bool>; 2] = [("off", "", false), ("on", "", true)];

pub const BACKWARD_NOT_TAKEN: [Choice<BackwardNotTaken>; 2] = [
    ("forward", "", BackwardNotTaken::AsForward),
    ("backward", "", BackwardNotTaken::AsBackward),
];

pub const EXTEND: [Choice<Extension>; 3] = [
    ("nothing", "Ball-Larus paths", Extension::None),
    ("loop", "One backward branch", Extension::Loop),
    ("call", "One call", Extension::Procedure),
];

/// Configurations, to be multiplied by the values of options.
struct Every(Vec<Configuration>);

impl Every {
    /// Each configuration with each of these values.
    fn with<V: Copy + PartialEq>(
        self,
        option: &str,
        values: &[V],
        set: impl Fn(&mut Configuration, V),
    ) -> Result<Self> {
        let is_twice = |at: usize| values[..at].contains(&values[at]);
        if (0..values.len()).any(is_twice) {
            bail!("--{option} has a value twice: give each value once");
        }
        let with = |mut configuration, &value: &V| {
            set(&mut configuration, value);
            configuration
        };
        let each = |one: Configuration| values.iter().map(move |value| (one, value));
        let every = self.0.into_iter().flat_map(each);
        Ok(Self(every.map(|(one, value)| with(one, value)).collect()))
    }
}

impl Grid {
    /// The profilers for programs of this instruction set.
    pub fn configurations(&self, isa: Isa) -> Result<Vec<Configuration>> {
        for &ways in &self.ways {
            let is_some = |entries: &u32| ways > 0 && (entries / ways).is_power_of_two();
            let wrong = |entries: &&u32| !is_some(entries) || !entries.is_multiple_of(ways);
            if let Some(entries) = self.entries.iter().find(wrong) {
                bail!(
                    "--entries {entries} with --ways {ways}: entries are ways times 2, 4, 8 and so on"
                );
            }
        }
        let base = Configuration {
            geometry: isa.geometry(),
            reset: ResetValues::enabled(),
        };
        let Every(all) = Every(vec![base])
            .with("metric", &self.metric, |to, metric| {
                (to.reset.metric, to.reset.event_select) = (metric, events(metric));
            })?
            .with("extend", &self.extend, |to, extension| {
                to.reset.extension = extension;
                to.reset.max_extension = (extension != Extension::None).into();
            })?
            .with("backward-not-taken", &self.backward_not_taken, |to, is| {
                to.reset.backward_not_taken = is;
            })?
            .with("stack-depth", &self.stack_depth, |to, depth| {
                to.geometry.stack_depth = depth;
            })?
            .with("stack-check", &self.stack_check, |to, is_checked| {
                to.geometry.stack_check = is_checked;
            })?
            .with("context-bits", &self.context_bits, |to, bits| {
                to.geometry.context_bits = bits;
            })?
            .with("max-branches", &self.max_branches, |to, most| {
                to.geometry.max_branches = most;
            })?
            .with("index", &self.index, |to, scheme| {
                to.geometry.index_scheme = scheme;
            })?
            .with("replacement", &self.replacement, |to, policy| {
                to.geometry.replacement = policy;
            })?
            .with("ways", &self.ways, |to, ways| to.geometry.ways = ways)?
            .with("entries", &self.entries, |to, entries| {
                to.geometry.sets = entries / to.geometry.ways;
            })?;
        for configuration in &all {
            let valid = configuration.geometry.validate();
            valid.context("no profiler has this configuration")?;
        }
        Ok(all)
    }
}
