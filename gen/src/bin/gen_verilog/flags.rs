//! A flag for every parameter of a configuration.

use clap::Args;
use hpp_gen::{Bus, Config, Ingress};
use hpp_golden::branch::BranchKind;
use hpp_golden::config::{IndexScheme, LookupScheme, Protection, Replacement};
use hpp_golden::profiler::{BackwardNotTaken, Extension, Metric, Row, Rows};
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::Error as NameError;

/// Parameters; what is not given stays as the configuration file or the default has it.
#[derive(Debug, Args)]
pub struct Flags {
    /// Name of the top module, and the first part of every generated name [default: hpp]
    #[arg(long, value_name = "NAME")]
    prefix: Option<String>,
    /// Where records come from: native, rvfi, retire, trace [default: native]
    #[arg(long, value_name = "KIND", value_parser = named::<Ingress>)]
    ingress: Option<Ingress>,
    /// How software reads the table: none, wishbone, axi4-lite, apb [default: wishbone]
    #[arg(long, value_name = "KIND", value_parser = named::<Bus>)]
    bus: Option<Bus>,
    #[command(flatten, next_help_heading = "Ports of the ingress")]
    ports: PortFlags,
    #[command(flatten, next_help_heading = "Geometry")]
    geometry: GeometryFlags,
    #[command(flatten, next_help_heading = "Values after reset")]
    reset: ResetFlags,
}

#[derive(Debug, Args)]
struct PortFlags {
    /// Channels of the RVFI ingress: 1 to 4 [default: 1]
    #[arg(long, value_name = "N")]
    retire_channels: Option<u32>,
    /// Width of itype of the trace ingress: 3, 4 [default: 4]
    #[arg(long, value_name = "BITS")]
    itype_bits: Option<u32>,
    /// Width of iretire of the trace ingress: 1 if it counts instructions, else 2 to 8 [default: 3]
    #[arg(long, value_name = "BITS")]
    iretire_bits: Option<u32>,
    /// Inputs of events, of together 64 bits at most: 1 to 8 [default: 1]
    #[arg(long, value_name = "N")]
    event_inputs: Option<u32>,
    /// What they are called, such as icache-refill,dcache-refill [default: by number]
    #[arg(long, value_name = "NAME,...")]
    event_names: Option<String>,
}

#[derive(Debug, Args)]
struct GeometryFlags {
    /// Sets of the hot path table: a power of two, 2 to 4096 [default: 128]
    #[arg(long, value_name = "N")]
    sets: Option<u32>,
    /// Ways of each set: 1 to 32 [default: 4]
    #[arg(long, value_name = "N")]
    ways: Option<u32>,
    /// Most branches a path records before it is split: 1 to 64 [default: 32]
    #[arg(long, value_name = "N")]
    max_branches: Option<u32>,
    /// Entries of the path stack: a power of two, 2 to 256 [default: 32]
    #[arg(long, value_name = "N")]
    stack_depth: Option<u32>,
    /// Records the branch queue holds: a power of two, 2 to 64 [default: 4]
    #[arg(long, value_name = "N")]
    queue_depth: Option<u32>,
    /// Width of an instruction address: 32 to 64 [default: 32]
    #[arg(long, value_name = "BITS")]
    pc_bits: Option<u32>,
    /// Low bits of an address that are always 0: 1 with compressed instructions, else 2 [default: 2]
    #[arg(long, value_name = "BITS")]
    align: Option<u32>,
    /// Width of the events of one record: 1 to 32 [default: 8]
    #[arg(long, value_name = "BITS")]
    event_bits: Option<u32>,
    /// Width of a path's event counter: 1 to 32 [default: 8]
    #[arg(long, value_name = "BITS")]
    event_counter_bits: Option<u32>,
    /// Width of a path's extension counter: 1 to 8 [default: 4]
    #[arg(long, value_name = "BITS")]
    extension_bits: Option<u32>,
    /// Width of a table entry's accumulator: 8 to 32 [default: 32]
    #[arg(long, value_name = "BITS")]
    accumulator_bits: Option<u32>,
    /// Width of the statistics counters: 32 to 64 [default: 64]
    #[arg(long, value_name = "BITS")]
    counter_bits: Option<u32>,
    /// What the table is indexed by: full, start [default: full]
    #[arg(long, value_name = "SCHEME", value_parser = named::<IndexScheme>)]
    index_scheme: Option<IndexScheme>,
    /// How a path is looked up: parallel, serial (smaller; may hold the core) [default: parallel]
    #[arg(long, value_name = "SCHEME", value_parser = named::<LookupScheme>)]
    lookup: Option<LookupScheme>,
    /// What becomes of a path that is not in the table: lfu (it replaces the least frequently used), shadow (it must show that it is hot; may
    /// hold the core), rrip (it replaces what seems to be used again last, so that few leave; may hold the core) [default: lfu]
    #[arg(long, value_name = "POLICY", value_parser = named::<Replacement>)]
    replacement: Option<Replacement>,
    /// Width of a path's context (hart, privilege, address space), which the core gives: 0 for none, to 8 [default: 0]
    #[arg(long, value_name = "BITS")]
    context_bits: Option<u32>,
    /// Whether returns are held against where calls and traps came from: true, false (may hold the core) [default: false]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, default_missing_value = "true")]
    stack_check: Option<bool>,
    /// Entries of the FIFO into which what leaves the table goes: 0 for none, or a power of two, 64 to 4096 [default: 0]
    #[arg(long, value_name = "N")]
    drain_depth: Option<u32>,
    /// What has parity, so that a flipped bit is noticed: none, memories, all (registers too) [default: none; without a value: all]
    #[arg(long, value_name = "WHAT", num_args = 0..=1, default_missing_value = "all", value_parser = named::<Protection>)]
    protect: Option<Protection>,
}

#[derive(Debug, Args)]
struct ResetFlags {
    /// Whether records are profiled: true, false [default: false]
    #[arg(long, value_name = "BOOL")]
    reset_enable: Option<bool>,
    /// Whether the table takes no paths: true, false [default: false]
    #[arg(long, value_name = "BOOL")]
    reset_freeze: Option<bool>,
    /// Whether a full queue drops records instead of holding the core: true, false [default: false]
    #[arg(long, value_name = "BOOL")]
    reset_lossy: Option<bool>,
    /// What a completed path counts: executions, events [default: executions]
    #[arg(long, value_name = "METRIC", value_parser = named::<Metric>)]
    reset_metric: Option<Metric>,
    /// How a backward branch not taken is handled: as-forward, as-backward [default: as-forward]
    #[arg(long, value_name = "HOW", value_parser = named::<BackwardNotTaken>)]
    reset_backward_not_taken: Option<BackwardNotTaken>,
    /// What a path may extend across: none, loop, procedure [default: none]
    #[arg(long, value_name = "MODE", value_parser = named::<Extension>)]
    reset_extension: Option<Extension>,
    /// How often a path may extend: 0 to 2^extension-bits - 1 [default: 0]
    #[arg(long, value_name = "N")]
    reset_max_extension: Option<u8>,
    /// Event type the core is asked to count: 0 to 15 [default: 0]
    #[arg(long, value_name = "N")]
    reset_event_select: Option<u8>,
    /// What the chances of replacement shadow begin with: 1 to 2^27 - 1; 0 is taken as 1 [default: 1]
    #[arg(long, value_name = "N")]
    reset_seed: Option<u32>,
    /// Operations of all kinds of branches: ball-larus, whole-program-path [default: ball-larus]
    #[arg(long, value_name = "PRESET", value_parser = preset)]
    reset_rows: Option<Rows>,
    /// Operations of one kind, such as call=update-count,push; after --reset-rows, may be repeated
    #[arg(long, value_name = "KIND=OPERATIONS", value_parser = row)]
    reset_row: Vec<(BranchKind, Row)>,
}

impl Flags {
    /// Puts what was given over `config`.
    pub fn apply(&self, config: &mut Config) {
        put(&mut config.prefix, &self.prefix);
        put(&mut config.ingress, &self.ingress);
        put(&mut config.bus, &self.bus);
        let (to, from) = (&mut config.ports, &self.ports);
        put(&mut to.retire_channels, &from.retire_channels);
        put(&mut to.itype_bits, &from.itype_bits);
        put(&mut to.iretire_bits, &from.iretire_bits);
        put(&mut to.event_inputs, &from.event_inputs);
        if let Some(names) = &self.ports.event_names {
            // None at all is no name; one left out between others would move those behind it.
            let names = (!names.is_empty()).then(|| names.split(','));
            config.event_names = names.into_iter().flatten().map(str::to_string).collect();
        }
        let (to, from) = (&mut config.geometry, &self.geometry);
        put(&mut to.sets, &from.sets);
        put(&mut to.ways, &from.ways);
        put(&mut to.max_branches, &from.max_branches);
        put(&mut to.stack_depth, &from.stack_depth);
        put(&mut to.queue_depth, &from.queue_depth);
        put(&mut to.pc_bits, &from.pc_bits);
        put(&mut to.align, &from.align);
        put(&mut to.event_bits, &from.event_bits);
        put(&mut to.event_counter_bits, &from.event_counter_bits);
        put(&mut to.extension_bits, &from.extension_bits);
        put(&mut to.accumulator_bits, &from.accumulator_bits);
        put(&mut to.counter_bits, &from.counter_bits);
        put(&mut to.index_scheme, &from.index_scheme);
        put(&mut to.lookup, &from.lookup);
        put(&mut to.replacement, &from.replacement);
        put(&mut to.context_bits, &from.context_bits);
        put(&mut to.stack_check, &from.stack_check);
        put(&mut to.drain_depth, &from.drain_depth);
        put(&mut to.protect, &from.protect);
        let (to, from) = (&mut config.reset, &self.reset);
        put(&mut to.enable, &from.reset_enable);
        put(&mut to.freeze, &from.reset_freeze);
        put(&mut to.lossy, &from.reset_lossy);
        put(&mut to.metric, &from.reset_metric);
        put(&mut to.backward_not_taken, &from.reset_backward_not_taken);
        put(&mut to.extension, &from.reset_extension);
        put(&mut to.max_extension, &from.reset_max_extension);
        put(&mut to.event_select, &from.reset_event_select);
        put(&mut to.seed, &from.reset_seed);
        put(&mut to.rows, &from.reset_rows);
        for (kind, row) in &from.reset_row {
            to.rows[*kind] = *row;
        }
    }

    /// Whether a flag sets `key` of the configuration, one that can be out of range.
    pub fn sets(&self, key: &str) -> bool {
        let (g, p) = (&self.geometry, &self.ports);
        match key {
            "prefix" => self.prefix.is_some(),
            "retire-channels" => p.retire_channels.is_some(),
            "itype-bits" => p.itype_bits.is_some(),
            "iretire-bits" => p.iretire_bits.is_some(),
            "event-inputs" => p.event_inputs.is_some(),
            "event-names" => p.event_names.is_some(),
            "max-extension" => self.reset.reset_max_extension.is_some(),
            "event-select" => self.reset.reset_event_select.is_some(),
            "sets" => g.sets.is_some(),
            "ways" => g.ways.is_some(),
            "max-branches" => g.max_branches.is_some(),
            "stack-depth" => g.stack_depth.is_some(),
            "queue-depth" => g.queue_depth.is_some(),
            "pc-bits" => g.pc_bits.is_some(),
            "align" => g.align.is_some(),
            "event-bits" => g.event_bits.is_some(),
            "event-counter-bits" => g.event_counter_bits.is_some(),
            "extension-bits" => g.extension_bits.is_some(),
            "accumulator-bits" => g.accumulator_bits.is_some(),
            "counter-bits" => g.counter_bits.is_some(),
            "context-bits" => g.context_bits.is_some(),
            "drain-depth" => g.drain_depth.is_some(),
            "index-scheme" => g.index_scheme.is_some(),
            "lookup" => g.lookup.is_some(),
            "replacement" => g.replacement.is_some(),
            "seed" => self.reset.reset_seed.is_some(),
            _ => false,
        }
    }
}

fn put<T: Clone>(to: &mut T, from: &Option<T>) {
    if let Some(value) = from {
        to.clone_from(value);
    }
}

/// A value by the name that a configuration file gives it; the error lists the names there are.
fn named<T: for<'a> Deserialize<'a>>(text: &str) -> Result<T, String> {
    T::deserialize(text.into_deserializer()).map_err(|error: NameError| error.to_string())
}

fn preset(text: &str) -> Result<Rows, String> {
    match text {
        "ball-larus" => Ok(Rows::BALL_LARUS),
        "whole-program-path" => Ok(Rows::WHOLE_PROGRAM_PATH),
        _ => Err("expected `ball-larus` or `whole-program-path`".to_string()),
    }
}

/// `call=update-count,push`; nothing after the `=` is a row that does nothing.
fn row(text: &str) -> Result<(BranchKind, Row), String> {
    let Some((kind, operations)) = text.split_once('=') else {
        return Err(
            "expected KIND=OPERATION,OPERATION..., such as call=update-count,push".to_string(),
        );
    };
    let kind = named(&kind.replace('-', "_")).map_err(|error| error.replace('_', "-"))?;
    let operations = operations
        .split(',')
        .filter(|operation| !operation.is_empty())
        .map(named)
        .collect::<Result<Vec<_>, _>>()?;
    let row = Row::try_from(operations).map_err(|error| error.to_string())?;
    Ok((kind, row))
}
