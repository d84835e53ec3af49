//! The emitted Verilog of each ingress by itself against its model and that of its buffer, every output in every cycle.

mod subjects;

use hpp_gen::verilog::emit;
use hpp_golden::config::Geometry;
use hpp_hdl::IngressOptions;
use hpp_hdl::ingress::{RetireIngress, RvfiIngress, TraceIngress};
use hpp_lockstep::rvfi::{Mix, Retirements, xlen};
use hpp_lockstep::stream::{StreamRng, rng};
use hpp_lockstep::{first_seed, powered_up};
use hpp_riscv::trace::{Trace, TraceForm};
use hpp_riscv::{Buffer, Offer, Retire, Rvfi, events_of};
use rand::RngExt;
use std::collections::VecDeque;
use std::num::NonZeroU32;
use subjects::{CONTEXT_BITS, RetireSubject, RvfiSubject, Subject, TraceSubject};
use verilated::{Builder, Design, Model};

const CYCLES: u64 = 30_000;

/// A reset once in so many cycles.
const RESET_ODDS: u64 = 50;

/// Inputs of events of the circuits with several.
const INPUTS: u32 = 3;

/// A verilated ingress beside the models.
struct Bench<'a, S: Subject> {
    model: Model,
    /// Makes a subject as it is behind reset.
    fresh: &'a dyn Fn() -> S,
    subject: S,
    buffer: Buffer,
    /// Inputs of events, the type selected.
    events: (u32, u8),
    stages: VecDeque<(Option<S::Shown>, u32)>,
    records: u64,
    lost: u64,
    resets: u64,
    /// Records taken since the last reset.
    life: u64,
}

impl<'a, S: Subject> Bench<'a, S> {
    fn new(
        design: &Design,
        fresh: &'a dyn Fn() -> S,
        (inputs, select): (u32, u8),
        seed: u64,
    ) -> Self {
        let power_up = NonZeroU32::MIN.saturating_add(seed as u32);
        let mut bench = Self {
            model: powered_up(design, power_up).expect("a model"),
            fresh,
            subject: fresh(),
            buffer: Buffer::new(S::RESERVE),
            events: (inputs, select),
            stages: VecDeque::new(),
            records: 0,
            lost: 0,
            resets: 0,
            life: 0,
        };
        bench.set("event_select", select.into());
        bench.reset(2, &mut rng(seed));
        bench
    }

    /// So many cycles of reset, whatever the inputs are; nothing of before is left.
    fn reset(&mut self, cycles: u32, rng: &mut StreamRng) {
        let clk = self.model.input("clk").expect("a clock");
        let (_, select) = self.events;
        let mut events = 0;
        self.set("rst", 1);
        for _ in 0..cycles {
            let inputs = self.draw_events(rng);
            events = events_of(select, 0, &inputs);
            self.model.cycle(clk).expect("no assertion fails");
        }
        self.set("rst", 0);
        self.subject = (self.fresh)();
        self.subject.select(select);
        self.buffer = Buffer::new(S::RESERVE);
        // A stage takes in what happens in the last cycle of a reset: it counts for the first record.
        self.stages = vec![(None, events); S::STAGES].into();
        self.life = 0;
    }

    /// Drives the inputs of events.
    fn draw_events(&mut self, rng: &mut StreamRng) -> Vec<u32> {
        let (inputs, _) = self.events;
        let inputs: Vec<u32> = (0..inputs).map(|_| rng.random_range(0..6)).collect();
        let parts: Vec<u64> = inputs.iter().map(|events| u64::from(*events)).collect();
        self.set_parts("event_in", &parts);
        inputs
    }

    fn set(&mut self, port: &str, value: u64) {
        let port = self.model.input(port).expect("an input");
        self.model.set(port, value);
    }

    /// Drives a port with parts of equal width, the lowest first.
    fn set_parts(&mut self, port: &str, parts: &[u64]) {
        let input = self.model.input(port).expect("an input");
        let width = self.model.input_width(input);
        if parts.len() == 1 || width <= 64 {
            let part = width / parts.len() as u32;
            let whole = parts.iter().rev().fold(0, |whole, value| match part {
                64 => *value,
                _ => whole << part | value,
            });
            return self.model.set(input, whole);
        }
        let (part, mut words) = (
            width as usize / parts.len(),
            vec![0; width.div_ceil(32) as usize],
        );
        for bit in 0..width as usize {
            let value = parts[bit / part] >> (bit % part) & 1;
            words[bit / 32] |= (value as u32) << (bit % 32);
        }
        self.model.set_words(input, &words);
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
        let ready = rng.random_range(0..8) > 1;
        for (port, parts) in self.subject.pins(shown.as_ref()) {
            // Only a profiler with contexts has a port for them.
            if !port.ends_with("_context") || self.model.input(port).is_ok() {
                self.set_parts(port, &parts);
            }
        }
        let (_, select) = self.events;
        let inputs = self.draw_events(rng);
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
            // Behind the very first record nobody knows what was before it.
            if let Ok(behind) = self.model.output("records_behind")
                && self.life > 0
            {
                assert_eq!(self.model.get(behind), record.next);
            }
        }
        let instructions = shown.as_ref().map_or(0, S::instructions);
        let events = events_of(select, instructions, &inputs);
        self.stages.push_back((shown, events));
        let (shown, events) = self.stages.pop_front().expect("pushed above");
        let kept = self.buffer.store(self.subject.step(shown.as_ref(), events));
        assert_eq!(self.get("records_lost") == 1, !kept);
        self.lost += u64::from(!kept);
        if ready && front.is_some() {
            self.records += 1;
            self.life += 1;
            self.buffer.take();
        }
        self.model.rise(clk).expect("no assertion fails");
        // In the midst of whatever goes on: a row of two records, a stage that waits for what follows it.
        if rng.random_range(0..RESET_ODDS) == 0 {
            self.reset(rng.random_range(1..4), rng);
            self.resets += 1;
        }
    }
}

/// Every selection of events, and cores that hold or never do.
fn lockstep<S: Subject>(inputs: u32, verilog: String, fresh: impl Fn() -> S) {
    let design = Builder::new("ingress").source_text("ingress.v", verilog);
    let design = design.build().expect("Verilator builds the ingress");
    let seed = first_seed("ingress_lockstep");
    for select in 0..=inputs as u8 + 1 {
        for polite in [true, false] {
            let seed = seed + u64::from(select);
            let mut bench = Bench::new(&design, &fresh, (inputs, select), seed);
            let mut rng = rng(seed);
            for _ in 0..CYCLES {
                bench.cycle(&mut rng, polite);
            }
            let (records, lost) = (bench.records, bench.lost);
            assert!(records > CYCLES / 8, "{records} records");
            assert!(polite || lost > 0, "nothing was lost");
            let resets = bench.resets;
            assert!(resets > CYCLES / RESET_ODDS / 2, "{resets} resets");
        }
    }
}

/// RV32, RV64, and RV32 with contexts and a checked stack.
fn geometries() -> [Geometry; 3] {
    [(32, false), (64, false), (32, true)].map(|(pc_bits, guarded)| Geometry {
        pc_bits,
        align: 1,
        event_bits: 6,
        context_bits: if guarded { CONTEXT_BITS } else { 0 },
        stack_check: guarded,
        drain_depth: 0,
        ..Geometry::default()
    })
}

/// Options of a circuit with so many inputs of events and channels.
fn options(event_inputs: u32, retire_channels: u32) -> IngressOptions {
    IngressOptions {
        event_inputs,
        retire_channels,
        ..IngressOptions::default()
    }
}

/// The circuit of so many channels.
fn rvfi(channels: u32) {
    for (geometry, inputs) in geometries().into_iter().zip([1, INPUTS, 1]) {
        let circuit = RvfiIngress::new(&geometry, &options(inputs, channels));
        let written = emit(&circuit, "ingress").expect("can be written");
        lockstep(inputs, written.text, || RvfiSubject {
            model: Rvfi::new(xlen(&geometry), geometry.event_bits).with_contexts(&geometry),
            program: Retirements::new(Mix::Uniform, &geometry),
            channels: channels as usize,
            select: 0,
        });
    }
}

#[test]
fn rvfi_is_its_model() {
    rvfi(1);
}

#[test]
fn two_channels_of_rvfi_are_their_model() {
    rvfi(2);
}

#[test]
fn three_channels_of_rvfi_are_their_model() {
    rvfi(3);
}

#[test]
fn four_channels_of_rvfi_are_their_model() {
    rvfi(4);
}

#[test]
fn the_last_stage_is_its_model() {
    for (geometry, inputs) in geometries().into_iter().zip([INPUTS, 1, 1]) {
        let circuit = RetireIngress::new(&geometry, &options(inputs, 1));
        let written = emit(&circuit, "ingress").expect("can be written");
        lockstep(inputs, written.text, || RetireSubject {
            model: Retire::new(xlen(&geometry), geometry.event_bits).with_contexts(&geometry),
            program: Retirements::new(Mix::Uniform, &geometry),
        });
    }
}

#[test]
fn the_trace_interface_is_its_model() {
    for (geometry, short_itype, single, inputs) in [
        (geometries()[0], false, false, 1),
        (geometries()[1], false, true, INPUTS),
        (geometries()[0], true, false, 2),
        (geometries()[1], true, true, 1),
        (geometries()[2], false, false, 1),
    ] {
        let options = IngressOptions {
            itype_bits: if short_itype { 3 } else { 4 },
            iretire_bits: if single { 1 } else { 3 },
            ..options(inputs, 1)
        };
        let form = TraceForm {
            short_itype,
            single,
        };
        let circuit = TraceIngress::new(&geometry, &options);
        let written = emit(&circuit, "ingress").expect("can be written");
        lockstep(inputs, written.text, || TraceSubject {
            model: Trace::new(form, xlen(&geometry), geometry.event_bits).with_contexts(&geometry),
            form,
        });
    }
}
