//! Programs that share a table, each on a hart of its own: how long they wait at the pace of several cores, and what the
//! table keeps, beside tables of the same size together that each has alone. The figures are in `docs/integration.md`. And
//! two PicoRV32 that run them.

use hpp_fpga::core::Core;
use hpp_gen::{Config, generate};
use hpp_golden::branch::BranchRecord;
use hpp_golden::config::Geometry;
use hpp_golden::path::{CompletedPath, PathDescriptor};
use hpp_golden::profiler::{ExactProfile, Profiler, ResetValues};
use hpp_golden::registers::{CONTROL, control};
use hpp_lockstep::harts::{Bench, Scoreboard, Source, design};
use hpp_riscv::{Ingress, Retirement, Xlen};
use hpp_soc::recordings::recorded;
use hpp_soc::{firmware, hex};
use std::cell::Cell;
use std::rc::Rc;
use verilated::tools::project_root;
use verilated::{Builder, Design};

const PROGRAMS: [&str; 4] = ["coremark", "dhrystone", "bzip2", "zlib"];

/// Records of each program: the last ones.
const RECORDS: usize = 100_000;

/// A hart that retires so many sixteenths of an instruction in each cycle in which no record of its own waits.
fn at_pace(records: Vec<BranchRecord>, done: Rc<Cell<usize>>) -> Source {
    let mut records = records.into_iter().peekable();
    let mut sixteenths = 0;
    Box::new(move |_, pace| {
        sixteenths += pace;
        let due = |record: &BranchRecord| pace > 0 && 16 * record.events <= sixteenths;
        let record = records.next_if(due)?;
        sixteenths -= 16 * record.events;
        done.set(done.get() + 1);
        Some(record)
    })
}

/// The overlap of what tables keep with the exact profile: over all paths, the sum of the smaller of a path's two shares.
fn overlap(kept: &[(PathDescriptor, u32)], exact: &ExactProfile) -> f64 {
    let whole: f64 = kept.iter().map(|(_, count)| f64::from(*count)).sum();
    let all = exact.total() as f64;
    let least = |(path, count): &(PathDescriptor, u32)| {
        (f64::from(*count) / whole).min(exact.get(path) as f64 / all)
    };
    kept.iter().map(least).sum()
}

fn entries(profiler: &Profiler) -> impl Iterator<Item = (PathDescriptor, u32)> {
    let entries = profiler.table().entries();
    entries.map(|(_, entry)| (entry.descriptor, entry.count))
}

/// The last records of a program's run.
fn last(program: &&str) -> Vec<BranchRecord> {
    let mut records = recorded(program).expect("the program runs").records;
    records.split_off(records.len().saturating_sub(RECORDS))
}

/// What a profiler, which the bench checks, came to with a stream for each hart, and the share of their cycles in which harts waited.
fn run(
    design: &Design,
    geometry: &Geometry,
    streams: &[Vec<BranchRecord>],
    pace: u32,
) -> (Bench, f64) {
    let done = Rc::new(Cell::new(0));
    let source = |hart: usize, _: &mut _| at_pace(streams[hart].clone(), Rc::clone(&done));
    let mut bench = Bench::new(design, geometry, 1, source);
    bench.write(CONTROL, control::ENABLE.put(1));
    bench.pace = pace;
    while done.get() < streams.iter().map(Vec::len).sum() {
        bench.cycle();
    }
    bench.pace = 0;
    bench.check();
    let events = streams
        .iter()
        .flatten()
        .map(|record| u64::from(record.events));
    let cycles = events.sum::<u64>() * 16 / u64::from(pace) + bench.waiting;
    let waits = bench.waiting as f64 / cycles as f64;
    (bench, waits)
}

/// At each pace nothing is lost and the table is the model's, which the bench checks.
fn share(harts: usize) {
    let one = Geometry {
        align: 1,
        sets: 128 / harts as u32,
        ..Geometry::default()
    };
    let shared = Geometry {
        sets: 128,
        harts: harts as u32,
        context_bits: 2,
        ..one
    };
    let design = design(&shared);
    let streams: Vec<Vec<BranchRecord>> = PROGRAMS[..harts].iter().map(last).collect();
    // Each program with a table of its own, of a quarter of the size.
    let (mut exact, mut apart) = (ExactProfile::new(), Vec::new());
    for (hart, records) in streams.iter().enumerate() {
        let labelled = |path: PathDescriptor| PathDescriptor {
            start: shared.in_hart(path.start, hart),
            ..path
        };
        let mut own = Profiler::new(&one, &ResetValues::enabled()).expect("legal");
        for path in records.iter().filter_map(|record| own.profile(record)) {
            exact.add(labelled(path.descriptor), path.count.into());
        }
        apart.extend(entries(&own).map(|(path, count)| (labelled(path), count)));
    }

    for pace in [16, 8, 4] {
        let (bench, waits) = run(&design, &shared, &streams, pace);
        let together: Vec<_> = entries(&bench.board.model).collect();
        let overlaps = [&apart, &together].map(|kept| 100.0 * overlap(kept, &exact));
        println!(
            "{harts} harts, {pace}/16 instructions a cycle: waiting {:.2} % of the cycles, at most {}; overlap {:.1} % apart, {:.1} % together",
            100.0 * waits,
            bench.longest,
            overlaps[0],
            overlaps[1]
        );
        assert!(overlaps[1] > overlaps[0] - 1.0, "{overlaps:?}");
        // PicoRV32 and SERV are slower.
        assert!(pace > 4 || waits < 0.001, "{waits}");
    }
}

#[test]
fn programs_share_a_table() {
    share(2);
    share(4);
}

#[test]
fn each_program_alone() {
    let one = Geometry {
        align: 1,
        ..Geometry::default()
    };
    let design = design(&one);
    for program in &PROGRAMS {
        let records = last(program);
        let of = records.len() as f64;
        let (bench, waits) = run(&design, &one, &[records], 16);
        println!(
            "{program} alone, an instruction a cycle: {:.2} paths a record, waiting {:.2} % of the cycles, at most {}",
            bench.board.paths as f64 / of,
            100.0 * waits,
            bench.longest
        );
    }
}

/// Two systems without a profiler of their own, and one profiler for both cores.
fn two_cores(memory: usize, programs: &[String; 2]) -> String {
    let hart = |number: usize| {
        let program = &programs[number];
        let words = memory / 4;
        format!(
            r#"
  hpp_soc #(.MEMORY_WORDS({words}), .FIRMWARE("{program}")) soc_{number} (
    .clk(clk), .rst(rst), .uart_valid(), .uart_data(), .uart_ready(1'b1), .finish(finish[{number}]), .finish_status(), .gave_up()
  );
  assign {{next_{number}, pc_{number}, insn_{number}}} = {{soc_{number}.retire_next_pc, soc_{number}.retire_pc, soc_{number}.retire_insn}};
  assign retire_{number} = {{soc_{number}.retire_intr, soc_{number}.retire_trap, soc_{number}.retire_valid}};"#
        )
    };
    let port = |number: usize| {
        format!(
            r"
    .rvfi_hart_{number}_valid(retire_{number}[0]), .rvfi_hart_{number}_insn(insn_{number}), .rvfi_hart_{number}_trap(retire_{number}[1]),
    .rvfi_hart_{number}_intr(retire_{number}[2]), .rvfi_hart_{number}_pc_rdata(pc_{number}), .rvfi_hart_{number}_pc_wdata(next_{number}),
    .rvfi_hart_{number}_stall(), .event_in_hart_{number}(8'd0),"
        )
    };
    format!(
        r"module two_cores (
  input clk, rst, output [1:0] finish, output [31:0] insn_0, pc_0, next_0, insn_1, pc_1, next_1, output [2:0] retire_0, retire_1,
  output path_valid, output [32:0] path_start, output [5:0] path_length, output [31:0] path_outcomes, output [7:0] path_count
);{}{}
  hpp profiler (
    .clk(clk), .rst(rst),{}{}
    .path_valid(path_valid), .path_start(path_start), .path_length(path_length), .path_outcomes(path_outcomes), .path_count(path_count),
    .event_select(), .idle(), .wb_cyc_i(1'b0), .wb_stb_i(1'b0), .wb_we_i(1'b0), .wb_adr_i(5'd0), .wb_sel_i(4'd0), .wb_dat_i(32'd0),
    .wb_dat_o(), .wb_ack_o(), .wb_stall_o(), .wb_err_o()
  );
endmodule",
        hart(0),
        hart(1),
        port(0),
        port(1)
    )
}

#[test]
fn two_cores_that_run_programs_share_a_profiler() {
    const MEMORY: usize = 2 << 20;
    let folder = tempfile::tempdir().expect("a folder");
    let programs = ["coremark", "dhrystone"].map(|name| {
        let elf = firmware(name).expect("the program builds");
        let image = hex(&elf, 0, MEMORY).expect("it fits");
        let file = folder.path().join(name);
        std::fs::write(&file, image).expect("a file");
        file.display().to_string()
    });
    let geometry = Geometry {
        align: 1,
        harts: 2,
        context_bits: 1,
        ..Geometry::default()
    };
    let reset = ResetValues {
        lossy: true,
        ..ResetValues::enabled()
    };
    let config = Config {
        geometry,
        reset,
        ingress: hpp_hdl::Ingress::Rvfi,
        ..Config::default()
    };
    let profiler = generate(&config).expect("a legal configuration");
    let mut builder = Builder::new("two_cores")
        .source_text("two_cores.v", two_cores(MEMORY, &programs))
        .source_text("hpp.v", profiler.verilog())
        .flag("-Wno-fatal");
    for file in Core::PicoRv32
        .files(&project_root())
        .expect("the core is there")
    {
        builder = builder.source_text(file.name, file.text);
    }
    for define in Core::PicoRv32.about().defines {
        builder = builder.define(define);
    }
    let mut device = builder
        .build()
        .expect("it builds")
        .model()
        .expect("a model");

    let mut board = Scoreboard::new(&geometry, &reset);
    let mut ingresses = [0, 1].map(|_| Ingress::new(Xlen::Rv32, geometry.event_bits));
    let [clk, rst] = ["clk", "rst"].map(|name| device.input(name).expect("a port"));
    let port = |name: &str| device.output(name).expect("a port");
    let cores = ["0", "1"]
        .map(|hart| ["retire", "insn", "pc", "next"].map(|name| port(&format!("{name}_{hart}"))));
    let path =
        ["valid", "start", "length", "outcomes", "count"].map(|name| port(&format!("path_{name}")));
    let finish = port("finish");
    device.stage(rst, 1);
    for cycle in 0..1_000_000 {
        device.cycle_staged(clk).expect("it runs");
        if cycle == 8 {
            device.stage(rst, 0);
        }
        if cycle <= 8 {
            continue;
        }
        let [valid, start, length, outcomes, count] = path.map(|port| device.shown(port));
        if valid == 1 {
            board.shows(&CompletedPath {
                descriptor: PathDescriptor {
                    start,
                    length: length as u32,
                    outcomes,
                },
                count: count as u32,
            });
        }
        for (hart, ports) in cores.iter().enumerate() {
            let [retire, insn, pc, next_pc] = ports.map(|port| device.shown(port));
            if retire & 1 == 1 {
                let retirement = Retirement {
                    pc,
                    insn: insn as u32,
                    next_pc,
                    trap: retire >> 1 & 1 == 1,
                    intr: retire >> 2 == 1,
                    ..Retirement::default()
                };
                let records = ingresses[hart].step(&retirement, 1);
                records
                    .into_iter()
                    .for_each(|record| board.takes(hart, record));
            }
        }
        if device.shown(finish) == 3 {
            break;
        }
    }
    let starts = entries(&board.model).map(|(path, _)| geometry.hart_of(path.start));
    let of_harts = starts.fold([0, 0], |mut all, hart| {
        all[hart] += 1;
        all
    });
    assert!(
        board.paths > 10_000 && of_harts.iter().all(|paths| *paths > 20),
        "{} paths, {of_harts:?} entries",
        board.paths
    );
}
