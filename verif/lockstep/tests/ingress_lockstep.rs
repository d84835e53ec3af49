//! The emitted Verilog of each ingress by itself against its model and that of its buffer, every output in every cycle.

use hpp_gen::verilog::emit;
use hpp_golden::config::Geometry;
use hpp_hdl::ingress::{RetireIngress, RvfiIngress, TraceIngress};
use hpp_hdl::{IngressOptions, Vendor};
use hpp_lockstep::ingress::{
    IngressModel, IngressPorts, Interface, Model, Presented, RetireInterface, RvfiInterface, Shown,
    TraceInterface,
};
use hpp_lockstep::stream::{StreamRng, rng};
use hpp_lockstep::{Nonsense, first_seed, powered_up};
use hpp_riscv::RvfiNext;
use hpp_riscv::trace::TraceForm;
use rand::{Rng, RngExt};
use rust_hdl::prelude::Block;
use std::num::NonZeroU32;
use verilated::{Builder, Design};

const CYCLES: u64 = 30_000;

/// A reset, and a time in which the profiler is disabled, once in so many cycles.
const RESET_ODDS: u64 = 50;

/// Inputs of events of the circuits with several.
const INPUTS: u32 = 3;

struct Bench<I: Interface> {
    circuit: verilated::Model,
    ports: IngressPorts,
    interface: I,
    model: Model<I>,
    select: u8,
    nonsense: Nonsense,
    records: u64,
    lost: u64,
    resets: u64,
    life: u64,
    /// The next record is the first after the profiler was disabled. Nobody looks at its events.
    vague: bool,
}

impl<I: Interface> Bench<I> {
    fn new(
        design: &Design,
        (interface, geometry, inputs): (&I, &Geometry, u32),
        select: u8,
        seed: u64,
    ) -> Self {
        let power_up = NonZeroU32::MIN.saturating_add(seed as u32);
        let circuit = powered_up(design, power_up).expect("a model");
        let mut bench = Self {
            ports: IngressPorts::find::<I>(&circuit, interface.channels()).expect("its ports"),
            circuit,
            interface: interface.clone(),
            model: Model::new(interface.clone(), geometry, inputs),
            select,
            nonsense: Nonsense::default(),
            records: 0,
            lost: 0,
            resets: 0,
            life: 0,
            vague: false,
        };
        bench.set("event_select", select.into());
        bench.set("enable", 1);
        bench.reset(2, &mut rng(seed));
        bench
    }

    /// So many cycles of reset, whatever the inputs are; nothing of before is left.
    fn reset(&mut self, cycles: u32, rng: &mut StreamRng) {
        let clk = self.circuit.input("clk").expect("a clock");
        self.set("rst", 1);
        for _ in 0..cycles {
            let shown = self.interface.draw(rng).into();
            let event_in = self.drive(&shown, rng);
            self.circuit.cycle(clk).expect("no assertion fails");
            self.model.reset(event_in, self.select);
        }
        self.set("rst", 0);
        self.life = 0;
    }

    /// Drives what is shown, and inputs of events, which it returns: few, so that the sum of some saturates now and then.
    fn drive(&mut self, shown: &Shown, rng: &mut StreamRng) -> u64 {
        let event_in = match rng.random_range(0..3) {
            0 => 0,
            1 => rng.next_u64() & rng.next_u64() & rng.next_u64(),
            _ => rng.next_u64(),
        };
        let nonsense = &mut self.nonsense;
        self.ports
            .drive(&mut self.circuit, shown, event_in, nonsense);
        event_in
    }

    fn set(&mut self, port: &str, value: u64) {
        let port = self.circuit.input(port).expect("an input");
        self.circuit.set(port, value);
    }

    fn get(&self, port: &str) -> u64 {
        self.circuit
            .get(self.circuit.output(port).expect("an output"))
    }

    /// One cycle; `polite`: the core holds when it is asked to.
    fn cycle(&mut self, rng: &mut StreamRng, polite: bool) {
        if rng.random_range(0..RESET_ODDS) == 0 {
            self.set("enable", 0);
            (0..rng.random_range(1..8)).for_each(|_| self.one_cycle(rng, false, false));
            self.set("enable", 1);
            (self.life, self.vague) = (0, true);
        }
        self.one_cycle(rng, polite, true);
    }

    fn one_cycle(&mut self, rng: &mut StreamRng, polite: bool, enabled: bool) {
        let clk = self.circuit.input("clk").expect("a clock");
        let holds = polite && self.circuit.get(self.ports.stall()) == 1;
        let shown = match rng.random_range(0..8) > 0 && !holds {
            true => self.interface.draw(rng).into(),
            false => Shown::Nothing,
        };
        let ready = rng.random_range(0..8) > 1;
        let event_in = self.drive(&shown, rng);
        self.set("records_ready", ready.into());
        self.circuit.fall(clk).expect("no assertion fails");

        let known = if enabled { &shown } else { &Shown::Nothing };
        let mut presented = self.model.cycle(known, event_in, self.select);
        if !enabled {
            presented.lost = false;
            self.model.reset(event_in, self.select);
        }
        self.compare(&presented);
        self.lost += u64::from(presented.lost);
        if ready && presented.front.is_some() {
            self.records += 1;
            self.life += 1;
            self.vague = false;
            self.model.take();
        }
        self.circuit.rise(clk).expect("no assertion fails");
        // In the midst of whatever goes on: a row of two records, a stage that waits for what follows it.
        if rng.random_range(0..RESET_ODDS) == 0 {
            self.reset(rng.random_range(1..4), rng);
            self.resets += 1;
        }
    }

    fn compare(&self, presented: &Presented) {
        assert_eq!(self.get(I::STALL) == 1, presented.stalls);
        assert_eq!(self.get("records_lost") == 1, presented.lost);
        assert_eq!(self.get("records_valid") == 1, presented.front.is_some());
        let Some(offer) = presented.front else {
            return;
        };
        let record = offer.record;
        assert_eq!(self.get("records_kind"), u64::from(record.kind.code()));
        assert_eq!(self.get("records_taken") == 1, record.taken);
        assert_eq!(self.get("records_target"), record.target);
        if !self.vague {
            assert_eq!(self.get("records_events"), u64::from(record.events));
        }
        assert_eq!(self.get("records_after_loss") == 1, offer.after_loss);
        // Behind the very first record nobody knows what was before it.
        if let Ok(next) = self.circuit.output("records_behind")
            && self.life > 0
        {
            assert_eq!(self.circuit.get(next), record.next);
        }
    }
}

/// Every selection of events, and cores that hold or never do.
fn lockstep<I: Interface>(inputs: u32, circuit: &dyn Block, geometry: &Geometry, interface: &I) {
    let written = emit(circuit, "ingress").expect("can be written");
    let design = Builder::new("ingress").source_text("ingress.v", written.text);
    let design = design.build().expect("Verilator builds the ingress");
    let seed = first_seed("ingress_lockstep");
    for select in 0..=inputs as u8 + 1 {
        for polite in [true, false] {
            let seed = seed + u64::from(select);
            let mut bench = Bench::new(&design, (interface, geometry, inputs), select, seed);
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
        context_bits: if guarded { 3 } else { 0 },
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

fn rvfi(channels: u32, rvfi_next: RvfiNext) {
    for (geometry, inputs) in geometries().iter().zip([1, INPUTS, 1]) {
        let options = IngressOptions {
            rvfi_next,
            ..options(inputs, channels)
        };
        rvfi_with(geometry, &options);
    }
}

fn rvfi_with(geometry: &Geometry, options: &IngressOptions) {
    let circuit = RvfiIngress::new(geometry, options);
    let interface = RvfiInterface::new(geometry, options);
    lockstep(options.event_inputs, &circuit, geometry, &interface);
}

fn retire(geometry: &Geometry, options: &IngressOptions) {
    let circuit = RetireIngress::new(geometry, options);
    let interface = RetireInterface::new(geometry, options);
    lockstep(options.event_inputs, &circuit, geometry, &interface);
}

fn last_stage() {
    for (geometry, inputs) in geometries().iter().zip([INPUTS, 1, 1]) {
        retire(geometry, &options(inputs, 1));
    }
}

fn zcmp_and_zcmt() {
    let [rv32, rv64, guarded] = geometries();
    let zcmp = IngressOptions {
        zcmp: true,
        ..options(1, 1)
    };
    retire(&rv32, &zcmp);
    retire(&guarded, &zcmp);
    for (geometry, retire_channels, rvfi_next) in [
        (rv64, 1, RvfiNext::PcWdata),
        (rv32, 2, RvfiNext::PcWdata),
        (guarded, 1, RvfiNext::Retirement),
    ] {
        let options = IngressOptions {
            retire_channels,
            rvfi_next,
            ..zcmp
        };
        rvfi_with(&geometry, &options);
    }
}

fn of_vendor(vendor: Vendor, zcmp: bool) {
    let [rv32, rv64, guarded] = geometries();
    let core = |retire_channels| IngressOptions {
        vendor,
        zcmp,
        ..options(1, retire_channels)
    };
    for geometry in [&rv32, &guarded] {
        retire(geometry, &core(1));
        rvfi_with(geometry, &core(1));
    }
    rvfi_with(&rv64, &core(2));
    let follows = IngressOptions {
        rvfi_next: RvfiNext::Retirement,
        ..core(2)
    };
    rvfi_with(&rv32, &follows);
}

/// The trace interface of a form, with blocks of up to so many half words.
fn trace(geometry: &Geometry, (short_itype, iretire_bits): (bool, u32), inputs: u32) {
    let form = TraceForm {
        short_itype,
        single: iretire_bits == 1,
    };
    let options = IngressOptions {
        itype_bits: if short_itype { 3 } else { 4 },
        iretire_bits,
        ..options(inputs, 1)
    };
    let circuit = TraceIngress::new(geometry, &options);
    let interface = TraceInterface::new(geometry, form).with_iretire_bits(iretire_bits);
    lockstep(inputs, &circuit, geometry, &interface);
}

fn trace_of_each_form() {
    let [rv32, rv64, guarded] = geometries();
    trace(&rv32, (false, 3), 1);
    trace(&rv64, (false, 1), INPUTS);
    trace(&rv32, (true, 3), 2);
    trace(&rv64, (true, 1), 1);
    trace(&guarded, (false, 3), 1);
}

/// Events of a width, and blocks of a width in one of the geometries.
fn trace_of_widths(widths: &[(u32, u32, usize)]) {
    for &(iretire_bits, event_bits, place) in widths {
        let geometry = Geometry {
            event_bits,
            ..geometries()[place]
        };
        trace(&geometry, (false, iretire_bits), 1);
    }
}

verilated::tests! {
    rvfi_is_its_model: rvfi(1, RvfiNext::PcWdata);
    two_channels_of_rvfi_are_their_model: rvfi(2, RvfiNext::PcWdata);
    three_channels_of_rvfi_are_their_model: rvfi(3, RvfiNext::PcWdata);
    four_channels_of_rvfi_are_their_model: rvfi(4, RvfiNext::PcWdata);
    rvfi_that_waits_for_the_next_retirement_is_its_model: rvfi(1, RvfiNext::Retirement);
    three_channels_that_wait_for_the_next_retirement_are_their_model: rvfi(3, RvfiNext::Retirement);
    the_last_stage_is_its_model: last_stage();
    cores_with_zcmp_and_zcmt_are_their_models: zcmp_and_zcmt();
    cores_of_core_v_are_their_models: of_vendor(Vendor::CoreV, false);
    cores_of_andes_are_their_models: of_vendor(Vendor::Andes, false);
    cores_of_qualcomm_are_their_models: of_vendor(Vendor::Qualcomm, true);
    the_trace_interface_is_its_model: trace_of_each_form();
    /// Blocks of up to 255 half words, of which more may retire at once than can be counted.
    the_trace_interface_of_any_width_is_its_model:
        trace_of_widths(&[(2, 2, 0), (5, 6, 2), (8, 8, 1), (8, 5, 2), (8, 32, 0)]);
    /// Of the instructions of a block as many were counted as their number has in the low bits of a narrower count: none of two with one bit.
    a_block_of_more_instructions_than_can_be_counted_is_as_many_as_can: trace_of_widths(&[(3, 1, 0), (3, 2, 0)]);
}
