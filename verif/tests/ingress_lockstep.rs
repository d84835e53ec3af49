//! The emitted Verilog of each ingress by itself against its model and that of its buffer, every output in every cycle.

use hpp_gen::verilog::emit;
use hpp_golden::config::Geometry;
use hpp_hdl::IngressOptions;
use hpp_hdl::ingress::{RetireIngress, RvfiIngress, RvfiPairIngress, TraceIngress};
use hpp_riscv::trace::{Block, Trace, TraceForm};
use hpp_riscv::{Buffer, LastStage, Offer, Retire, Retirement, Row, Rvfi};
use hpp_verif::lockstep::first_seed;
use hpp_verif::lockstep::rvfi::{Mix, Retirements, xlen};
use hpp_verif::lockstep::stream::{StreamRng, rng};
use rand::RngExt;
use std::collections::VecDeque;
use verilated::{Builder, Design, Model};

const CYCLES: u64 = 60_000;

/// Values of ports.
type Pins = Vec<(&'static str, u64)>;

/// An ingress: what it is shown, and its model.
trait Subject {
    /// What the core shows in a cycle.
    type Shown: Clone;
    /// Cycles from the ports to the model.
    const STAGES: usize;
    /// Places that the buffer keeps when it asks the core to hold.
    const RESERVE: usize;
    /// The port that asks.
    const STALL: &'static str;

    fn draw(&mut self, rng: &mut StreamRng) -> Self::Shown;
    /// What is counted.
    fn select(&mut self, _select: u32) {}
    /// It was shown.
    fn advance(&mut self, _shown: &Self::Shown) {}
    fn pins(shown: Option<&Self::Shown>) -> Pins;
    fn instructions(shown: &Self::Shown) -> u32;
    fn step(&mut self, shown: Option<&Self::Shown>, events: u32) -> Row;
}

struct RvfiSubject {
    model: Rvfi,
    program: Retirements,
}

impl Subject for RvfiSubject {
    type Shown = Retirement;
    const STAGES: usize = 0;
    const RESERVE: usize = 1;
    const STALL: &'static str = "rvfi_stall";

    fn draw(&mut self, rng: &mut StreamRng) -> Retirement {
        self.program.draw(rng)
    }

    fn advance(&mut self, shown: &Retirement) {
        self.program.advance(shown);
    }

    fn pins(shown: Option<&Retirement>) -> Pins {
        let retirement = shown.copied().unwrap_or_default();
        vec![
            ("rvfi_valid", shown.is_some().into()),
            ("rvfi_insn", retirement.insn.into()),
            ("rvfi_trap", retirement.trap.into()),
            ("rvfi_intr", retirement.intr.into()),
            ("rvfi_pc_rdata", retirement.pc),
            ("rvfi_pc_wdata", retirement.next_pc),
        ]
    }

    fn instructions(_shown: &Retirement) -> u32 {
        1
    }

    fn step(&mut self, shown: Option<&Retirement>, events: u32) -> Row {
        let Some(retirement) = shown else {
            self.model.idle(events);
            return Row::default();
        };
        self.model.step(retirement, events)
    }
}

struct PairSubject {
    model: Rvfi,
    program: Retirements,
    select: u32,
}

impl Subject for PairSubject {
    type Shown = [Option<Retirement>; 2];
    const STAGES: usize = 0;
    const RESERVE: usize = 1;
    const STALL: &'static str = "rvfi_stall";

    fn draw(&mut self, rng: &mut StreamRng) -> Self::Shown {
        let program = &mut self.program;
        [0; 2].map(|_| {
            let retirement = program.draw(rng);
            let shows = rng.random_range(0..4) > 0;
            if shows {
                program.advance(&retirement);
            }
            shows.then_some(retirement)
        })
    }

    fn pins(shown: Option<&Self::Shown>) -> Pins {
        let channels = shown.copied().unwrap_or_default();
        let [first, second] = channels.map(Option::unwrap_or_default);
        vec![
            ("rvfi_valid", channels[0].is_some().into()),
            ("rvfi_insn", first.insn.into()),
            ("rvfi_trap", first.trap.into()),
            ("rvfi_intr", first.intr.into()),
            ("rvfi_pc_rdata", first.pc),
            ("rvfi_pc_wdata", first.next_pc),
            ("rvfi_valid_1", channels[1].is_some().into()),
            ("rvfi_insn_1", second.insn.into()),
            ("rvfi_trap_1", second.trap.into()),
            ("rvfi_intr_1", second.intr.into()),
            ("rvfi_pc_rdata_1", second.pc),
            ("rvfi_pc_wdata_1", second.next_pc),
        ]
    }

    fn instructions(_shown: &Self::Shown) -> u32 {
        0
    }

    fn select(&mut self, select: u32) {
        self.select = select;
    }

    fn step(&mut self, shown: Option<&Self::Shown>, events: u32) -> Row {
        let channels = shown.copied().unwrap_or_default();
        let events = match self.select {
            1 => channels.map(|channel| u32::from(channel.is_some())),
            _ => [events, 0],
        };
        self.model.cycle(&channels, &events)
    }
}

struct RetireSubject {
    model: Retire,
    program: Retirements,
}

impl Subject for RetireSubject {
    type Shown = LastStage;
    const STAGES: usize = 1;
    const RESERVE: usize = 2;
    const STALL: &'static str = "retire_stall";

    fn draw(&mut self, rng: &mut StreamRng) -> LastStage {
        let retirement = self.program.draw(rng);
        self.program.advance(&retirement);
        LastStage {
            pc: retirement.pc,
            insn: retirement.insn,
            expanded: rng.random_range(0..8) == 0,
            trap: retirement.trap,
        }
    }

    fn pins(shown: Option<&LastStage>) -> Pins {
        let stage = shown.copied().unwrap_or_default();
        vec![
            ("retire_valid", shown.is_some().into()),
            ("retire_trap", stage.trap.into()),
            ("retire_insn", stage.insn.into()),
            ("retire_expanded", stage.expanded.into()),
            ("retire_pc", stage.pc),
        ]
    }

    fn instructions(shown: &LastStage) -> u32 {
        u32::from(!shown.trap)
    }

    fn step(&mut self, shown: Option<&LastStage>, events: u32) -> Row {
        let Some(stage) = shown else {
            self.model.idle(events);
            return Row::default();
        };
        let record = self.model.step(stage, events);
        Row {
            offers: record.into_iter().map(Offer::new).collect(),
            lost: false,
        }
    }
}

struct TraceSubject {
    model: Trace,
    form: TraceForm,
}

impl Subject for TraceSubject {
    type Shown = Block;
    const STAGES: usize = 1;
    const RESERVE: usize = 2;
    const STALL: &'static str = "trace_stall";

    fn draw(&mut self, rng: &mut StreamRng) -> Block {
        let (types, most) = (
            if self.form.short_itype { 8 } else { 16 },
            if self.form.single { 2 } else { 8 },
        );
        Block {
            itype: rng.random_range(0..types),
            // So few addresses that many a block follows the one before.
            iaddr: 2 * rng.random_range(0..16),
            iretire: rng.random_range(0..most),
            ilastsize: rng.random_range(0..2),
        }
    }

    fn pins(shown: Option<&Block>) -> Pins {
        let block = shown.copied().unwrap_or_default();
        vec![
            ("trace_itype", block.itype.into()),
            ("trace_iaddr", block.iaddr),
            ("trace_iretire", block.iretire.into()),
            ("trace_ilastsize", block.ilastsize.into()),
        ]
    }

    fn instructions(shown: &Block) -> u32 {
        shown.iretire.into()
    }

    fn step(&mut self, shown: Option<&Block>, events: u32) -> Row {
        let block = shown.copied().unwrap_or_default();
        self.model.step(&block, events)
    }
}

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
