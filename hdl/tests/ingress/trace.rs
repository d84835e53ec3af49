//! The interface to a trace encoder.

use hpp_golden::branch::BranchKind;
use hpp_golden::config::Geometry;
use hpp_hdl::IngressOptions;
use hpp_hdl::ingress::TraceIngress;
use hpp_hdl::sim::Simulator;
use hpp_ingress::{Block, Row, Trace, TraceForm};
use proptest::prelude::*;

use crate::bench::{Bench, Cycle, Ingress, Manner, check, xlen};
use crate::strategies::{cycles, events, geometry, manner, near_zero};

/// A form of the interface, which a circuit is made for.
struct Form<const SHORT: bool, const SINGLE: bool>(Trace);

impl<const SHORT: bool, const SINGLE: bool> Ingress for Form<SHORT, SINGLE> {
    type Circuit = TraceIngress;
    type Shown = Block;
    const RESERVE: usize = 2;
    const STAGES: usize = 1;
    const STALL: &'static str = "trace_stall";

    fn new(geometry: &Geometry, options: &IngressOptions) -> (TraceIngress, Self) {
        let form = TraceForm {
            short_itype: SHORT,
            single: SINGLE,
        };
        let options = IngressOptions {
            itype_bits: if SHORT { 3 } else { 4 },
            iretire_bits: if SINGLE { 1 } else { 5 },
            ..*options
        };
        let model = Trace::new(form, xlen(geometry), geometry.event_bits).with_geometry(geometry);
        (TraceIngress::new(geometry, &options), Self(model))
    }

    fn drive(simulator: &mut Simulator<TraceIngress>, shown: Option<&Block>) {
        let block = shown.copied().unwrap_or_default();
        simulator.set("trace_itype", block.itype.into());
        simulator.set("trace_iaddr", block.iaddr);
        simulator.set("trace_iretire", block.iretire.into());
        simulator.set("trace_ilastsize", block.ilastsize.into());
        simulator.set("trace_context", block.context.into());
    }

    fn cut(shown: Block, mask: u64) -> Block {
        Block {
            itype: shown.itype & if SHORT { 7 } else { 15 },
            iaddr: shown.iaddr & mask,
            iretire: shown.iretire & if SINGLE { 1 } else { 31 },
            ..shown
        }
    }

    fn instructions(shown: &Block) -> u32 {
        shown.iretire.into()
    }

    fn step(&mut self, shown: Option<&Block>, events: u32) -> Row {
        self.0.step(&shown.copied().unwrap_or_default(), events)
    }
}

/// Blocks of which many follow each other.
fn block() -> impl Strategy<Value = Block> {
    let itype = prop_oneof![3 => Just(0u8), 6 => 0u8..16];
    let iretire = prop_oneof![1 => Just(0u8), 4 => 1u8..6];
    (itype, near_zero(), iretire, 0u8..2).prop_map(|(itype, iaddr, iretire, ilastsize)| Block {
        itype,
        iaddr,
        iretire,
        ilastsize,
        context: iaddr as u8,
    })
}

fn shown(itype: u8, iaddr: u64, iretire: u8, ilastsize: u8) -> Cycle<Block> {
    Cycle::of(Block {
        itype,
        iaddr,
        iretire,
        ilastsize,
        context: 0,
    })
}

/// The specification's example of retirement sequences: a call, a branch not taken, one taken.
#[test]
fn the_specifications_example_makes_its_records() {
    let mut bench = Bench::<Form<false, false>>::new(&Geometry::default(), 1, 1);
    let cycles = [
        shown(8, 0x1000, 7, 0),
        shown(4, 0x0940, 3, 0),
        shown(5, 0x0946, 1, 0),
        shown(0, 0x0988, 4, 1),
    ];
    bench.run(&cycles, Manner::Deaf);
    let expected = [
        (BranchKind::IndirectCall, 0x0940),
        (BranchKind::Forward, 0x0946),
        (BranchKind::Forward, 0x0988),
    ];
    assert_eq!((bench.targets().as_slice(), bench.lost), (&expected[..], 0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn records_are_those_of_the_model(
        geometry in geometry(),
        events in events(),
        manner in manner(),
        cycles in cycles(block()),
    ) {
        check::<Form<false, false>>(&geometry, events, &cycles, manner);
        check::<Form<false, true>>(&geometry, events, &cycles, manner);
        check::<Form<true, false>>(&geometry, events, &cycles, manner);
        check::<Form<true, true>>(&geometry, events, &cycles, manner);
    }
}
