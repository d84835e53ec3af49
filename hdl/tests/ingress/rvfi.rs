//! Retirements on a RISC-V Formal Interface.

use hpp_golden::branch::BranchKind;
use hpp_golden::config::Geometry;
use hpp_hdl::IngressOptions;
use hpp_hdl::ingress::RvfiIngress;
use hpp_hdl::sim::Simulator;
use hpp_ingress::{Retirement, Row, Rvfi, RvfiNext, Xlen, decode};
use proptest::prelude::*;

use crate::bench::{Bench, Cycle, Ingress, Manner, check, xlen};
use crate::strategies::{
    BACKWARD, FORWARD, JUMP, MRET, NOP, address, cycles, events, geometry, insn, manner,
};

impl Ingress for Rvfi {
    type Circuit = RvfiIngress;
    type Shown = Retirement;
    const RESERVE: usize = 1;
    const STAGES: usize = 0;
    const STALL: &'static str = "rvfi_stall";

    fn new(geometry: &Geometry, options: &IngressOptions) -> (RvfiIngress, Self) {
        let model = Self::new(xlen(geometry), geometry.event_bits).with_geometry(geometry);
        (RvfiIngress::new(geometry, options), model)
    }

    fn drive(simulator: &mut Simulator<RvfiIngress>, shown: Option<&Retirement>) {
        let retirement = shown.copied().unwrap_or_default();
        simulator.set("rvfi_valid", shown.is_some().into());
        simulator.set("rvfi_insn", retirement.insn.into());
        simulator.set("rvfi_trap", retirement.trap.into());
        simulator.set("rvfi_intr", retirement.intr.into());
        simulator.set("rvfi_pc_rdata", retirement.pc);
        simulator.set("rvfi_pc_wdata", retirement.next_pc);
        simulator.set("rvfi_context", retirement.context.into());
    }

    fn cut(shown: Retirement, mask: u64) -> Retirement {
        Retirement {
            pc: shown.pc & mask,
            next_pc: shown.next_pc & mask,
            ..shown
        }
    }

    fn instructions(_shown: &Retirement) -> u32 {
        1
    }

    fn step(&mut self, shown: Option<&Retirement>, events: u32) -> Row {
        let Some(retirement) = shown else {
            self.idle(events);
            return Row::default();
        };
        Self::step(self, retirement, events)
    }
}

/// The next retirement tells where an instruction leads.
struct Follower(Rvfi);

impl Ingress for Follower {
    type Circuit = RvfiIngress;
    type Shown = Retirement;
    const RESERVE: usize = Rvfi::RESERVE;
    const STAGES: usize = Rvfi::STAGES;
    const STALL: &'static str = Rvfi::STALL;

    fn new(geometry: &Geometry, options: &IngressOptions) -> (RvfiIngress, Self) {
        let options = IngressOptions {
            rvfi_next: RvfiNext::Retirement,
            ..*options
        };
        let (circuit, model) = <Rvfi as Ingress>::new(geometry, &options);
        (circuit, Self(model.with_next(options.rvfi_next)))
    }

    fn drive(simulator: &mut Simulator<RvfiIngress>, shown: Option<&Retirement>) {
        Rvfi::drive(simulator, shown);
    }

    fn cut(shown: Retirement, mask: u64) -> Retirement {
        Rvfi::cut(shown, mask)
    }

    fn instructions(shown: &Retirement) -> u32 {
        Rvfi::instructions(shown)
    }

    fn step(&mut self, shown: Option<&Retirement>, events: u32) -> Row {
        Ingress::step(&mut self.0, shown, events)
    }
}

/// A core that does not always get where its instructions lead.
fn runs() -> impl Strategy<Value = Vec<Cycle<Retirement>>> {
    (cycles(retirement()), any::<[u64; 2]>()).prop_map(|(mut run, handlers)| {
        let mut pc = 0;
        for (i, cycle) in run.iter_mut().enumerate() {
            let Some(shown) = &mut cycle.shown else {
                continue;
            };
            shown.pc = pc;
            let narrow = shown.insn & 3 != 3;
            let instruction = [Xlen::Rv32, Xlen::Rv64].map(|xlen| decode(shown.insn, pc, xlen));
            let behind = pc.wrapping_add(if narrow { 2 } else { 4 });
            pc = match (
                shown.next_pc.wrapping_add(i as u64) % 8,
                instruction[i % 2].transfer,
            ) {
                (0, _) => handlers[0] & !1,
                (1, _) => handlers[1] & !1,
                (2..5, Some(transfer)) => transfer.target.unwrap_or(handlers[0]),
                _ => behind,
            };
        }
        run
    })
}

fn retirement() -> impl Strategy<Value = Retirement> {
    (insn(), address(), 0u64..8, 0u8..8, 0u8..6).prop_map(|(insn, pc, offset, trap, intr)| {
        Retirement {
            pc,
            insn,
            next_pc: pc.wrapping_add(offset),
            trap: trap == 0,
            intr: intr == 0,
            context: insn as u8,
        }
    })
}

fn retire(pc: u64, insn: u32, next_pc: u64) -> Retirement {
    Retirement {
        pc,
        insn,
        next_pc,
        ..Retirement::default()
    }
}

fn entry(pc: u64, insn: u32, next_pc: u64) -> Retirement {
    Retirement {
        intr: true,
        ..retire(pc, insn, next_pc)
    }
}

fn run(retirements: &[Retirement]) -> Bench<Rvfi> {
    let mut bench = Bench::new(&Geometry::default(), 1, 1);
    let cycles: Vec<_> = retirements.iter().copied().map(Cycle::of).collect();
    bench.run(&cycles, Manner::Deaf);
    bench
}

/// A vectored handler's jump makes two records, and a branch retires right after it: it was lost, and the path
/// `2000:TT` was reported where `TNT` was executed.
#[test]
fn a_branch_right_after_a_vectored_handler_s_jump_is_kept() {
    let bench = run(&[
        entry(0x2000, JUMP, 0x2010),
        retire(0x2010, FORWARD, 0x2014),
        retire(0x2014, BACKWARD, 0x2010),
        retire(0x2010, NOP, 0x2014),
    ]);
    let outcomes = bench.seen.iter();
    let outcomes: Vec<_> = outcomes.map(|o| (o.record.kind, o.record.taken)).collect();
    let expected = [
        (BranchKind::Trap, true),
        (BranchKind::Forward, true),
        (BranchKind::Forward, false),
        (BranchKind::Backward, true),
    ];
    assert_eq!((outcomes.as_slice(), bench.lost), (&expected[..], 0));
}

/// Ibex shows the address behind `mret` as what follows it: a path began there that was never executed.
#[test]
fn a_trap_return_leads_to_what_retires_next() {
    let bench = run(&[
        retire(0x110, MRET, 0x114),
        retire(0x20, FORWARD, 0x28),
        retire(0x28, NOP, 0x2c),
    ]);
    let expected = [(BranchKind::TrapReturn, 0x20), (BranchKind::Forward, 0x28)];
    assert_eq!((bench.targets().as_slice(), bench.lost), (&expected[..], 0));
}

/// Where it led is hidden by an interrupt, and the core shows the address behind it: no path goes on from there.
#[test]
fn an_interrupt_right_behind_such_a_trap_return_is_a_loss() {
    let bench = run(&[retire(0x110, MRET, 0x114), entry(0x100, NOP, 0x104)]);
    let marks: Vec<_> = bench.seen.iter().map(|offer| offer.after_loss).collect();
    assert_eq!((marks.as_slice(), bench.lost), (&[false, true][..], 1));
    let bench = run(&[retire(0x110, MRET, 0x20), entry(0x100, NOP, 0x104)]);
    let expected = [(BranchKind::TrapReturn, 0x20), (BranchKind::Trap, 0x100)];
    assert_eq!((bench.targets().as_slice(), bench.lost), (&expected[..], 0));
}

/// Traps without one record-free cycle between them fill the buffer; what is lost then is said.
#[test]
fn a_core_that_never_waits_loses_records_in_the_open() {
    let geometry = Geometry::default();
    let traps = vec![Cycle::of(entry(0x2000, JUMP, 0x2010)); 20];
    assert!(check::<Rvfi>(&geometry, (1, 1), &traps, Manner::Deaf) > 0);
    assert_eq!(check::<Rvfi>(&geometry, (1, 1), &traps, Manner::Polite), 0);
    assert_eq!(check::<Rvfi>(&geometry, (1, 1), &traps, Manner::Late), 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn records_are_those_of_the_model(
        geometry in geometry(),
        events in events(),
        manner in manner(),
        cycles in cycles(retirement()),
    ) {
        check::<Rvfi>(&geometry, events, &cycles, manner);
    }

    #[test]
    fn what_the_next_retirement_tells_is_what_the_model_says(
        geometry in geometry(),
        events in events(),
        manner in manner(),
        cycles in runs(),
    ) {
        check::<Follower>(&geometry, events, &cycles, manner);
    }
}
