//! The emitted branch queue by itself, with a detector that holds at random, against the model: what a profiler that
//! takes a record every cycle never shows. Stall mode loses nothing; lossy mode marks the record after a lost one.

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::{Geometry, LookupScheme};
use hpp_golden::profiler::{BranchQueue, Offer, QueuedRecord};
use hpp_hdl::queue::BranchQueue as QueueCircuit;
use hpp_lockstep::stream::{self, Mixture, Stream, StreamRng};
use rand::RngExt;
use std::collections::VecDeque;
use verilated::{Builder, Model};

const CYCLES: u64 = 60_000;

/// A verilated queue and the model of one.
struct Bench {
    model: Model,
    geometry: Geometry,
    queue: BranchQueue,
    /// The record that left the queue in the last cycle.
    left: Option<QueuedRecord>,
}

/// What is driven for a cycle beside the record.
struct Controls {
    enable: bool,
    lossy: bool,
    purge: bool,
    hold: bool,
}

impl Bench {
    fn new(geometry: Geometry) -> Self {
        let text = hpp_gen::verilog::emit(&QueueCircuit::new(&geometry), "queue");
        let text = text.unwrap_or_else(|error| panic!("{error}")).text;
        let design = Builder::new("queue").source_text("queue.v", text).build();
        let model = design.and_then(|design| design.model());
        let model = model.unwrap_or_else(|error| panic!("{error}"));
        let mut bench = Self {
            model,
            geometry,
            queue: BranchQueue::new(&geometry),
            left: None,
        };
        bench.put("rst", 1);
        bench.rise();
        bench.put("rst", 0);
        bench
    }

    fn put(&mut self, port: &str, value: u64) {
        let port = self.model.input(port).expect("a port of the queue");
        self.model.set(port, value);
    }

    fn get(&self, port: &str) -> u64 {
        self.model
            .get(self.model.output(port).expect("a port of the queue"))
    }

    fn rise(&mut self) {
        let clk = self.model.input("clk").expect("a clock");
        self.model.cycle(clk).expect("no assertion fails");
    }

    /// One cycle; returns what became of the record.
    fn cycle(&mut self, record: Option<&BranchRecord>, controls: &Controls) -> Option<Offer> {
        self.put("enable", controls.enable.into());
        self.put("lossy", controls.lossy.into());
        self.put("purge", controls.purge.into());
        self.put("hold", controls.hold.into());
        self.put("br_valid", record.is_some().into());
        if let Some(record) = record {
            self.put("br_kind", record.kind.code().into());
            self.put("br_taken", record.taken.into());
            self.put("br_target", record.target);
            self.put("br_events", record.events.into());
        }
        let clk = self.model.input("clk").expect("a clock");
        self.model.fall(clk).expect("no assertion fails");
        self.queue.set_lossy(controls.lossy);
        self.queue.set_enabled(controls.enable);
        assert_eq!(self.get("br_ready") == 1, self.queue.ready(), "br_ready");
        assert_eq!(self.shown(), self.left, "what left the queue");
        // Whether there is room depends on the occupancy before the record at the head leaves.
        let offer = record.map(|record| self.queue.offer(record));
        assert_eq!(
            self.get("accepted") == 1,
            offer == Some(Offer::Accepted),
            "accepted"
        );
        assert_eq!(self.get("lost") == 1, offer == Some(Offer::Lost), "lost");
        let waiting = self.queue.len() - usize::from(offer == Some(Offer::Accepted));
        let leaves = waiting > 0 && !controls.hold;
        self.left = leaves.then(|| stored(self.queue.take().expect("a record waits")));
        if controls.purge {
            self.queue.purge();
        }
        self.model.rise(clk).expect("no assertion fails");
        offer
    }

    /// The record shown.
    fn shown(&self) -> Option<QueuedRecord> {
        (self.get("record_valid") == 1).then(|| QueuedRecord {
            record: BranchRecord {
                kind: BranchKind::from_code(self.get("record_kind") as u8),
                taken: self.get("record_taken") == 1,
                target: self.get("record_target") << self.geometry.align,
                next: 0,
                events: self.get("record_events") as u32,
            },
            purge: self.get("record_purge_first") == 1,
        })
    }
}

/// The part of a record that the queue stores.
fn stored(queued: QueuedRecord) -> QueuedRecord {
    QueuedRecord {
        record: BranchRecord {
            next: 0,
            ..queued.record
        },
        ..queued
    }
}

/// Changes now and then, and how willing the detector is.
fn controls(cycle: u64, lossy: bool, rng: &mut StreamRng) -> Controls {
    let willing = [10, 128, 250][(cycle / 500 % 3) as usize];
    Controls {
        enable: !(cycle / 97).is_multiple_of(11),
        lossy,
        purge: rng.random_range(0..50) == 0,
        hold: rng.random_range(0..256) > willing,
    }
}

fn run(geometry: Geometry, lossy: bool) {
    let mut bench = Bench::new(geometry);
    let mut rng = stream::rng(31);
    let mut records = Mixture::new(&geometry, &mut rng);
    let mut waiting = VecDeque::new();
    let mut counts = [0_u64; 3];
    for cycle in 0..CYCLES {
        if waiting.is_empty() && rng.random_bool(0.7) {
            waiting.push_back(records.record(&mut rng));
        }
        let controls = controls(cycle, lossy, &mut rng);
        match bench.cycle(waiting.front(), &controls) {
            Some(Offer::Stalled) => counts[1] += 1,
            Some(offer) => {
                waiting.pop_front();
                counts[if offer == Offer::Lost { 2 } else { 0 }] += 1;
            }
            None => {}
        }
    }
    let [taken, stalled, lost] = counts;
    assert!(taken > CYCLES / 10, "{taken} records taken");
    assert_eq!(stalled > 1000, !lossy, "stalled {stalled} times");
    assert_eq!(lost > 1000, lossy, "lost {lost} records");
    assert!(lossy || lost == 0, "stall mode lost {lost} records");
}

/// With parallel lookup a record that has left the queue never stays where it is.
fn parallel() -> Geometry {
    Geometry {
        lookup: LookupScheme::Parallel,
        ..Geometry::default()
    }
}

#[test]
fn stall_mode_keeps_every_record_in_order() {
    run(parallel(), false);
}

#[test]
fn lossy_mode_marks_the_record_after_a_lost_one() {
    run(parallel(), true);
}

#[test]
fn the_least_and_a_deep_queue_do_the_same() {
    let base = Geometry {
        pc_bits: 64,
        align: 1,
        event_bits: 32,
        ..parallel()
    };
    for (queue_depth, lossy) in [(2, false), (2, true), (16, false), (16, true)] {
        run(
            Geometry {
                queue_depth,
                ..base
            },
            lossy,
        );
    }
}
