//! What a testbench shows a profiler: a program's retirements, as its ingress takes them.

use hpp_golden::branch::BranchRecord;
use hpp_hdl::Ingress;
use hpp_ingress::Retirement;
use serde::Serialize;

/// Values of ports, in one cycle after another.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Stimulus {
    /// What a cycle is.
    what: &'static str,
    /// Port that says that there is one: 1, or a value of its own if it is among `ports`.
    valid: &'static str,
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
    /// The retirements, or the records of them, for the ports of an ingress.
    pub(crate) fn new(
        ingress: Ingress,
        retirements: &[Retirement],
        records: &[BranchRecord],
    ) -> Self {
        match ingress {
            Ingress::Native => native(records),
            Ingress::Rvfi => rvfi(retirements),
            Ingress::Retire => retire(retirements),
        }
    }
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
        valid: "br_valid",
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
        valid: "rvfi_valid",
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
        valid: "retire_valid",
        ready: None,
        stall: Some("retire_stall"),
        ports: vec!["retire_trap", "retire_insn", "retire_expanded", "retire_pc"],
        cycles,
    }
}
