//! Several harts that share a table: each hart's paths are those of its own records, in order, none lost and none twice;
//! and the table is that of all of them in the order in which they were shown.

use crate::powered_up;
use crate::stream::{Mixture, Stream, StreamRng, rng};
use hpp_gen::{Config, generate};
use hpp_golden::branch::BranchRecord;
use hpp_golden::config::Geometry;
use hpp_golden::path::{CompletedPath, PathDescriptor};
use hpp_golden::profiler::{Profiler, ResetValues, TableEntry};
use hpp_golden::registers::{self, Counter};
use rand::RngExt;
use std::collections::VecDeque;
use std::num::NonZeroU32;
use verilated::{Builder, Design, Input, Model, Output};

/// Cycles after which every path of what was accepted has been looked up.
pub const QUIET: u32 = 2000;

/// What a hart retires: its next record, if it has one in this cycle. It is not asked in a cycle in which its last one waits.
pub type Source = Box<dyn FnMut(&mut StreamRng, u32) -> Option<BranchRecord>>;

/// A hart that in so many of 16 cycles has a record of a random stream.
pub fn random(geometry: &Geometry, rng: &mut StreamRng) -> Source {
    let mut stream = Mixture::new(&geometry.of_hart(), rng);
    Box::new(move |rng, pace| (rng.random_range(0..16) < pace).then(|| stream.record(rng)))
}

/// The golden model behind what is shown of a profiler of several harts.
pub struct Scoreboard {
    pub model: Profiler,
    geometry: Geometry,
    /// Of each hart, the records that the profiler has taken and that no path has told of yet.
    pending: Vec<VecDeque<BranchRecord>>,
    pub paths: u64,
    left: Vec<TableEntry>,
}

impl Scoreboard {
    /// The model of a profiler out of reset.
    pub fn new(geometry: &Geometry, reset: &ResetValues) -> Self {
        Self {
            model: Profiler::new(geometry, reset).expect("legal"),
            geometry: *geometry,
            pending: vec![VecDeque::new(); geometry.harts as usize],
            paths: 0,
            left: Vec::new(),
        }
    }

    /// What was on its way is forgotten.
    fn reset(&mut self) {
        self.model.reset();
        self.pending.iter_mut().for_each(VecDeque::clear);
        self.left.clear();
    }

    /// The profiler has taken a record of a hart.
    pub fn takes(&mut self, hart: usize, record: BranchRecord) {
        self.pending[hart].push_back(record);
    }

    /// The profiler shows a path.
    ///
    /// # Panics
    ///
    /// If it is not the next one of its hart.
    pub fn shows(&mut self, path: &CompletedPath) {
        let hart = self.geometry.hart_of(path.descriptor.start);
        assert!(hart < self.pending.len(), "a path of hart {hart}: {path:?}");
        let expected = loop {
            let record = self.pending[hart].pop_front();
            let record = record.unwrap_or_else(|| panic!("no record completes {path:?}"));
            if let Some(expected) = self.deliver(hart, &record) {
                break expected;
            }
        };
        let paths = self.paths;
        assert_eq!(*path, expected, "of hart {hart}, after {paths} paths");
        self.paths += 1;
    }

    /// The profiler has shown every path of what it has taken.
    ///
    /// # Panics
    ///
    /// If a hart has lost one.
    pub fn ends(&mut self) {
        for hart in 0..self.pending.len() {
            while let Some(record) = self.pending[hart].pop_front() {
                let path = self.deliver(hart, &record);
                assert_eq!(path, None, "hart {hart} has lost a path");
            }
        }
    }

    fn deliver(&mut self, hart: usize, record: &BranchRecord) -> Option<CompletedPath> {
        self.model.offer(hart, record);
        let path = self.model.step(hart);
        self.left.extend(self.model.take_left());
        path
    }
}

/// A hart's pins, and what it offers.
struct Hart {
    /// Valid, kind, taken, target, next, events.
    inputs: [Input; 6],
    context: Option<Input>,
    ready: Output,
    source: Source,
    offered: Option<BranchRecord>,
    waited: u32,
}

/// A profiler of one hart or several with the native ingress on Wishbone, and the golden model.
pub struct Bench {
    device: Model,
    pub board: Scoreboard,
    geometry: Geometry,
    harts: Vec<Hart>,
    pub rng: StreamRng,
    /// Of 16 cycles, those in which a hart that offers nothing begins to.
    pub pace: u32,
    /// Of 16 cycles, those in which somebody takes what was evicted.
    pub takes: u32,
    left: Vec<TableEntry>,
    /// The longest wait of a record, in cycles.
    pub longest: u32,
    /// Cycles in which a hart waited, of all harts.
    pub waiting: u64,
}

/// The design of a geometry.
pub fn design(geometry: &Geometry) -> Design {
    let config = Config {
        geometry: *geometry,
        ..Config::default()
    };
    let output = generate(&config).expect("a legal configuration");
    let builder = Builder::new("hpp").source_text("harts.v", output.verilog());
    builder.build().expect("it can be built")
}

impl Bench {
    /// A bench just out of reset, with what each hart retires.
    pub fn new(
        design: &Design,
        geometry: &Geometry,
        seed: u64,
        mut source: impl FnMut(usize, &mut StreamRng) -> Source,
    ) -> Self {
        let power = NonZeroU32::new(seed as u32 | 1).expect("odd");
        let device = powered_up(design, power).expect("a model");
        let mut rng = rng(seed);
        let harts = (0..geometry.harts as usize)
            .map(|hart| {
                let of_hart = |name: &str| match geometry.harts {
                    1 => format!("br_{name}"),
                    _ => format!("br_hart_{hart}_{name}"),
                };
                let input = |name: &str| device.input(&of_hart(name));
                let names = ["valid", "kind", "taken", "target", "next", "events"];
                let ready = device.output(&of_hart("ready"));
                Hart {
                    inputs: names.map(|name| input(name).expect("a port")),
                    context: input("context").ok(),
                    ready: ready.expect("a port"),
                    source: source(hart, &mut rng),
                    offered: None,
                    waited: 0,
                }
            })
            .collect();
        let mut bench = Self {
            device,
            board: Scoreboard::new(geometry, &ResetValues::default()),
            geometry: *geometry,
            harts,
            rng,
            pace: 0,
            takes: 16,
            left: Vec::new(),
            longest: 0,
            waiting: 0,
        };
        bench.reset();
        bench
    }

    fn pin(&self, name: &str) -> Input {
        self.device.input(name).expect("a port")
    }

    fn shown(&self, name: &str) -> u64 {
        let port = self.device.output(name).expect("a port");
        self.device.shown(port)
    }

    /// Resets device and model: what was on its way is forgotten.
    pub fn reset(&mut self) {
        let rst = self.pin("rst");
        self.device.stage(rst, 1);
        let clk = self.pin("clk");
        self.device.cycle_staged(clk).expect("it runs");
        self.device.stage(rst, 0);
        self.board.reset();
        self.left.clear();
        for hart in &mut self.harts {
            hart.offered = None;
        }
        let table = self.geometry.clear_cycles();
        self.idle(table + 4);
    }

    /// One cycle: the harts offer records, and what the device shows is what the model makes of those before.
    pub fn cycle(&mut self) {
        for hart in &mut self.harts {
            if hart.offered.is_none() {
                hart.offered = (hart.source)(&mut self.rng, self.pace);
            }
            let [valid, kind, taken, target, next, events] = hart.inputs;
            self.device.stage(valid, u64::from(hart.offered.is_some()));
            if let Some(record) = &hart.offered {
                let (address, context) = self.geometry.of_hart().address_and_context(record.target);
                self.device.stage(kind, record.kind.code().into());
                self.device.stage(taken, record.taken.into());
                self.device.stage(target, address);
                self.device.stage(next, record.next);
                self.device.stage(events, record.events.into());
                if let Some(port) = hart.context {
                    self.device.stage(port, context.into());
                }
            }
        }
        let takes = self.rng.random_range(0..16) < self.takes;
        if self.geometry.has_drain() {
            let ready = self.pin("drain_ready");
            self.device.stage(ready, takes.into());
        }
        let clk = self.pin("clk");
        self.device.cycle_staged(clk).expect("it runs");
        if self.shown("path_valid") == 1 {
            let path = CompletedPath {
                descriptor: self.descriptor("path"),
                count: self.shown("path_count") as u32,
            };
            self.board.shows(&path);
        }
        if self.geometry.has_drain() && takes && self.shown("drain_valid") == 1 {
            let entry = TableEntry {
                descriptor: self.descriptor("drain"),
                count: self.shown("drain_count") as u32,
            };
            self.left.push(entry);
        }
        for (number, hart) in self.harts.iter_mut().enumerate() {
            let Some(record) = hart.offered else {
                continue;
            };
            if self.device.shown(hart.ready) == 1 {
                self.board.takes(number, record);
                hart.offered = None;
                hart.waited = 0;
            } else {
                hart.waited += 1;
                self.waiting += 1;
                self.longest = self.longest.max(hart.waited);
            }
        }
    }

    fn descriptor(&self, ports: &str) -> PathDescriptor {
        let [start, length, outcomes] =
            ["start", "length", "outcomes"].map(|port| self.shown(&format!("{ports}_{port}")));
        PathDescriptor {
            start,
            length: length as u32,
            outcomes,
        }
    }

    pub fn idle(&mut self, cycles: u32) {
        let pace = std::mem::replace(&mut self.pace, 0);
        (0..cycles).for_each(|_| self.cycle());
        self.pace = pace;
    }

    /// A Wishbone access while the harts go on; the word of a read.
    pub fn access(&mut self, offset: u32, write: Option<u32>) -> u32 {
        let fields = [
            ("wb_cyc_i", 1),
            ("wb_stb_i", 1),
            ("wb_we_i", u64::from(write.is_some())),
            ("wb_adr_i", u64::from(offset / 4)),
            ("wb_sel_i", 0xf),
            ("wb_dat_i", write.unwrap_or(0).into()),
        ];
        for (port, value) in fields {
            let port = self.pin(port);
            self.device.stage(port, value);
        }
        let stb = self.pin("wb_stb_i");
        let mut accepted = false;
        for _ in 0..1000 {
            self.cycle();
            if self.shown("wb_ack_o") == 1 {
                let cyc = self.pin("wb_cyc_i");
                self.device.stage(cyc, 0);
                self.device.stage(stb, 0);
                return self.shown("wb_dat_o") as u32;
            }
            accepted |= self.shown("wb_stall_o") == 0;
            if accepted {
                self.device.stage(stb, 0);
            }
        }
        panic!("the bus does not answer");
    }

    /// A write to device and model, when nothing is on its way.
    pub fn write(&mut self, register: registers::Register, value: u32) {
        self.access(register.offset, Some(value));
        self.board.model.write(register.offset, value);
    }

    fn compare(&mut self, what: &str, offset: u32) {
        let word = self.access(offset, None);
        assert_eq!(
            word,
            self.board.model.read(offset),
            "{what} after {} paths",
            self.board.paths
        );
    }

    /// Nothing is left of what was delivered, and all that software reads is as in the model.
    pub fn check(&mut self) {
        self.idle(QUIET);
        self.board.ends();
        for counter in Counter::ALL {
            self.compare(&format!("{counter:?}"), counter.offset());
        }
        let single = [registers::ERRORS, registers::REPAIRS, registers::GEOMETRY3];
        for register in single {
            self.compare(register.name, register.offset);
        }
        self.write(registers::TABLE_INDEX, 0);
        for word in 0..self.geometry.entries() * self.geometry.entry_words() {
            self.compare(
                &format!("word {word} of the table"),
                registers::TABLE_DATA.offset,
            );
        }
        assert_eq!(self.left, self.board.left, "evicted");
    }
}
