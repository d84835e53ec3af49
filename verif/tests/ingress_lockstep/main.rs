//! The emitted Verilog of each ingress by itself against its model and that of its buffer, every output in every cycle.

mod subjects;

use hpp_gen::verilog::emit;
use hpp_golden::config::Geometry;
use hpp_hdl::IngressOptions;
use hpp_hdl::ingress::{RetireIngress, RvfiIngress, RvfiPairIngress, TraceIngress};
use hpp_riscv::trace::{Trace, TraceForm};
use hpp_riscv::{Buffer, Offer, Retire, Rvfi};
use hpp_verif::lockstep::first_seed;
use hpp_verif::lockstep::rvfi::{Mix, Retirements, xlen};
use hpp_verif::lockstep::stream::{StreamRng, rng};
use rand::RngExt;
use std::collections::VecDeque;
use subjects::{PairSubject, RetireSubject, RvfiSubject, Subject, TraceSubject};
use verilated::{Builder, Design, Model};

const CYCLES: u64 = 60_000;

/// A verilated ingress beside the models.
struct Bench<S: Subject> {
    model: Model,
    subject: S,
    buffer: Buffer,
    select: u32,
    stages: VecDeque<(Option<S::Shown>, u32)>,
    records: u64,
    lost: u64,
}

impl<S: Subject> Bench<S> {
    fn new(design: &Design, subject: S, select: u32) -> Self {
        let mut bench = Self {
            model: design.model().expect("a model"),
            subject,
            buffer: Buffer::new(S::RESERVE),
            select,
            stages: vec![(None, u32::from(select == 0)); S::STAGES].into(),
            records: 0,
            lost: 0,
        };
        bench.subject.select(select);
        let clk = bench.model.input("clk").expect("a clock");
        bench.set("event_select", select.into());
        for level in [1, 1, 0] {
            bench.set("rst", level);
            if level == 1 {
                bench.model.cycle(clk).expect("no assertion fails");
            }
        }
        bench
    }

    fn set(&mut self, port: &str, value: u64) {
        let port = self.model.input(port).expect("an input");
        self.model.set(port, value);
    }

    fn get(&self, port: &str) -> u64 {
        self.model.get(self.model.output(port).expect("an output"))
    }

    /// One cycle; `polite`: the core holds when it is asked to.
    fn cycle(&mut self, rng: &mut StreamRng, polite: bool) {
        let clk = self.model.input("clk").expect("a clock");
        let stalls = self.buffer.stalls();
        let shown = self.subject.draw(rng);
        let shows = rng.random_range(0..8) > 0 && !(polite && stalls);
        let shown = shows.then_some(shown);
        if let Some(shown) = &shown {
            self.subject.advance(shown);
        }
        let (external, ready) = (rng.random_range(0..6), rng.random_range(0..8) > 1);
        for (port, value) in S::pins(shown.as_ref()) {
            self.set(port, value);
        }
        self.set("event_in", u64::from(external));
        self.set("records_ready", ready.into());
        self.model.fall(clk).expect("no assertion fails");

        let front = self.buffer.front();
        assert_eq!(self.get(S::STALL) == 1, stalls);
        assert_eq!(self.get("records_valid") == 1, front.is_some());
        if let Some(Offer { record, after_loss }) = front {
            assert_eq!(self.get("records_kind"), u64::from(record.kind.code()));
            assert_eq!(self.get("records_taken") == 1, record.taken);
            assert_eq!(self.get("records_target"), record.target);
            assert_eq!(self.get("records_events"), u64::from(record.events));
            assert_eq!(self.get("records_after_loss") == 1, after_loss);
        }
        let events = match self.select {
            0 => 1,
            1 => shown.as_ref().map_or(0, S::instructions),
            _ => external,
        };
        self.stages.push_back((shown, events));
        let (shown, events) = self.stages.pop_front().expect("pushed above");
        let kept = self.buffer.store(self.subject.step(shown.as_ref(), events));
        assert_eq!(self.get("records_lost") == 1, !kept);
        self.lost += u64::from(!kept);
        if ready && front.is_some() {
            self.records += 1;
            self.buffer.take();
        }
        self.model.rise(clk).expect("no assertion fails");
    }
}

/// Every selection of events, and cores that hold or never do.
fn lockstep<S: Subject>(verilog: String, mut subject: impl FnMut() -> S) {
    let design = Builder::new("ingress").source_text("ingress.v", verilog);
    let design = design.build().expect("Verilator builds the ingress");
    let seed = first_seed("ingress_lockstep");
    for select in 0..3 {
        for polite in [true, false] {
            let mut bench = Bench::new(&design, subject(), select);
            let mut rng = rng(seed + u64::from(select));
            for _ in 0..CYCLES {
                bench.cycle(&mut rng, polite);
            }
            let (records, lost) = (bench.records, bench.lost);
            assert!(records > CYCLES / 8, "{records} records");
            assert!(polite || lost > 0, "nothing was lost");
        }
    }
}

fn geometries() -> [Geometry; 2] {
    [32, 64].map(|pc_bits| Geometry {
        pc_bits,
        align: 1,
        event_bits: 6,
        ..Geometry::default()
    })
}

#[test]
fn rvfi_is_its_model() {
    for geometry in geometries() {
        let written = emit(&RvfiIngress::new(&geometry), "ingress").expect("can be written");
        lockstep(written.text, || RvfiSubject {
            model: Rvfi::new(xlen(&geometry), geometry.event_bits),
            program: Retirements::new(Mix::Uniform, &geometry),
        });
    }
}

#[test]
fn two_channels_of_rvfi_are_their_model() {
    for geometry in geometries() {
        let written = emit(&RvfiPairIngress::new(&geometry), "ingress").expect("can be written");
        lockstep(written.text, || PairSubject {
            model: Rvfi::new(xlen(&geometry), geometry.event_bits),
            program: Retirements::new(Mix::Uniform, &geometry),
            select: 0,
        });
    }
}

#[test]
fn the_last_stage_is_its_model() {
    for geometry in geometries() {
        let written = emit(&RetireIngress::new(&geometry), "ingress").expect("can be written");
        lockstep(written.text, || RetireSubject {
            model: Retire::new(xlen(&geometry), geometry.event_bits),
            program: Retirements::new(Mix::Uniform, &geometry),
        });
    }
}

#[test]
fn the_trace_interface_is_its_model() {
    for (geometry, short_itype, single) in [
        (geometries()[0], false, false),
        (geometries()[1], false, true),
        (geometries()[0], true, false),
        (geometries()[1], true, true),
    ] {
        let options = IngressOptions {
            itype_bits: if short_itype { 3 } else { 4 },
            iretire_bits: if single { 1 } else { 3 },
            ..IngressOptions::default()
        };
        let form = TraceForm {
            short_itype,
            single,
        };
        let circuit = TraceIngress::new(&geometry, &options);
        let written = emit(&circuit, "ingress").expect("can be written");
        lockstep(written.text, || TraceSubject {
            model: Trace::new(form, xlen(&geometry), geometry.event_bits),
            form,
        });
    }
}
