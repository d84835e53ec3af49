//! The recorder's results, compared with the same rules without states.

use super::*;
use crate::block::{Block, Step, Way};
use crate::blocks::Translating;
use hpp_explore::Run;
use hpp_explore::trace::Isa;
use hpp_golden::branch::BranchKind;
use hpp_golden::config::{Geometry, Replacement};
use hpp_golden::dump::Dump;
use hpp_golden::profiler::{Metric, Profiler, ResetValues};
use indexmap::set::Slice;
use proptest::prelude::*;

/// Three instructions that end with these bytes, at the end of 16 addresses from `start`.
fn block(start: u64, end: &[u8]) -> Block {
    let last = start + 16 - end.len() as u64;
    Block::new(Isa::X86_64, start, 3, last, end)
}

/// Loops, calls, returns, a system call, a jump through a register, and a block without a branch.
fn program() -> Vec<Block> {
    vec![
        block(0x00, &[0x75, 0x10]),
        block(0x10, &[0x90]),
        block(0x20, &[0xc3]),
        block(0x30, &[0x0f, 0x05]),
        block(0x40, &[0xff, 0xe0]),
        block(0x50, &[0x75, 0xae]),
        block(0x60, &[0xe8, 0x9b, 0xff, 0xff, 0xff]),
        block(0x70, &[0xff, 0xd0]),
        block(0x80, &[0x0f, 0x05]).preceded_by(Isa::X86_64, &[0xb8, 15, 0, 0, 0]),
    ]
}

/// A program's blocks, and the word of each.
fn translated(program: &[Block]) -> (Translated, Vec<u32>) {
    let all = Translating::default();
    let word = |block: &Block| all.word(block.clone(), block.instructions);
    let words = program
        .iter()
        .map(|block| word(block).expect("they are few"));
    let words = words.collect();
    (Translated::new(all), words)
}

/// The words of blocks, given the places of the blocks in the program.
fn words_of(words: &[u32], order: &[u32]) -> Vec<u32> {
    order.iter().map(|&place| words[place as usize]).collect()
}

/// What the blocks are, one after another: the same rules without states.
#[derive(Default)]
struct Plain {
    records: Vec<BranchRecord>,
    carried: u32,
    runs: Option<u32>,
    interrupted: Vec<u32>,
    handlers: Vec<u64>,
    unseen_signals: u64,
}

impl Plain {
    /// Blocks that are handed over at once; a handler is known from the next ones on.
    fn run(&mut self, program: &[Block], blocks: &[u32]) {
        let mut found = Vec::new();
        for &to in blocks {
            if let Some(from) = self.runs.replace(to) {
                self.lead(program, from, to, false, &mut found);
            }
        }
        self.handlers.extend(found);
    }

    fn lead(&mut self, program: &[Block], from: u32, to: u32, resumed: bool, found: &mut Vec<u64>) {
        let (block, target) = (&program[from as usize], &program[to as usize]);
        let to_handler = self.handlers.contains(&target.start);
        let record = match block.step(
            target,
            Way {
                resumed,
                to_handler,
            },
        ) {
            Step::Instructions(more) => {
                self.carried += more;
                return;
            }
            Step::Record(record) => record,
        };
        let carried = core::mem::take(&mut self.carried);
        let events = carried + block.instructions;
        if block.leaves_handler {
            let back = self.interrupted.pop();
            let target = back.map_or(record.target, |block| program[block as usize].last);
            self.records.push(BranchRecord {
                events,
                target,
                ..record
            });
            match back {
                Some(block) => self.lead(program, block, to, true, found),
                None => self.unseen_signals += 1,
            }
        } else if record.kind == BranchKind::Trap {
            self.records.push(BranchRecord {
                events: carried,
                ..record
            });
            found.push(target.start);
            self.interrupted.push(from);
            let most = self.interrupted.len().saturating_sub(INTERRUPTED);
            self.interrupted.drain(..most);
        } else {
            self.records.push(BranchRecord { events, ..record });
        }
    }
}

fn detector(stack_depth: u32, max_branches: u32, metric: Metric, stack_check: bool) -> PathStack {
    path_stack(
        Geometry {
            stack_depth,
            stack_check,
            max_branches,
            event_counter_bits: 5,
            ..Geometry::default()
        },
        metric,
    )
}

fn path_stack(geometry: Geometry, metric: Metric) -> PathStack {
    let reset = ResetValues {
        metric,
        ..ResetValues::enabled()
    };
    let profiler = Profiler::new(&geometry, &reset).expect("a legal profiler");
    profiler.stack().clone()
}

/// A table that keeps what it takes, and wants it in order.
#[derive(Default)]
struct InOrder(Vec<Times>);

impl Table for InOrder {
    fn take_all(&mut self, _: &Slice<CompletedPath>, _: &[Times]) -> bool {
        false
    }

    fn take_in_order(&mut self, _: &Slice<CompletedPath>, paths: &[Times]) {
        self.0.extend_from_slice(paths);
    }
}

/// Blocks in an order in which some run again and again.
fn order() -> impl Strategy<Value = Vec<u32>> {
    let some = prop::collection::vec(0..9_u32, 1..8);
    let again = (some, prop_oneof![Just(1), 1..30_usize]);
    let again = again.prop_map(|(blocks, times)| blocks.repeat(times));
    prop::collection::vec(again, 0..40).prop_map(|parts| parts.concat())
}

proptest! {
    /// Whatever the order, and however often all is forgotten, what is looked up is what the model says.
    #[test]
    fn states_change_nothing(
        order in order(),
        tells_records in any::<bool>(),
        depth in 1..4_u32,
        max_branches in 1..5_u32,
        (counts_events, stack_check) in any::<(bool, bool)>(),
        most_states in 1..200_usize,
        some in 1..100_usize,
    ) {
        let program = program();
        let metric = if counts_events { Metric::Events } else { Metric::Executions };
        let mut model = detector(1 << depth, max_branches, metric, stack_check);
        let (blocks, words) = translated(&program);
        let mut recorder = Recorder::new(blocks, Some(model.clone()), tells_records);
        recorder.most_states = most_states;
        let (mut batch, mut table) = (Batch::default(), InOrder::default());
        let mut plain = Plain::default();
        for blocks in order.chunks(some) {
            recorder.run(&words_of(&words, blocks), &mut batch, &mut table);
            plain.run(&program, blocks);
        }
        let expected = plain.records;
        prop_assert_eq!(batch.unseen_signals, plain.unseen_signals);
        let paths: Vec<_> = expected.iter().filter_map(|record| model.step(record)).collect();
        let numbered: Vec<_> = batch.numbers.iter().map(|&n| recorder.records()[n as usize]).collect();
        prop_assert_eq!(batch.records, expected.len() as u64);
        prop_assert_eq!(numbered, if tells_records { expected } else { Vec::new() });
        let completed: Vec<_> = table.0.iter()
            .flat_map(|one| vec![recorder.paths[one.path as usize]; one.times as usize])
            .collect();
        prop_assert_eq!(completed, paths);
        prop_assert_eq!(batch.tally, model.take_tally());
    }

    /// Whatever the table, seldom or mostly missed, and whatever a path counts: what blocks leave in it is what the model makes of each record.
    #[test]
    fn a_table_is_what_the_model_makes_of_each_record(
        order in order(),
        replacement in prop::sample::select(Replacement::ALL.to_vec()),
        (sets, ways) in (1..4_u32, 1..3_u32),
        depth in 1..4_u32,
        max_branches in 1..5_u32,
        (counts_events, stack_check) in any::<(bool, bool)>(),
        tells_records in any::<bool>(),
        some in 1..300_usize,
    ) {
        let geometry = Geometry {
            sets: 1 << sets,
            ways,
            stack_depth: 1 << depth,
            stack_check,
            max_branches,
            replacement,
            accumulator_bits: 8,
            event_counter_bits: 5,
            align: 0,
            ..Geometry::default()
        };
        let metric = if counts_events { Metric::Events } else { Metric::Executions };
        let reset = ResetValues { metric, ..ResetValues::enabled() };
        let mut run = Run::new(&geometry, &reset).expect("a legal profiler");
        let program = program();
        let (blocks, words) = translated(&program);
        let mut recorder = Recorder::new(blocks, run.detector(), tells_records);
        let (mut batch, mut plain) = (Batch::default(), Plain::default());
        for blocks in order.chunks(some) {
            batch.clear();
            recorder.run(&words_of(&words, blocks), &mut batch, &mut run);
            run.complete(batch.records, batch.tally, &[]);
            plain.run(&program, blocks);
        }
        let mut model = Profiler::new(&geometry, &reset).expect("a legal profiler");
        plain.records.iter().for_each(|record| _ = model.profile(record));
        prop_assert_eq!(run.held().dump, Dump::of(&model).to_string());
    }

    /// Without a detector there are records alone.
    #[test]
    fn without_a_detector_records_are_reported(order in prop::collection::vec(0..9_u32, 0..200)) {
        let program = program();
        let (blocks, words) = translated(&program);
        let mut recorder = Recorder::new(blocks, None, false);
        let (mut batch, mut table) = (Batch::default(), InOrder::default());
        recorder.run(&words_of(&words, &order), &mut batch, &mut table);
        let numbered: Vec<_> = batch.numbers.iter().map(|&n| recorder.records()[n as usize]).collect();
        let mut plain = Plain::default();
        plain.run(&program, &order);
        prop_assert_eq!(numbered, plain.records);
        prop_assert!(table.0.is_empty());
    }
}

/// Where handlers begin in [`interruptible`].
const HANDLER: u64 = 0x100;

/// A loop that calls a loop, then a handler that calls and is left, then what is left of each block of the loops when its last instruction begins.
fn interruptible() -> Vec<Block> {
    let mut all = vec![
        block(0x00, &[0x75, 0x10]),
        block(0x10, &[0x90]),
        block(0x20, &[0xe8, 0x30, 0, 0, 0]),
        block(0x30, &[0x75, 0xc0]),
        block(0x40, &[0xeb, 0xb0]),
        block(0x60, &[0x75, 0xf0]),
        block(0x70, &[0xc3]),
        block(HANDLER, &[0xe8, 0x10, 0, 0, 0]),
        block(0x110, &[0xc3]),
        block(0x120, &[0xc3]),
        block(0x130, &[0x0f, 0x05]).preceded_by(Isa::X86_64, &[0xb8, 15, 0, 0, 0]),
    ];
    let rest = |of: &Block| Block {
        start: of.last,
        instructions: 1,
        ..of.clone()
    };
    all.extend(all[..7].iter().map(rest).collect::<Vec<_>>());
    all
}

/// A run of the loops: each choice says where a block leads and what interrupts it. With and without the interruptions.
fn runs(choices: &[u8]) -> (Vec<u32>, Vec<u32>) {
    const HANDLER: [u32; 4] = [7, 9, 8, 10];
    let (mut alone, mut interrupted, mut at) = (Vec::new(), Vec::new(), 0);
    for choice in choices {
        alone.push(at);
        interrupted.push(at);
        match choice >> 1 {
            // Between two blocks; twice; one within the other; and inside the block.
            0 => interrupted.extend(HANDLER),
            1 => interrupted.extend([HANDLER, HANDLER].concat()),
            2 => interrupted.extend([&[7, 9], &HANDLER[..], &[8, 10]].concat()),
            3 => interrupted.extend([&HANDLER[..], &[11 + at]].concat()),
            _ => {}
        }
        at = match (at, choice & 1) {
            (0, 0) => 1,
            (0 | 1, _) => 2,
            (2, _) | (5, 1) => 5,
            (3, 0) => 4,
            (5, _) => 6,
            (6, _) => 3,
            _ => 0,
        };
    }
    (alone, interrupted)
}

proptest! {
    /// Whatever is interrupted, and however, the paths around a handler are those that there are without it: with a checked stack too, which has nothing to
    /// repair.
    #[test]
    fn handlers_change_no_path_around_them(
        choices in prop::collection::vec(0..30_u8, 0..300),
        stack_check in any::<bool>(),
    ) {
        let geometry = Geometry { stack_check, align: 0, ..Geometry::default() };
        let paths = |blocks: &[u32]| {
            let (code, words) = translated(&interruptible());
            let mut recorder = Recorder::new(code, None, true);
            recorder.handler(HANDLER);
            let mut batch = Batch::default();
            recorder.run(&words_of(&words, blocks), &mut batch, &mut InOrder::default());
            let records: Vec<_> = batch.numbers.iter().map(|&n| recorder.records()[n as usize]).collect();
            let mut stack = path_stack(geometry, Metric::Executions);
            let mut paths: Vec<_> = records.iter().filter_map(|record| stack.step(record)).collect();
            paths.retain(|path| path.descriptor.start < HANDLER);
            (paths, stack.take_tally(), batch.unseen_signals)
        };
        // The stack begins with the first record, which is no trap.
        let (alone, interrupted) = runs(&[&[0xff], &choices[..]].concat());
        prop_assert_eq!(paths(&interrupted), paths(&alone));
    }
}

#[test]
fn a_loop_is_reported_as_one_path_that_completed_often() {
    let twice = [block(0x00, &[0x90]), block(0x10, &[0x75, 0xe0])];
    let detector = detector(4, 8, Metric::Executions, false);
    let (blocks, words) = translated(&twice);
    let mut recorder = Recorder::new(blocks, Some(detector), true);
    let (mut batch, mut table) = (Batch::default(), InOrder::default());
    recorder.run(&words.repeat(1000), &mut batch, &mut table);
    assert_eq!((batch.records, batch.numbers.len()), (999, 999));
    let completed: u32 = table.0.iter().map(|one| one.times).sum();
    // The path under way at the first branch began before it.
    assert_eq!(completed, 998);
    assert!(table.0.len() < 8, "{:?}", table.0);
}

#[test]
fn events_are_the_instructions_since_the_branch_before() {
    let (blocks, words) = translated(&program());
    let mut recorder = Recorder::new(blocks, None, true);
    let blocks = words_of(&words, &[1, 2, 0]);
    recorder.run(&blocks, &mut Batch::default(), &mut InOrder::default());
    let events: Vec<u32> = recorder.records().iter().map(|r| r.events).collect();
    assert_eq!(events, [6]);
}
