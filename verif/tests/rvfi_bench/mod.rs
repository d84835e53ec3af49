//! A profiler with RVFI ingress against the model: random retirements to classified records to paths.

use hpp_golden::config::Geometry;
use hpp_golden::path::{CompletedPath, PathDescriptor};
use hpp_golden::profiler::{PathStack, Ppcr};
use hpp_golden::registers::{self, Counter, control, ppcr_mode};
use hpp_riscv::{Ingress, Retirement, Xlen};
use hpp_verif::lockstep::{Rig, stream};
use rand::{Rng, RngExt};
use verilated::{Input, Model, Output};

/// The model of the ingress and what comes behind it, and a verilated profiler.
struct Bench {
    model: Model,
    clk: Input,
    stall: Output,
    ingress: Ingress,
    stack: PathStack,
    records: u64,
    expected: Vec<CompletedPath>,
    seen: Vec<CompletedPath>,
}

impl Bench {
    fn new(rig: &Rig, geometry: &Geometry) -> verilated::Result<Self> {
        let model = rig.design().model()?;
        let xlen = if geometry.pc_bits > 32 {
            Xlen::Rv64
        } else {
            Xlen::Rv32
        };
        Ok(Self {
            clk: model.input("clk")?,
            stall: model.output("rvfi_stall")?,
            model,
            ingress: Ingress::new(xlen, geometry.event_bits),
            stack: PathStack::new(geometry, Ppcr::ball_larus()),
            records: 0,
            expected: Vec::new(),
            seen: Vec::new(),
        })
    }

    fn put(&mut self, port: &str, value: u64) {
        let port = self.model.input(port).expect("a port of the profiler");
        self.model.set(port, value);
    }

    fn get(&self, port: &str) -> u64 {
        self.model
            .get(self.model.output(port).expect("a port of the profiler"))
    }

    /// One cycle out of reset; the retirement happens unless the profiler stalls the core. Returns whether it did.
    fn cycle(&mut self, retirement: Option<&Retirement>) -> bool {
        let shown = retirement.copied().unwrap_or_default();
        self.put("rvfi_valid", 0);
        self.put("rvfi_insn", shown.insn.into());
        self.put("rvfi_trap", shown.trap.into());
        self.put("rvfi_intr", shown.intr.into());
        self.put("rvfi_pc_rdata", shown.pc);
        self.put("rvfi_pc_wdata", shown.next_pc);
        self.model.fall(self.clk).expect("no assertion fails");
        let retires = retirement.filter(|_| self.model.get(self.stall) == 0);
        self.put("rvfi_valid", retires.is_some().into());
        self.model.eval().expect("no assertion fails");
        if self.get("path_valid") == 1 {
            let descriptor = PathDescriptor {
                start: self.get("path_start"),
                length: self.get("path_length") as u32,
                outcomes: self.get("path_outcomes"),
            };
            let count = self.get("path_count") as u32;
            self.seen.push(CompletedPath { descriptor, count });
        }
        match retires {
            Some(retirement) => {
                for record in self.ingress.step(retirement, 1) {
                    self.records += 1;
                    self.expected.extend(self.stack.step(&record));
                }
            }
            None => self.ingress.idle(1),
        }
        self.model.rise(self.clk).expect("no assertion fails");
        retires.is_some()
    }

    /// One transfer on the bus while nothing retires.
    fn bus(&mut self, offset: u32, write: Option<u32>) -> u32 {
        self.put("wb_cyc_i", 1);
        self.put("wb_stb_i", 1);
        self.put("wb_adr_i", u64::from(offset / 4));
        self.put("wb_we_i", write.is_some().into());
        self.put("wb_sel_i", 0xf);
        self.put("wb_dat_i", write.unwrap_or(0).into());
        for _ in 0..1000 {
            self.cycle(None);
            // The acknowledgement of the cycle that has just begun.
            self.model.fall(self.clk).expect("no assertion fails");
            if self.get("wb_ack_o") == 1 {
                let data = self.get("wb_dat_o") as u32;
                self.put("wb_stb_i", 0);
                self.cycle(None);
                self.put("wb_cyc_i", 0);
                return data;
            }
        }
        panic!("no acknowledgement from {offset:#x}");
    }

    fn reset(&mut self) {
        self.put("rst", 1);
        self.model.cycle(self.clk).expect("no assertion fails");
        self.put("rst", 0);
    }
}

/// Encodings of every class, and others: (mask of free bits, fixed bits).
const FORMS: [(u32, u32); 16] = [
    (0xffff_8f80, 0x0000_0063), // branches
    (0xffff_f000, 0x0000_006f), // jump
    (0xffff_f000, 0x0000_00ef), // call
    (0xfff0_0000, 0x0000_8067), // return
    (0xfff0_0000, 0x0003_0067), // indirect jump
    (0xfff0_0000, 0x0003_00e7), // indirect call
    (0xfff0_0000, 0x0002_82e7), // indirect call that reads its own link
    (0xfff0_0000, 0x0000_82e7), // from one link to the other
    (0xffff_ffff, 0x0000_0000), // anything
    (0x0000_0000, 0x3020_0073), // mret
    (0x0000_0000, 0x1020_0073), // sret
    (0x0000_1ffc, 0x0000_a001), // c.j
    (0x0000_1ffc, 0x0000_2001), // c.jal or c.addiw
    (0x0000_3ffc, 0x0000_c001), // c.beqz, c.bnez
    (0x0000_0f80, 0x0000_8002), // c.jr
    (0x0000_0f80, 0x0000_9002), // c.jalr
];

fn retirement(geometry: &Geometry, pc: u64, rng: &mut stream::StreamRng) -> Retirement {
    let (free, fixed) = FORMS[rng.random_range(0..FORMS.len())];
    let insn = fixed | rng.next_u32() & free;
    let length = if insn & 3 == 3 { 4 } else { 2 };
    let target = match rng.random_range(0..3) {
        0 => pc.wrapping_add(length),
        1 => rng.random_range(0..16) * 2,
        _ => rng.next_u64() & !1,
    };
    Retirement {
        pc,
        insn,
        next_pc: target & Geometry::mask(geometry.pc_bits),
        trap: rng.random_range(0..40) == 0,
        intr: rng.random_range(0..40) == 0,
    }
}

/// Retirements of so many cycles, a bubble in an eighth of them, then counters.
pub fn run(rig: &Rig, cycles: u64) {
    let named = rig.named();
    let geometry = &named.geometry;
    let mut bench = Bench::new(rig, geometry).expect("the ports of RVFI");
    let mut rng = stream::rng(21);
    bench.reset();
    bench.bus(registers::PPCR_MODE.offset, Some(ppcr_mode::METRIC.put(1)));
    bench.bus(registers::CONTROL.offset, Some(control::ENABLE.put(1)));
    bench.stack.set_ppcr(Ppcr {
        metric: hpp_golden::profiler::Metric::Events,
        ..Ppcr::ball_larus()
    });
    let mut pc = 0;
    for _ in 0..cycles {
        let retirement = retirement(geometry, pc, &mut rng);
        let offered = rng.random_range(0..8) > 0;
        if bench.cycle(offered.then_some(&retirement)) {
            pc = retirement.next_pc;
        }
    }
    for _ in 0..200 {
        bench.cycle(None);
    }
    assert!(
        bench.expected.len() as u64 > cycles / 10,
        "{} paths",
        bench.expected.len()
    );
    for (index, (seen, expected)) in bench.seen.iter().zip(&bench.expected).enumerate() {
        assert_eq!(seen, expected, "path {index} of geometry `{}`", named.name);
    }
    assert_eq!(bench.seen.len(), bench.expected.len());
    let (records, paths) = (bench.records as u32, bench.expected.len() as u32);
    assert_eq!(bench.bus(Counter::Records.offset(), None), records);
    assert_eq!(bench.bus(Counter::Paths.offset(), None), paths);
    assert_eq!(bench.bus(Counter::LostRecords.offset(), None), 0);
}
