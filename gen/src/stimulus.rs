//! What a testbench shows a profiler: a program's retirements, as its ingress takes them.

use hpp_golden::branch::BranchRecord;
use hpp_hdl::Ingress;
use hpp_ingress::{Block, Ingress as Decoder, Retirement, Trace, TraceForm, Xlen};
use serde::Serialize;

use crate::config::Config;

/// Values of ports, in one cycle after another.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Stimulus {
    /// What a cycle is.
    what: &'static str,
    /// Port that says that there is one, if it is not among `ports`.
    valid: Option<&'static str>,
    /// Ports that are 0 when there is none.
    quiet: Vec<&'static str>,
    /// Port that says that it is taken, if there is one.
    ready: Option<&'static str>,
    /// Port that asks for none, if there is one.
    stall: Option<&'static str>,
    /// The ports.
    pub(crate) ports: Vec<&'static str>,
    /// Their values in each cycle.
    cycles: Vec<Vec<u64>>,
}

impl Stimulus {
    /// The retirements for the ports of an ingress, and the records that it makes of them.
    pub(crate) fn new(config: &Config, retirements: &[Retirement]) -> (Self, Vec<BranchRecord>) {
        let records = records(config, retirements);
        match config.ingress {
            Ingress::Native => (native(&records), records),
            Ingress::Rvfi if config.ports.retire_channels == 2 => (rvfi_pair(retirements), records),
            Ingress::Rvfi => (rvfi(retirements), records),
            Ingress::Retire => (retire(retirements), records),
            Ingress::Trace => trace(config, retirements),
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
    let mut decoder = Decoder::new(xlen(config), config.geometry.event_bits);
    let all = retirements.iter();
    all.flat_map(|retirement| decoder.step(retirement, 1))
        .collect()
}

fn native(records: &[BranchRecord]) -> Stimulus {
    let values = |record: &BranchRecord| {
        vec![
            record.kind.code().into(),
            record.taken.into(),
            record.target,
            record.next,
            record.events.into(),
        ]
    };
    Stimulus {
        what: "records",
        valid: Some("br_valid"),
        quiet: vec!["br_valid"],
        ready: Some("br_ready"),
        stall: None,
        ports: vec!["br_kind", "br_taken", "br_target", "br_next", "br_events"],
        cycles: records.iter().map(values).collect(),
    }
}

fn rvfi(retirements: &[Retirement]) -> Stimulus {
    let values = |shown: &Retirement| {
        vec![
            shown.intr.into(),
            shown.trap.into(),
            shown.insn.into(),
            shown.pc,
            shown.next_pc,
        ]
    };
    Stimulus {
        what: "retirements",
        valid: Some("rvfi_valid"),
        quiet: vec!["rvfi_valid"],
        ready: None,
        stall: Some("rvfi_stall"),
        ports: vec![
            "rvfi_intr",
            "rvfi_trap",
            "rvfi_insn",
            "rvfi_pc_rdata",
            "rvfi_pc_wdata",
        ],
        cycles: retirements.iter().map(values).collect(),
    }
}

/// Two in a cycle, or one on either channel.
fn rvfi_pair(retirements: &[Retirement]) -> Stimulus {
    let values = |shown: Option<&Retirement>| {
        let retirement = shown.copied().unwrap_or_default();
        [
            shown.is_some().into(),
            retirement.intr.into(),
            retirement.trap.into(),
            retirement.insn.into(),
            retirement.pc,
            retirement.next_pc,
        ]
    };
    let mut cycles = Vec::new();
    let mut left = retirements.iter();
    while let Some(next) = left.next() {
        let pair = match cycles.len() % 3 {
            0 => [Some(next), left.next()],
            1 => [Some(next), None],
            _ => [None, Some(next)],
        };
        cycles.push(pair.into_iter().flat_map(values).collect());
    }
    Stimulus {
        what: "cycles of retirements",
        valid: None,
        quiet: vec!["rvfi_valid", "rvfi_valid_1"],
        ready: None,
        stall: Some("rvfi_stall"),
        ports: vec![
            "rvfi_valid",
            "rvfi_intr",
            "rvfi_trap",
            "rvfi_insn",
            "rvfi_pc_rdata",
            "rvfi_pc_wdata",
            "rvfi_valid_1",
            "rvfi_intr_1",
            "rvfi_trap_1",
            "rvfi_insn_1",
            "rvfi_pc_rdata_1",
            "rvfi_pc_wdata_1",
        ],
        cycles,
    }
}

/// A trap is shown by itself, in front of the first instruction of its handler.
fn retire(retirements: &[Retirement]) -> Stimulus {
    let mut cycles = Vec::new();
    let mut resume = 0;
    for shown in retirements {
        if shown.intr {
            cycles.push(vec![1, 0, 0, resume]);
        }
        cycles.push(vec![0, shown.insn.into(), 0, shown.pc]);
        resume = shown.next_pc;
    }
    Stimulus {
        what: "cycles of the last stage",
        valid: Some("retire_valid"),
        quiet: vec!["retire_valid"],
        ready: None,
        stall: Some("retire_stall"),
        ports: vec!["retire_trap", "retire_insn", "retire_expanded", "retire_pc"],
        cycles,
    }
}

/// A block for each instruction. A trap is shown as an exception at the address it returns to.
fn trace(config: &Config, retirements: &[Retirement]) -> (Stimulus, Vec<BranchRecord>) {
    let form = TraceForm {
        short_itype: config.ports.itype_bits == 3,
        single: config.ports.iretire_bits == 1,
    };
    let mut blocks = Vec::new();
    let mut resume = 0;
    for shown in retirements {
        blocks.extend(shown.intr.then(|| Block::exception(resume)));
        blocks.push(Block::of(shown, xlen(config), form));
        resume = shown.next_pc;
    }
    let mut model = Trace::new(form, xlen(config), config.geometry.event_bits);
    let records = blocks
        .iter()
        .flat_map(|block| model.step(block, block.iretire.into()))
        .collect();
    let values = |block: &Block| {
        vec![
            block.itype.into(),
            block.iaddr,
            block.iretire.into(),
            block.ilastsize.into(),
        ]
    };
    let stimulus = Stimulus {
        what: "blocks",
        ready: None,
        stall: Some("trace_stall"),
        quiet: vec!["trace_iretire", "trace_itype"],
        valid: None,
        ports: vec![
            "trace_itype",
            "trace_iaddr",
            "trace_iretire",
            "trace_ilastsize",
        ],
        cycles: blocks.iter().map(values).collect(),
    };
    (stimulus, records)
}
