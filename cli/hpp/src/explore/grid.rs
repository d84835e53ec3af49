//! The profilers of a sweep, as flags: every combination of what is given, or the runs of a designed experiment.

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use hpp_explore::Configuration;
use hpp_explore::design::Design;
use hpp_explore::trace::Isa;
use hpp_golden::config::{IndexScheme, Replacement};
use hpp_golden::profiler::{BackwardNotTaken, Extension, Metric, ResetValues};

use super::sizes;
use crate::choices::{Choice, name_of, one_of};
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

/// How to choose among the combinations.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Plan {
    /// 12 profilers, which give the effects of up to 11 lists of two values
    PlackettBurman,
    /// Every combination of the lists of two values, which also gives interactions of two
    Full,
}

#[derive(Clone, Debug)]
pub struct Experiment {
    pub design: Design,
    /// The factors, with their two levels.
    pub factors: Vec<String>,
    /// Whether the interaction of two factors can be estimated.
    pub pairs: bool,
}

/// Gives a configuration the value with this number.
type Setter<'a> = Box<dyn Fn(&mut Configuration, usize) + 'a>;

/// A list: what each of its values does to a configuration.
struct Axis<'a> {
    name: &'static str,
    values: Vec<String>,
    set: Setter<'a>,
}

impl<'a> Axis<'a> {
    fn numbers(
        name: &'static str,
        values: &'a [u32],
        set: impl Fn(&mut Configuration, u32) + 'a,
    ) -> Self {
        Self {
            name,
            values: values.iter().map(u32::to_string).collect(),
            set: Box::new(move |to, value| set(to, values[value])),
        }
    }

    fn choices<V: Copy + PartialEq>(
        name: &'static str,
        all: &[Choice<V>],
        values: &'a [V],
        set: impl Fn(&mut Configuration, V) + 'a,
    ) -> Self {
        let spelt = values.iter().map(|value| name_of(all, value).into());
        Self {
            name,
            values: spelt.collect(),
            set: Box::new(move |to, value| set(to, values[value])),
        }
    }
}

impl Axis<'_> {
    /// A value that it has more than once.
    fn twice(&self) -> Option<&String> {
        let mut values = self.values.iter().enumerate();
        let again = |&(place, value): &(usize, &String)| self.values[..place].contains(value);
        values.find(again).map(|(_, value)| value)
    }
}

impl Grid {
    /// The lists. That of the entries comes after that of the ways, by which it divides.
    fn axes(&self) -> Vec<Axis<'_>> {
        vec![
            Axis::choices("metric", &METRICS, &self.metric, |to, value| {
                (to.reset.metric, to.reset.event_select) = (value, events(value));
            }),
            Axis::choices("extend", &EXTEND, &self.extend, |to, value| {
                to.reset.extension = value;
                to.reset.max_extension = (value != Extension::None).into();
            }),
            Axis::choices(
                "backward-not-taken",
                &BACKWARD_NOT_TAKEN,
                &self.backward_not_taken,
                |to, value| to.reset.backward_not_taken = value,
            ),
            Axis::numbers("stack-depth", &self.stack_depth, |to, n| {
                to.geometry.stack_depth = n;
            }),
            Axis::choices(
                "stack-check",
                &STACK_CHECK,
                &self.stack_check,
                |to, value| to.geometry.stack_check = value,
            ),
            Axis::numbers("context-bits", &self.context_bits, |to, n| {
                to.geometry.context_bits = n;
            }),
            Axis::numbers("max-branches", &self.max_branches, |to, n| {
                to.geometry.max_branches = n;
            }),
            Axis::choices("index", &INDEX, &self.index, |to, value| {
                to.geometry.index_scheme = value;
            }),
            Axis::choices(
                "replacement",
                &policies(),
                &self.replacement,
                |to, value| to.geometry.replacement = value,
            ),
            Axis::numbers("ways", &self.ways, |to, n| to.geometry.ways = n),
            Axis::numbers("entries", &self.entries, |to, n| {
                to.geometry.sets = n / to.geometry.ways.max(1);
            }),
        ]
    }

    /// Whether no list has a value twice, and there is a table for each number of entries with each number of ways.
    pub fn check(&self) -> Result<()> {
        for axis in self.axes() {
            if let Some(value) = axis.twice() {
                bail!("--{} has {value} twice: give each value once", axis.name);
            }
        }
        self.ways
            .iter()
            .try_for_each(|&ways| sizes::check(&self.entries, ways))
    }

    /// The experiment of a plan: lists of two values are its factors.
    pub fn experiment(&self, plan: Plan) -> Result<Experiment> {
        let axes = self.axes();
        if let Some(axis) = axes.iter().find(|axis| axis.values.len() > 2) {
            bail!(
                "--{} has {} values; a designed experiment has two, low and high, or one that is fixed",
                axis.name,
                axis.values.len()
            );
        }
        let factors: Vec<String> = axes
            .iter()
            .filter(|axis| axis.values.len() == 2)
            .map(|axis| format!("{} ({}, {})", axis.name, axis.values[0], axis.values[1]))
            .collect();
        if factors.is_empty() {
            bail!("a designed experiment has factors: lists of two values, such as --ways 2,32");
        }
        let design = match plan {
            Plan::PlackettBurman => Design::plackett_burman(factors.len()),
            Plan::Full => Design::full(factors.len()),
        };
        Ok(Experiment {
            design: design.context("too many factors: give one value to some of the lists")?,
            factors,
            pairs: matches!(plan, Plan::Full),
        })
    }

    /// The profilers for programs of this instruction set: those of the experiment in the order of its runs, or every combination.
    pub fn configurations(
        &self,
        isa: Isa,
        experiment: Option<&Experiment>,
    ) -> Result<Vec<Configuration>> {
        let axes = self.axes();
        let choices: Vec<Vec<usize>> = match experiment {
            Some(experiment) => {
                let runs = experiment.design.runs().iter();
                runs.map(|run| chosen(&axes, run)).collect()
            }
            None => axes.iter().fold(vec![Vec::new()], |all, axis| {
                let with = |(choice, value)| [choice, vec![value]].concat();
                let values = 0..axis.values.len();
                all.into_iter()
                    .flat_map(|choice| values.clone().map(move |v| (choice.clone(), v)))
                    .map(with)
                    .collect()
            }),
        };
        let base = Configuration {
            geometry: isa.geometry(),
            reset: ResetValues::enabled(),
        };
        choices
            .into_iter()
            .map(|choice| {
                let mut configuration = base;
                for (axis, value) in axes.iter().zip(choice) {
                    (axis.set)(&mut configuration, value);
                }
                configuration
                    .geometry
                    .validate()
                    .context("no profiler has this configuration")?;
                Ok(configuration)
            })
            .collect()
    }
}

/// The value of each list in a run, which has a level for each list of two.
fn chosen(axes: &[Axis<'_>], run: &[bool]) -> Vec<usize> {
    let mut levels = run.iter();
    let value = |axis: &Axis<'_>| match axis.values.len() {
        2 => levels.next().map_or(0, |&high| usize::from(high)),
        _ => 0,
    };
    axes.iter().map(value).collect()
}
