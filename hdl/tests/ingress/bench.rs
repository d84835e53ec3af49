//! An ingress in simulation beside its model and the model of its buffer.

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_hdl::IngressOptions;
use hpp_hdl::sim::{Ports, Simulator};
use hpp_ingress::{Buffer, Offer, Row, Xlen, events_of};

/// A circuit with its model.
pub trait Ingress {
    /// The circuit.
    type Circuit: Ports;
    /// What the core shows in a cycle.
    type Shown: Clone + Default;
    /// Places that the buffer keeps when it asks the core to hold.
    const RESERVE: usize;
    /// Cycles from the ports to the model.
    const STAGES: usize;
    /// Name of the port that asks the core to hold.
    const STALL: &'static str;

    /// Makes both.
    fn new(geometry: &Geometry, options: &IngressOptions) -> (Self::Circuit, Self);
    /// Drives the core's ports.
    fn drive(simulator: &mut Simulator<Self::Circuit>, shown: Option<&Self::Shown>);
    /// What the core shows, cut to the width of its addresses.
    fn cut(shown: Self::Shown, mask: u64) -> Self::Shown;
    /// Instructions that retire.
    fn instructions(shown: &Self::Shown) -> u32;
    /// Steps the model.
    fn step(&mut self, shown: Option<&Self::Shown>, events: u32) -> Row;
}

/// How a core answers when it is asked to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// At once.
    Polite,
    /// A cycle later.
    Late,
    /// Not at all.
    Deaf,
}

/// Most inputs of events.
pub const INPUTS: usize = 3;

/// One cycle on the interface.
#[derive(Clone, Debug)]
pub struct Cycle<S> {
    /// `None`: nothing retires.
    pub shown: Option<S>,
    /// What the inputs of events show, of which a circuit has the first few.
    pub events: [u32; INPUTS],
    /// The queue takes a record.
    pub ready: bool,
}

impl<S> Cycle<S> {
    /// A cycle with that retirement.
    pub fn of(shown: S) -> Self {
        Self {
            shown: Some(shown),
            ..Self::empty()
        }
    }

    /// A cycle in which nothing retires.
    pub fn empty() -> Self {
        Self {
            shown: None,
            events: [0; INPUTS],
            ready: true,
        }
    }
}

/// The width of the registers that go with addresses.
pub fn xlen(geometry: &Geometry) -> Xlen {
    match geometry.pc_bits {
        32 => Xlen::Rv32,
        _ => Xlen::Rv64,
    }
}

/// The circuit with the test bench's side of its ports, and the model.
pub struct Bench<I: Ingress> {
    simulator: Simulator<I::Circuit>,
    geometry: Geometry,
    model: I,
    buffer: Buffer,
    inputs: u32,
    select: u8,
    /// What is between the ports and the model.
    stages: std::collections::VecDeque<(Option<I::Shown>, u32)>,
    stalled: bool,
    /// Records taken.
    pub seen: Vec<Offer>,
    expected: Vec<Offer>,
    /// Cycles in which something was lost.
    pub lost: usize,
}

impl<I: Ingress> Bench<I> {
    /// Out of reset, with so many inputs of events and that selection.
    pub fn new(geometry: &Geometry, inputs: u32, select: u8) -> Self {
        let options = IngressOptions {
            event_inputs: inputs,
            ..IngressOptions::default()
        };
        let (circuit, model) = I::new(geometry, &options);
        let mut simulator = Simulator::new(circuit);
        simulator.set("event_select", select.into());
        simulator.reset();
        let tick = u32::from(select == 0);
        Self {
            simulator,
            geometry: *geometry,
            model,
            buffer: Buffer::new(I::RESERVE),
            inputs,
            select,
            stages: vec![(None, tick); I::STAGES].into(),
            stalled: false,
            seen: Vec::new(),
            expected: Vec::new(),
            lost: 0,
        }
    }

    /// One cycle.
    pub fn cycle(&mut self, cycle: &Cycle<I::Shown>, manner: Manner) {
        let stalls = self.buffer.stalls();
        let held = match manner {
            Manner::Polite => stalls,
            Manner::Late => stalls && self.stalled,
            Manner::Deaf => false,
        };
        self.stalled = stalls;
        let mask = Geometry::mask(self.geometry.pc_bits);
        let shown = cycle.shown.clone().filter(|_| !held);
        let shown = shown.map(|shown| I::cut(shown, mask));
        self.simulator.set("records_ready", cycle.ready.into());
        let inputs = &cycle.events[..self.inputs as usize];
        let event_in = inputs.iter().rev().fold(0, |word, events| {
            word << self.geometry.event_bits | u64::from(*events)
        });
        self.simulator.set("event_in", event_in);
        I::drive(&mut self.simulator, shown.as_ref());
        self.simulator.settle();
        assert_eq!(self.simulator.get(I::STALL) == 1, stalls);
        let front = self.buffer.front();
        assert_eq!(self.simulator.get("records_valid") == 1, front.is_some());
        let taken = front.filter(|_| cycle.ready);
        if let Some(offer) = taken {
            self.seen.push(self.offer());
            let cut = BranchRecord {
                next: match self.geometry.stack_check {
                    true => offer.record.next,
                    false => 0,
                },
                ..offer.record
            };
            self.expected.push(Offer {
                record: cut,
                ..offer
            });
        }
        let instructions = shown.as_ref().map_or(0, I::instructions);
        let events = events_of(self.select, instructions, inputs);
        self.stages.push_back((shown, events));
        let (shown, events) = self.stages.pop_front().expect("pushed above");
        let row = self.model.step(shown.as_ref(), events);
        let kept = self.buffer.store(row);
        if taken.is_some() {
            self.buffer.take();
        }
        assert_eq!(self.simulator.get("records_lost") == 1, !kept);
        self.lost += usize::from(!kept);
        self.simulator.tick();
    }

    /// The record that the circuit offers.
    fn offer(&self) -> Offer {
        let get = |port| self.simulator.get(port);
        Offer {
            record: BranchRecord {
                kind: BranchKind::from_code(get("records_kind") as u8),
                taken: get("records_taken") == 1,
                target: get("records_target"),
                next: match self.geometry.stack_check {
                    true => get("records_next_address"),
                    false => 0,
                },
                events: get("records_events") as u32,
            },
            after_loss: get("records_after_loss") == 1,
        }
    }

    /// Runs cycles, then lets the buffer empty, and compares everything.
    pub fn run(&mut self, cycles: &[Cycle<I::Shown>], manner: Manner) {
        let empty = Cycle::empty();
        for cycle in cycles.iter().chain([&empty; 16]) {
            self.cycle(cycle, manner);
        }
        assert_eq!(self.seen, self.expected);
    }

    /// Kind and target of each record taken.
    pub fn targets(&self) -> Vec<(BranchKind, u64)> {
        let shown = |offer: &Offer| (offer.record.kind, offer.record.target);
        self.seen.iter().map(shown).collect()
    }
}

/// Runs cycles and compares everything; returns in how many something was lost.
pub fn check<I: Ingress>(
    geometry: &Geometry,
    (inputs, select): (u32, u8),
    cycles: &[Cycle<I::Shown>],
    manner: Manner,
) -> usize {
    let mut bench = Bench::<I>::new(geometry, inputs, select);
    bench.run(cycles, manner);
    bench.lost
}
