//! The drain writer in Verilator: a memory holds what left the drain, whole entries in their order, whatever the memory's pace.

use hpp_gen::{Config, generate};
use hpp_golden::config::Geometry;
use hpp_golden::path::PathDescriptor;
use hpp_golden::profiler::{TableEntry, entry_words};
use hpp_lockstep::first_seed;
use hpp_lockstep::stream::{StreamRng, rng};
use rand::{Rng, RngExt};
use std::collections::{BTreeMap, VecDeque};
use verilated::{Builder, Model};

fn geometries() -> [Geometry; 3] {
    let base = Geometry {
        drain_depth: 64,
        ..Geometry::default()
    };
    let wide = Geometry {
        pc_bits: 48,
        max_branches: 64,
        accumulator_bits: 20,
        ..base
    };
    let widest = Geometry {
        pc_bits: 56,
        context_bits: 8,
        align: 1,
        max_branches: 33,
        ..base
    };
    [base, wide, widest]
}

fn entry(geometry: &Geometry, rng: &mut StreamRng) -> TableEntry {
    let length = rng.random_range(0..=geometry.max_branches);
    TableEntry {
        descriptor: PathDescriptor {
            start: rng.next_u64() & Geometry::mask(geometry.start_bits()) & !3,
            length,
            outcomes: rng.next_u64() & Geometry::mask(length),
        },
        count: rng.next_u32() & Geometry::mask(geometry.accumulator_bits) as u32,
    }
}

struct Bench {
    geometry: Geometry,
    model: Model,
    /// The drain: what waits, and whether it shows its head.
    waiting: VecDeque<TableEntry>,
    shows: bool,
    memory: BTreeMap<u64, u32>,
    taken: Vec<TableEntry>,
    /// The word that was shown in the last cycle and not acknowledged, and the entry it is of.
    unanswered: Option<(TableEntry, [u64; 2])>,
}

impl Bench {
    fn new(geometry: &Geometry) -> Self {
        let output = generate(&Config {
            geometry: *geometry,
            ..Config::default()
        })
        .expect("a legal configuration");
        let text = output.files["hpp_drain_writer.v"].clone();
        let builder = Builder::new("hpp_drain_writer").source_text("hpp_drain_writer.v", text);
        let design = builder.build().expect("it builds");
        let mut bench = Self {
            geometry: *geometry,
            model: design.model().expect("it starts"),
            waiting: VecDeque::new(),
            shows: true,
            memory: BTreeMap::new(),
            taken: Vec::new(),
            unanswered: None,
        };
        bench.set("rst", 1);
        for _ in 0..2 {
            bench.clock();
        }
        bench.set("rst", 0);
        bench
    }

    fn set(&mut self, port: &str, value: u64) {
        let port = self.model.input(port).expect("a port");
        self.model.set(port, value);
    }

    fn get(&mut self, port: &str) -> u64 {
        let port = self.model.output(port).expect("a port");
        self.model.get(port)
    }

    /// Begins again at another place of the memory, in a cycle.
    fn restart(&mut self, base: u64, answers: bool) {
        self.set("base", base);
        self.set("restart", 1);
        self.cycle(answers);
        self.set("restart", 0);
    }

    fn offer(&mut self, rng: &mut StreamRng) -> TableEntry {
        let entry = entry(&self.geometry, rng);
        self.waiting.push_back(entry);
        entry
    }

    fn fill(&mut self, entries: usize, rng: &mut StreamRng) {
        while self.waiting.len() < entries {
            self.offer(rng);
        }
    }

    fn clock(&mut self) {
        let clk = self.model.input("clk").expect("a clock");
        self.model.rise(clk).expect("it runs");
        self.model.fall(clk).expect("it runs");
    }

    /// A cycle in which the memory would answer, or not.
    fn cycle(&mut self, answers: bool) {
        let head = self.waiting.front().copied().filter(|_| self.shows);
        self.set("drain_valid", head.is_some().into());
        let shown = head.unwrap_or(TableEntry {
            descriptor: PathDescriptor::default(),
            count: 0,
        });
        self.set("drain_start", shown.descriptor.start);
        self.set("drain_length", shown.descriptor.length.into());
        self.set("drain_outcomes", shown.descriptor.outcomes);
        self.set("drain_count", shown.count.into());
        self.set("wb_ack_i", 0);
        self.model.eval().expect("it runs");
        let strobe = self.get("wb_stb_o") == 1;
        assert_eq!(self.get("wb_cyc_o") == 1, strobe);
        let word = [self.get("wb_adr_o"), self.get("wb_dat_o")];
        let shown = head.filter(|_| strobe).map(|entry| (entry, word));
        if let Some(before) = self.unanswered.take_if(|(of, _)| head == Some(*of)) {
            assert_eq!(
                shown,
                Some(before),
                "a word stands until it is acknowledged"
            );
        }
        self.unanswered = shown.filter(|_| !answers);
        self.set("wb_ack_i", (strobe && answers).into());
        self.model.eval().expect("it runs");
        if strobe && answers {
            let [address, word] = word;
            self.memory.insert(address, word as u32);
        }
        if self.get("drain_ready") == 1 && head.is_some() {
            self.taken.extend(self.waiting.pop_front());
        }
        self.clock();
    }

    /// The entries that the memory holds, from the base on.
    fn words(&self, base: u64, entries: usize) -> Vec<u32> {
        let words = entries as u64 * u64::from(self.geometry.entry_words());
        (base..base + words).map(|at| self.memory[&at]).collect()
    }

    fn expected(&self, entries: &[TableEntry]) -> Vec<u32> {
        let words = |entry: &TableEntry| entry_words(&self.geometry, Some(*entry));
        entries.iter().flat_map(words).collect()
    }
}

#[test]
fn memory_holds_what_left_in_its_order() {
    let seed = first_seed("drain_writer");
    for geometry in geometries() {
        let mut rng = rng(seed);
        let mut bench = Bench::new(&geometry);
        bench.set("base", 0x100);
        bench.set("room", 40);
        for _ in 0..6000 {
            if rng.random_range(0..8) == 0 {
                bench.offer(&mut rng);
            }
            bench.cycle(rng.random());
        }
        assert_eq!(bench.get("written"), 40, "seed {seed}");
        assert_eq!(bench.taken.len(), 40, "no more than there is room for");
        let expected = bench.expected(&bench.taken);
        assert_eq!(bench.words(0x100, 40), expected, "seed {seed}");
        assert_eq!(
            bench.memory.len(),
            expected.len(),
            "nothing else is written"
        );

        // Somebody has read it: elsewhere again.
        bench.restart(0x8000, true);
        bench.taken.clear();
        for _ in 0..2000 {
            bench.cycle(rng.random());
        }
        let written = bench.get("written") as usize;
        assert_eq!((written, bench.taken.len()), (40, 40), "seed {seed}");
        assert_eq!(bench.words(0x8000, 40), bench.expected(&bench.taken));
    }
}

#[test]
fn an_entry_that_is_withdrawn_leaves_no_trace() {
    let seed = first_seed("drain_writer");
    let mut rng = rng(seed);
    let mut bench = Bench::new(&geometries()[0]);
    bench.set("base", 0);
    bench.set("room", 10_000);
    for _ in 0..20_000 {
        if bench.waiting.len() < 4 && rng.random_range(0..4) == 0 {
            bench.offer(&mut rng);
        }
        match rng.random_range(0..40) {
            0 => bench.shows = !bench.shows,
            // The drain is cleared: for a cycle it shows nothing.
            1 => {
                bench.waiting.clear();
                bench.cycle(true);
            }
            _ => bench.cycle(rng.random()),
        }
    }
    let taken = bench.taken.len();
    assert!(taken > 500, "seed {seed}: {taken}");
    assert_eq!(bench.get("written") as usize, taken, "seed {seed}");
    assert_eq!(
        bench.words(0, taken),
        bench.expected(&bench.taken),
        "seed {seed}"
    );
}

#[test]
fn a_restart_amid_an_entry_waits_for_its_end() {
    let seed = first_seed("drain_writer");
    let mut rng = rng(seed);
    let mut bench = Bench::new(&geometries()[1]);
    bench.set("room", 1000);
    for round in 0..200_u64 {
        bench.restart(0x1000 * round, rng.random());
        bench.fill(30, &mut rng);
        // Long enough for the entry under way to end.
        for _ in 0..rng.random_range(100..200) {
            bench.cycle(rng.random());
        }
        let written = bench.get("written") as usize;
        assert!(written > 0, "seed {seed}, round {round}");
        let last = &bench.taken[bench.taken.len() - written..];
        let words = bench.words(0x1000 * round, written);
        assert_eq!(words, bench.expected(last), "seed {seed}, round {round}");
    }
}

/// A word whose acknowledgement was under way vanished when `restart` came before it or `room` shrank, so that a slave that takes its time wrote it where
/// nobody looked, and acknowledged another.
#[test]
fn a_word_stands_until_it_is_acknowledged_whatever_is_asked_meanwhile() {
    let seed = first_seed("drain_writer");
    let mut rng = rng(seed);
    for geometry in geometries() {
        let mut bench = Bench::new(&geometry);
        bench.set("room", 8);
        for _ in 0..20_000 {
            bench.fill(2, &mut rng);
            if rng.random_range(0..20) == 0 {
                bench.set("room", rng.random_range(0..8));
                bench.set("base", rng.random_range(0..0x100));
            }
            bench.set("restart", u64::from(rng.random_range(0..10) == 0));
            bench.cycle(rng.random_range(0..3) == 0);
        }
        let taken = bench.taken.len();
        assert!(taken > 300, "seed {seed}: {taken}");
    }
}

/// With less room than there were entries an entry under way was never finished, and `restart` waited for its end.
#[test]
fn less_room_amid_an_entry_leaves_the_writer_able_to_begin_again() {
    let geometry = geometries()[0];
    let mut rng = rng(1);
    let words = geometry.entry_words();
    for amid in 1..words {
        let mut bench = Bench::new(&geometry);
        bench.set("base", 0);
        bench.set("room", 100);
        bench.fill(20, &mut rng);
        // The cycle in which it begins, ten entries, and some words.
        for _ in 0..1 + 10 * words + amid {
            bench.cycle(true);
        }
        assert_eq!(bench.get("written"), 10);
        bench.set("room", 5);
        bench.restart(0x1000, true);
        for _ in 0..10 * words {
            bench.cycle(true);
        }
        assert_eq!(bench.get("written"), 5, "after {amid} words");
        assert_eq!(bench.taken.len(), 16, "after {amid} words");
        let words = bench.words(0x1000, 5);
        assert_eq!(words, bench.expected(&bench.taken[11..]));
    }
}

#[test]
fn a_reset_at_any_moment_begins_at_the_base() {
    let geometry = geometries()[1];
    let mut rng = rng(2);
    let mut bench = Bench::new(&geometry);
    bench.set("room", 100);
    for moment in 0..100 {
        let base = 0x1000 * (moment + 1);
        bench.fill(40, &mut rng);
        for _ in 0..moment {
            bench.cycle(rng.random_range(0..3) > 0);
        }
        bench.set("base", base);
        bench.set("rst", 1);
        bench.clock();
        bench.set("rst", 0);
        bench.unanswered = None;
        bench.taken.clear();
        for _ in 0..60 {
            bench.cycle(rng.random_range(0..3) > 0);
        }
        let written = bench.get("written") as usize;
        assert!(written > 0 && written == bench.taken.len(), "{moment}");
        let expected = bench.expected(&bench.taken);
        assert_eq!(bench.words(base, written), expected, "{moment}");
    }
}

/// What `docs/drain.md` says of a memory that is read before it is full: `STREAM` is 0 from before `written` is looked at until after `restart`.
#[test]
fn nothing_is_missed_by_who_stops_the_stream_looks_and_begins_again() {
    let seed = first_seed("drain_writer");
    let mut rng = rng(seed);
    for geometry in geometries() {
        let mut bench = Bench::new(&geometry);
        bench.set("room", 50);
        let (mut offered, mut collected) = (Vec::new(), Vec::new());
        for round in 0..200 {
            let base = 0x200 * (round % 2);
            bench.restart(base, rng.random());
            bench.cycle(rng.random());
            bench.shows = true;
            for _ in 0..rng.random_range(1..60) {
                if bench.waiting.len() < 3 {
                    offered.push(bench.offer(&mut rng));
                }
                bench.cycle(rng.random());
            }
            bench.shows = false;
            bench.cycle(rng.random());
            let written = bench.get("written") as usize;
            collected.extend(bench.words(base, written));
        }
        let left = offered.len() - bench.waiting.len();
        assert!(left > 200, "seed {seed}: {left}");
        assert_eq!(
            collected,
            bench.expected(&offered[..left]),
            "seed {seed}, {geometry:?}"
        );
    }
}
