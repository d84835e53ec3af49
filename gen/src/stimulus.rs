//! The stimulus of a testbench: a program's retirements, as the ingress takes them.

use hpp_golden::branch::BranchRecord;
use hpp_golden::config::Geometry;
use hpp_golden::ingress::{Block, Retirement, Rvfi, RvfiNext, Trace, TraceForm, Xlen};
use hpp_hdl::{Ingress, IngressOptions};
use serde::Serialize;

use crate::config::Config;

/// Values of ports, in one cycle after another.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Stimulus {
    what: &'static str,
    /// Port that says that there is one, if it is not among `ports`.
    valid: Option<&'static str>,
    /// Ports that are 0 when there is none.
    quiet: Vec<&'static str>,
    /// Port that says that it is taken, if there is one.
    ready: Option<&'static str>,
    /// Port that asks for none, if there is one.
    stall: Option<&'static str>,
    /// Cycles without anything behind each, for a profiler that loses what comes too fast.
    rest: u32,
    pub(crate) ports: Vec<&'static str>,
    /// Their values in each cycle; of several channels, the parts of each, the last channel first.
    cycles: Vec<Vec<Vec<u64>>>,
}

/// Cycles in which the records of a cycle are past a checked stack: three each, of at most eight.
const REST: u32 = 32;

/// A cycle of ports that have one part each.
fn whole(values: impl IntoIterator<Item = u64>) -> Vec<Vec<u64>> {
    values.into_iter().map(|value| vec![value]).collect()
}

/// The ports of these names.
fn names(list: &'static str) -> Vec<&'static str> {
    list.split(' ').collect()
}

impl Stimulus {
    /// The retirements for the ports of an ingress, and the records that it makes of them.
    pub(crate) fn new(config: &Config, retirements: &[Retirement]) -> (Self, Vec<BranchRecord>) {
        let records = records(config, retirements);
        let (mut stimulus, records) = match config.ingress {
            Ingress::Native => (native(&config.geometry, &records), records),
            Ingress::Rvfi => (rvfi(&config.ports, retirements), records),
            Ingress::Retire => (retire(retirements), records),
            Ingress::Trace => trace(config, retirements),
        };
        if config.geometry.stack_check && config.reset.lossy {
            stimulus.rest = REST;
        }
        if !config.geometry.takes_compressed() {
            stimulus.leave_out("_expanded");
        }
        if !config.geometry.has_queue() {
            stimulus.rest = config.geometry.longest_access();
        }
        if !config.ports.has_loops() {
            stimulus.leave_out("_loop_end");
        }
        if config.geometry.context_bits == 0 {
            stimulus.leave_out("_context");
        }
        if config.ports.rvfi_next == RvfiNext::Retirement {
            stimulus.leave_out("rvfi_intr");
            stimulus.leave_out("rvfi_pc_wdata");
        }
        (stimulus, records)
    }

    /// A profiler does not have the port whose name ends so.
    fn leave_out(&mut self, ending: &str) {
        let Some(place) = self.ports.iter().position(|port| port.ends_with(ending)) else {
            return;
        };
        self.ports.remove(place);
        for values in &mut self.cycles {
            values.remove(place);
        }
    }
}

fn xlen(config: &Config) -> Xlen {
    match config.geometry.pc_bits {
        32 => Xlen::Rv32,
        _ => Xlen::Rv64,
    }
}

/// The records that the core's instructions make.
fn records(config: &Config, retirements: &[Retirement]) -> Vec<BranchRecord> {
    let decoder = Rvfi::new(xlen(config), config.geometry.event_bits);
    let mut decoder = decoder
        .with_geometry(&config.geometry)
        .with_next(config.ports.rvfi_next)
        .with_extensions(config.ports.extensions());
    let all = retirements.iter();
    all.flat_map(|retirement| decoder.step(retirement, 1))
        .collect()
}

fn native(geometry: &Geometry, records: &[BranchRecord]) -> Stimulus {
    let values = |record: &BranchRecord| {
        let (target, context) = geometry.address_and_context(record.target);
        whole([
            record.kind.code().into(),
            record.taken.into(),
            target,
            record.next,
            record.events.into(),
            context.into(),
        ])
    };
    Stimulus {
        what: "records",
        valid: Some("br_valid"),
        quiet: vec!["br_valid"],
        ready: Some("br_ready"),
        ports: names("br_kind br_taken br_target br_next br_events br_context"),
        cycles: records.iter().map(values).collect(),
        ..Stimulus::default()
    }
}

/// As many in a cycle as there are channels; the parts of each port, the last channel first.
fn rvfi(options: &IngressOptions, retirements: &[Retirement]) -> Stimulus {
    let channels = options.retire_channels as usize;
    let cycle = |shown: &[Retirement]| {
        let port = |value: fn(&Retirement) -> u64| {
            let parts = (0..channels).rev();
            parts.map(|part| shown.get(part).map_or(0, value)).collect()
        };
        vec![
            port(|_| 1),
            port(|shown| shown.intr.into()),
            port(|shown| shown.trap.into()),
            port(|shown| shown.insn.into()),
            port(|shown| shown.pc),
            port(|shown| shown.next_pc),
            port(|shown| shown.loop_end.into()),
            port(|shown| shown.context.into()),
        ]
    };
    Stimulus {
        what: "cycles of retirements",
        quiet: vec!["rvfi_valid"],
        stall: Some("rvfi_stall"),
        ports: names(
            "rvfi_valid rvfi_intr rvfi_trap rvfi_insn rvfi_pc_rdata rvfi_pc_wdata rvfi_loop_end rvfi_context",
        ),
        cycles: retirements.chunks(channels).map(cycle).collect(),
        ..Stimulus::default()
    }
}

/// A trap is shown by itself, in front of the first instruction of its handler.
fn retire(retirements: &[Retirement]) -> Stimulus {
    let mut cycles = Vec::new();
    let (mut resume, mut context) = (0, 0);
    for shown in retirements {
        if shown.intr {
            cycles.push(whole([1, 0, 0, 0, resume, context]));
        }
        let own = u64::from(shown.context);
        let insn = shown.insn.into();
        let loop_end = shown.loop_end.into();
        cycles.push(whole([0, insn, 0, loop_end, shown.pc, own]));
        (resume, context) = (shown.next_pc, own);
    }
    Stimulus {
        what: "cycles of the last stage",
        valid: Some("retire_valid"),
        quiet: vec!["retire_valid", "retire_trap"],
        stall: Some("retire_stall"),
        ports: names(
            "retire_trap retire_insn retire_expanded retire_loop_end retire_pc retire_context",
        ),
        cycles,
        ..Stimulus::default()
    }
}

/// A block for each instruction. A trap is shown as an exception at the address it returns to.
fn trace(config: &Config, retirements: &[Retirement]) -> (Stimulus, Vec<BranchRecord>) {
    let form = TraceForm {
        short_itype: config.ports.itype_bits == 3,
        single: config.ports.iretire_bits == 1,
    };
    let mut blocks = Vec::new();
    let (mut resume, mut context) = (0, 0);
    for shown in retirements {
        blocks.extend(shown.intr.then(|| Block {
            context,
            ..Block::exception(resume)
        }));
        blocks.push(Block::of(shown, xlen(config), form));
        (resume, context) = (shown.next_pc, shown.context);
    }
    let model = Trace::new(form, xlen(config), config.geometry.event_bits);
    let mut model = model.with_geometry(&config.geometry);
    let records = blocks
        .iter()
        .flat_map(|block| model.step(block, block.iretire.into()))
        .collect();
    let values = |block: &Block| {
        whole([
            block.itype.into(),
            block.iaddr,
            block.iretire.into(),
            block.ilastsize.into(),
            block.context.into(),
        ])
    };
    let stimulus = Stimulus {
        what: "blocks",
        stall: Some("trace_stall"),
        quiet: vec!["trace_iretire", "trace_itype"],
        ports: names("trace_itype trace_iaddr trace_iretire trace_ilastsize trace_context"),
        cycles: blocks.iter().map(values).collect(),
        ..Stimulus::default()
    };
    (stimulus, records)
}
