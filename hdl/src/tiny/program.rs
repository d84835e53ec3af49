//! The microprogram of a tiny profiler: one step in each cycle.
//!
//! A step reads or writes one cell of the memory and updates registers. The word read is available from the next step
//! on, until another word is read. A step may ask a question. Its two successors have consecutive addresses, and the
//! answer is the low bit of the next address.

use std::collections::HashMap;

use super::memory::act::*;

/// Width of the address of a step.
pub(super) const PROGRAM_BITS: u32 = 7;

/// The question of a step. Its value selects one of the answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Ask {
    /// Is anything to be done? Also of a step whose successors are the same.
    Stirs,
    /// Is a record held?
    Waits,
    /// Is a bus access pending?
    Requested,
    /// Is a clear of the table in progress?
    Clearing,
    /// Is a clear of the counters pending?
    Zeroing,
    /// Is a purge of the stack pending?
    Purges,
    /// Does the record complete a path?
    Completes,
    /// Does it push?
    Pushes,
    /// Does it pop?
    Pops,
    /// Is the table frozen or being cleared?
    Blocked,
    /// Is the word read equal to the operand?
    Equal,
    /// Is it the last way?
    LastWay,
    /// Is bit 0 of the word read set, as in a start?
    Occupied,
    /// Is the word read less than the smallest count so far?
    Less,
    /// Was a record lost after the current one?
    Gap,
    /// Does the sum overflow?
    Over,
}

/// The cell that a step addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    /// Word of the entry in the set of the path and the current way: 0 start, 1 outcomes, 2 count.
    Table(u8),
    /// Word of the current place on the stack: 0 start, 1 outcomes.
    Stack(u8),
    /// Low word of a counter, or `ZERO`.
    Counter(u8),
    /// The word that the bus or the clear walk addresses.
    Bus,
}

/// A cell that is always 0: the high word of the last counter.
pub(super) const ZERO: Cell = Cell::Counter(15);
const RECORDS: u8 = 0;
const PATHS: u8 = 2;
const HITS: u8 = 4;
const REPLACEMENTS: u8 = 6;
const SPLITS: u8 = 8;
const UNDERFLOWS: u8 = 10;
const OVERFLOWS: u8 = 12;
const LOST: u8 = 14;

/// A step, with the names of its successors.
#[derive(Clone, Copy, Debug)]
struct Named {
    name: &'static str,
    cell: Cell,
    acts: u32,
    ask: Ask,
    yes: &'static str,
    no: &'static str,
}

/// An assembled step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// The label that successors name, and that the comment in the Verilog begins with.
    pub name: &'static str,
    /// The names of the successors: answer no, answer yes.
    pub successors: [&'static str; 2],
    /// Address of the successors, without bit 0.
    pub next: u8,
    /// The question that selects a successor.
    pub ask: Ask,
    /// The cell.
    pub cell: Cell,
    /// The actions.
    pub acts: u32,
}

/// A step without a question.
const fn then(name: &'static str, cell: Cell, acts: u32, no: &'static str) -> Named {
    ask(name, cell, acts, Ask::Stirs, no, no)
}

const fn ask(
    name: &'static str,
    cell: Cell,
    acts: u32,
    ask: Ask,
    yes: &'static str,
    no: &'static str,
) -> Named {
    Named {
        name,
        cell,
        acts,
        ask,
        yes,
        no,
    }
}

/// Clears a counter: writes the word read last, which is 0.
const fn zero(name: &'static str, counter: u8, no: &'static str) -> Named {
    then(name, Cell::Counter(counter), WRITE, no)
}

const INVALIDATE: u32 = WRITE | ADDS_ONE;
const COUNT: u32 = WRITE | ADDS_ONE;

/// The steps; the first is the one after reset.
#[rustfmt::skip]
const STEPS: &[Named] = &[
    // Clear the counters if that is pending, after a reset or an access.
    ask("first", ZERO, 0, Ask::Zeroing, "zero0", "stir"),
    zero("zero0", RECORDS, "zero1"),
    zero("zero1", PATHS, "zero2"),
    zero("zero2", HITS, "zero3"),
    zero("zero3", REPLACEMENTS, "zero4"),
    zero("zero4", SPLITS, "zero5"),
    zero("zero5", UNDERFLOWS, "zero6"),
    zero("zero6", OVERFLOWS, "zero7"),
    zero("zero7", LOST, "stir"),
    // Nothing changes from step to step while there is nothing to do.
    ask("idle", ZERO, RESTS, Ask::Stirs, "stir", "idle"),
    // In this order: a record, words of a clear, a bus access. No record is held immediately after another, so words
    // of a clear and an access follow each record. An access waits for one record at most.
    ask("stir", ZERO, 0, Ask::Waits, "record", "sweep"),
    ask("sweep", ZERO, 0, Ask::Clearing, "walk0", "bus"),
    ask("walk0", Cell::Bus, WRITE | WALKS, Ask::Waits, "bus", "walk1"),
    ask("walk1", Cell::Bus, WRITE | WALKS, Ask::Requested, "bus", "walk2"),
    ask("walk2", Cell::Bus, WRITE | WALKS, Ask::Clearing, "walk0", "stir"),
    ask("bus", Cell::Bus, 0, Ask::Requested, "answer", "idle"),
    then("answer", ZERO, ANSWERS, "first"),
    // Count the record. A purge pops places until one is empty.
    then("record", Cell::Counter(RECORDS), 0, "recorded"),
    ask("recorded", Cell::Counter(RECORDS),
        COUNT, Ask::Purges, "purge0", "update0"),
    then("purge0", ZERO, SHALLOWER, "purge1"),
    then("purge1", Cell::Stack(0), 0, "purge2"),
    ask("purge2", Cell::Stack(0),
        0, Ask::Occupied, "purge3", "restart"),
    then("purge3", Cell::Stack(0), INVALIDATE, "purge0"),
    // Append the outcome.
    then("update0", ZERO, BEGINS, "update1"),
    ask("update1", ZERO, 0, Ask::Completes, "lookup", "grow"),
    ask("grow", ZERO, 0, Ask::Pushes, "push0", "end"),
    ask("lookup", ZERO, 0, Ask::Blocked, "path0", "start"),
    // Compare the ways one after another: start, then outcomes.
    then("start", Cell::Table(0), 0, "start?"),
    ask("start?", Cell::Table(1),
        ADDS_START, Ask::Equal, "outcomes?", "miss"),
    ask("outcomes?", Cell::Table(2),
        ADDS_OUTCOMES, Ask::Equal, "hit", "miss"),
    ask("miss", ZERO, NEXT_WAY, Ask::LastWay, "count", "start"),
    // Hit: add 1 to the count.
    ask("hit", Cell::Table(2),
        ADDS_ONE, Ask::Over, "saturate", "add"),
    then("saturate", ZERO, SATURATES, "hit0"),
    then("add", Cell::Table(2), COUNT, "hit0"),
    then("hit0", Cell::Counter(HITS), 0, "hit1"),
    then("hit1", Cell::Counter(HITS), COUNT, "path0"),
    // Miss: replace the way with the smallest count. The operand is added to a word of 0.
    then("count", Cell::Table(2), 0, "least"),
    ask("least", ZERO, NOTES_LEAST | NEXT_WAY, Ask::LastWay, "victim", "count"),
    then("victim", ZERO, TAKES_LEAST, "insert"),
    ask("insert", Cell::Table(0),
        WRITE | ADDS_START, Ask::Less, "replace0", "insert1"),
    then("insert1", Cell::Table(1), WRITE | ADDS_OUTCOMES, "insert2"),
    then("insert2", Cell::Table(2), COUNT, "path0"),
    then("replace0", Cell::Table(1),
        WRITE | ADDS_OUTCOMES, "replace1"),
    then("replace1", Cell::Table(2), COUNT, "replace2"),
    then("replace2", Cell::Counter(REPLACEMENTS), 0, "replace3"),
    then("replace3", Cell::Counter(REPLACEMENTS), COUNT, "path0"),
    // The path is complete. Continue with a pop, or after a split.
    then("path0", Cell::Counter(PATHS), 0, "path1"),
    ask("path1", Cell::Counter(PATHS),
        COUNT, Ask::Pops, "popped", "split0"),
    then("split0", Cell::Counter(SPLITS), 0, "split1"),
    then("split1", Cell::Counter(SPLITS), COUNT, "restart"),
    ask("popped", ZERO, 0, Ask::Pushes, "restart", "pop0"),
    then("pop0", ZERO, SHALLOWER, "pop1"),
    then("pop1", Cell::Stack(0), 0, "pop2"),
    ask("pop2", Cell::Stack(0),
        0, Ask::Occupied, "pop3", "underflow0"),
    then("pop3", Cell::Stack(0), INVALIDATE | POPS_START, "pop4"),
    then("pop4", Cell::Stack(1), 0, "pop5"),
    then("pop5", ZERO, POPS_OUTCOMES, "end"),
    then("underflow0", Cell::Counter(UNDERFLOWS), 0, "underflow1"),
    then("underflow1", Cell::Counter(UNDERFLOWS), COUNT, "restart"),
    // Push. If the place of the new top is occupied, the oldest entry is dropped.
    then("push0", ZERO, 0, "push1"),
    then("push1", Cell::Stack(0), WRITE | ADDS_START, "push2"),
    then("push2", Cell::Stack(1),
        WRITE | ADDS_OUTCOMES | DEEPER, "push3"),
    then("push3", Cell::Stack(0), 0, "push4"),
    ask("push4", Cell::Stack(0),
        0, Ask::Occupied, "drop0", "restart"),
    then("drop0", Cell::Stack(0), INVALIDATE, "drop1"),
    then("drop1", Cell::Counter(OVERFLOWS), 0, "drop2"),
    then("drop2", Cell::Counter(OVERFLOWS), COUNT, "restart"),
    then("restart", ZERO, RESTARTS, "end"),
    // End of the record, unless others were lost after it.
    ask("end", ZERO, ENDS, Ask::Gap, "lost0", "stir"),
    then("lost0", Cell::Counter(LOST), 0, "lost1"),
    then("lost1", Cell::Counter(LOST), COUNT | LOSES, "stir"),
];

/// The steps by address.
pub(super) fn assembled() -> Vec<Step> {
    let pairs = pairs();
    let numbers: HashMap<_, _> = pairs.iter().copied().zip(0..).collect();
    let named: HashMap<_, _> = STEPS.iter().map(|step| (step.name, step)).collect();
    let place = |name: &&str| {
        let step = named[name];
        Step {
            name: step.name,
            successors: [step.no, step.yes],
            next: numbers[&(step.no, step.yes)],
            ask: step.ask,
            cell: step.cell,
            acts: step.acts,
        }
    };
    let steps: Vec<_> = pairs
        .iter()
        .flat_map(|(no, yes)| [place(no), place(yes)])
        .collect();
    assert!(
        steps.len() <= 1 << PROGRAM_BITS,
        "the program fits its memory"
    );
    steps
}

/// The pairs of successors (no, yes), in the order of their addresses. The first pair is the first step.
fn pairs() -> Vec<(&'static str, &'static str)> {
    let mut pairs = vec![(STEPS[0].name, STEPS[0].name)];
    for step in STEPS {
        if !pairs.contains(&(step.no, step.yes)) {
            pairs.push((step.no, step.yes));
        }
    }
    pairs
}

/// The names of unreachable steps of the microprogram; there must be none.
#[must_use]
pub fn unreached_steps() -> Vec<&'static str> {
    let mut reached = vec![STEPS[0].name];
    let mut place = 0;
    while let Some(&name) = reached.get(place) {
        let steps = STEPS.iter().filter(|step| step.name == name);
        for next in steps.flat_map(|step| [step.no, step.yes]) {
            if !reached.contains(&next) {
                reached.push(next);
            }
        }
        place += 1;
    }
    let names = STEPS.iter().map(|step| step.name);
    names.filter(|name| !reached.contains(name)).collect()
}
