//! Cores that write a log of what they execute. Its paths, in whose making no signal of the profiler's ports and no ingress takes part, are beside
//! the profiler's.

use super::run::{Run, Step, Which, geometry};
use super::{assert_same, check_execution, each_run, paths, records};
use hpp_fpga::core::Core;
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_golden::path::PathDescriptor;
use hpp_golden::profiler::{PathStack, Ppcr};
use hpp_riscv::{Retirement, Rvfi, Xlen};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use verilated::tools::project_root;

const ECALL: u32 = 0x0000_0073;
const MRET: u32 = 0x3020_0073;
/// `csrw mepc, t1`: the program's handler makes its `mret` return behind the `ecall`.
const CSRW_MEPC_T1: u32 = 0x3413_1073;

type Executed = (u64, u32);

/// The instructions in CVA6's log: `CYCLE 0xPC MODE (0xINSN) DASM(INSN)`.
fn of_cva6(log: &str) -> Vec<Executed> {
    let number = |text: &str| {
        u64::from_str_radix(text.trim_matches(['(', ')']).trim_start_matches("0x"), 16)
    };
    let line = |line: &str| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let &[_, pc, "M", insn, _] = fields.as_slice() else {
            panic!("a line of the log: {line}");
        };
        let value = |text| number(text).expect("a hexadecimal number");
        (value(pc), value(insn) as u32)
    };
    log.lines().map(line).collect()
}

/// The instructions in Rocket's log, which have a 1 in brackets; a 0 is a trap: `C0: CYCLE [1] pc=[PC] ... inst=[INSN] DASM(INSN)`.
fn of_rocket(log: &str) -> Vec<(Executed, bool)> {
    let line = |line: &str| {
        let field = |name: &str| {
            let (_, value) = line.split_once(name)?;
            let (value, _) = value.split_once(']')?;
            u64::from_str_radix(value.trim(), 16).ok()
        };
        let fields = (field(" ["), field("pc=["), field("inst=["));
        let (Some(retires), Some(pc), Some(insn)) = fields else {
            panic!("a line of the log: {line}");
        };
        ((pc, insn as u32), retires == 1)
    };
    log.lines().map(line).collect()
}

/// Where the interrupted program goes on after the handler that begins at `entry`, and the place of that instruction.
fn after_handler(log: &[Executed], entry: usize, handler: u64) -> Option<(u64, usize)> {
    let length = log[entry..].iter().position(|&(_, insn)| insn == MRET)?;
    let written = log[entry..entry + length]
        .iter()
        .any(|&(_, insn)| insn == CSRW_MEPC_T1);
    let (pc, next) = going_on(log, entry + length + 1, handler)?;
    // What trapped is not in the log, and has four bytes.
    Some((if written { pc - 4 } else { pc }, next))
}

/// The address to which what is before `next` led, whatever handlers come between.
fn going_on(log: &[Executed], next: usize, handler: u64) -> Option<(u64, usize)> {
    match *log.get(next)? {
        (pc, _) if pc == handler => after_handler(log, next, handler),
        (pc, _) => Some((pc, next)),
    }
}

/// The retirements of a log. Nothing leads to `handler` but traps.
fn execution(log: &[Executed], handler: u64) -> Vec<Retirement> {
    let step = |(at, &(pc, insn)): (usize, &Executed)| {
        let (next_pc, _) = going_on(log, at + 1, handler)?;
        Some(Retirement {
            pc,
            insn,
            next_pc,
            intr: pc == handler,
            ..Retirement::default()
        })
    };
    log.iter().enumerate().map_while(step).collect()
}

fn shown(run: &Run) -> Vec<Retirement> {
    let step = |step: &Step| {
        let (pc, insn, trap) = match *step {
            Step::Fires { pc, shown, .. } => (pc, shown, false),
            Step::Traps { pc, shown } => (pc, shown, true),
        };
        Retirement {
            pc,
            insn,
            trap,
            ..Retirement::default()
        }
    };
    run.steps.iter().map(step).collect()
}

/// What the ingress that follows the next retirement makes of them.
struct Followed {
    paths: Vec<PathDescriptor>,
    traps: usize,
    lost: usize,
}

fn follow(retirements: &[Retirement], geometry: &Geometry) -> Followed {
    let mut ingress = Rvfi::new(Xlen::Rv32, 8).with_next(hpp_gen::RvfiNext::Retirement);
    let mut stack = PathStack::new(geometry, Ppcr::ball_larus());
    let mut followed = Followed {
        paths: Vec::new(),
        traps: 0,
        lost: 0,
    };
    for retirement in retirements {
        let row = ingress.step(retirement, 1);
        followed.lost += usize::from(row.lost);
        for offer in row.offers {
            if offer.after_loss {
                stack.purge();
            }
            followed.traps += usize::from(offer.record.kind == BranchKind::Trap);
            let path = stack.step(&offer.record);
            followed.paths.extend(path.map(|path| path.descriptor));
        }
    }
    followed
}

fn counts(paths: &[PathDescriptor]) -> HashMap<PathDescriptor, usize> {
    let mut counts = HashMap::new();
    for path in paths {
        *counts.entry(*path).or_default() += 1;
    }
    counts
}

/// Paths of `all` that `some` has not, each with how often.
fn missing(all: &[PathDescriptor], some: &[PathDescriptor]) -> HashMap<PathDescriptor, usize> {
    let (mut missing, some) = (counts(all), counts(some));
    missing.retain(|path, count| {
        *count = count.saturating_sub(some.get(path).copied().unwrap_or(0));
        *count > 0
    });
    missing
}

/// Where a path can begin whose beginning was dropped: where a trap or a call returns to.
fn resumptions(records: &[BranchRecord]) -> HashSet<u64> {
    let place = |record: &BranchRecord| match record.kind {
        BranchKind::TrapReturn => Some(record.target),
        BranchKind::Call | BranchKind::IndirectCall => Some(record.next),
        _ => None,
    };
    records.iter().filter_map(place).collect()
}

/// Keeps what the port showed where `hpp check` finds it.
fn keep(name: &str, shown: &[Retirement]) {
    let mut table = String::from("pc_rdata,insn,trap\n");
    for Retirement { pc, insn, trap, .. } in shown {
        writeln!(table, "{pc:x},{insn:x},{}", u8::from(*trap)).expect("text");
    }
    let folder = project_root().join("build/retirements");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join(name), table).expect("the folder is writable");
}

/// CVA6: the port shows what the log has, and each `ecall` besides. Where no interrupt hides a target, the profiler's paths are the log's.
#[test]
fn cva6() {
    let which = Which::OfSoc(Core::Cva6);
    let (geometry, xlen) = (geometry(which), which.xlen());
    each_run(which, |bench, seed, run| {
        let log = of_cva6(&run.log);
        let shown = shown(run);
        keep(&format!("cva6-{seed}.csv"), &shown);
        let calls = shown.iter().filter(|shown| shown.insn == ECALL).count();
        assert!(calls > 0 && shown.iter().all(|shown| !shown.trap));
        let committed = shown.iter().filter(|shown| shown.insn != ECALL);
        let committed: Vec<Executed> = committed.map(|shown| (shown.pc, shown.insn)).collect();
        assert_same("instruction", &committed, &log);

        let followed = follow(&shown, &geometry);
        assert_same("path", &run.paths, &followed.paths[..run.paths.len()]);
        assert!(followed.paths.len() - run.paths.len() <= super::PATHS_UNDER_WAY);

        let executed = execution(&log, bench.handler());
        check_execution(&executed, xlen);
        let records = records(&executed, xlen);
        let executed_paths = paths(&records, &geometry);
        let entries = executed.iter().filter(|executed| executed.intr).count();
        let missing_paths = missing(&executed_paths, &followed.paths);
        println!(
            "seed {seed}: {} instructions, {entries} entries of the handler, {calls} of them by ecall; {} of {} paths; {} losses",
            log.len(),
            executed_paths.len() - missing_paths.values().sum::<usize>(),
            executed_paths.len(),
            followed.lost,
        );
        if seed == 0 {
            assert_eq!((entries, followed.lost), (calls, 0));
            assert_same("path of the log", &followed.paths, &executed_paths);
        } else {
            // A loss drops beginnings of paths, and nothing else. An entry after a computed jump is missed while the handler is not known.
            assert!(entries > 2 * calls && followed.lost > 0);
            assert!(entries - followed.traps <= 1);
            let begins = resumptions(&records);
            let cut = missing(&followed.paths, &executed_paths);
            assert!(
                cut.keys().all(|path| begins.contains(&path.start)),
                "{cut:x?}"
            );
        }
    });
}

/// Rocket: what its port for a trace encoder shows is its log, traps included, and the profiler's paths are the log's, interrupts or none.
#[test]
fn rocket() {
    let which = Which::OfSoc(Core::Rocket);
    let (geometry, xlen) = (geometry(which), which.xlen());
    each_run(which, |bench, seed, run| {
        super::check(run, which);
        let log = of_rocket(&run.log);
        let shown = shown(run);
        keep(&format!("rocket-{seed}.csv"), &shown);
        let steps: Vec<_> = shown
            .iter()
            .map(|shown| ((shown.pc, shown.insn), !shown.trap))
            .collect();
        assert_same("instruction", &steps, &log);

        let retired = log.into_iter().filter(|(_, retires)| *retires);
        let retired: Vec<Executed> = retired.map(|(executed, _)| executed).collect();
        let executed = execution(&retired, bench.handler());
        check_execution(&executed, xlen);
        let executed_paths = paths(&records(&executed, xlen), &geometry);
        let entries = executed.iter().filter(|executed| executed.intr).count();
        println!(
            "seed {seed}: {} instructions, {entries} entries of the handler; {} paths",
            retired.len(),
            executed_paths.len(),
        );
        assert_same("path", &run.paths, &executed_paths[..run.paths.len()]);
        assert!(executed_paths.len() - run.paths.len() <= super::PATHS_UNDER_WAY);
        assert_eq!(entries > 200, seed > 0, "{entries} entries");
    });
}
