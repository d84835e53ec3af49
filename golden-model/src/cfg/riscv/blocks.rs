//! Basic blocks of machine code, found by following control flow.
//!
//! A block begins at a function, at the target of a direct branch or jump, after a branch, or where a run was seen to
//! begin a path. It ends with a control transfer or before the next block. Calls do not end blocks: the callee is
//! profiled on its own, and control comes back (Ball and Larus, "Efficient Path Profiling", section 2).
//!
//! Targets of computed jumps are not guessed: a jump table stays one indirect jump. Code that only such a jump
//! reaches is found in two ways: a profiled run gives the addresses ([`Starts::observed`]), or what the control flow
//! leaves uncovered in a function with an indirect jump is taken to be its targets ([`Starts::assumed`]).

use std::collections::{BTreeMap, BTreeSet};

use crate::branch::BranchKind;
use crate::cfg::riscv::elf::{Function, Image};
use crate::code::{Instruction, Program, Transfer};

/// A maximal run of instructions that control enters at the first and leaves at the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Address of the first instruction.
    pub start: u64,
    /// Address after the last instruction.
    pub end: u64,
    /// How control leaves.
    pub exit: Exit,
}

/// How control leaves a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// On to the block at `end`, without a control transfer.
    Fall,
    /// By a direct jump.
    Jump {
        /// Its direction.
        kind: BranchKind,
        /// Its target.
        target: u64,
    },
    /// By a direct conditional branch; not taken, on to the block at `end`.
    Branch {
        /// Its direction.
        kind: BranchKind,
        /// Its target.
        target: u64,
    },
    /// By an indirect jump, a return or a trap return.
    Computed(BranchKind),
    /// Not at all: what follows is no code, or a call that does not return.
    Dead,
}

/// Further places where blocks begin, beside functions and branch targets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Starts {
    /// Where the paths of a run were seen to begin.
    Observed(BTreeSet<u64>),
    /// What the control flow of a function with an indirect jump leaves uncovered.
    Assumed,
}

/// The basic blocks of a program.
#[derive(Clone, Debug)]
pub struct Blocks {
    blocks: BTreeMap<u64, Block>,
    starts: BTreeSet<u64>,
}

impl Blocks {
    /// Finds the blocks of the whole program. O(n log n) in the number of instructions.
    #[must_use]
    pub fn recover(image: &Image, starts: &Starts) -> Self {
        let mut search = Search::new(image);
        for function in image.functions() {
            search.begin(function.address);
        }
        match starts {
            Starts::Observed(addresses) => addresses.iter().for_each(|&a| search.begin(a)),
            Starts::Assumed => image.functions().iter().for_each(|f| search.cover(f)),
        }
        search.finish()
    }

    /// The block that begins at `address`.
    #[must_use]
    pub fn at(&self, address: u64) -> Option<&Block> {
        self.blocks.get(&address)
    }

    /// Every block, by ascending address.
    pub fn iter(&self) -> impl Iterator<Item = &Block> {
        self.blocks.values()
    }

    /// Where control may come from elsewhere than a direct branch: functions, callees, and the [`Starts`].
    #[must_use]
    pub fn starts(&self) -> &BTreeSet<u64> {
        &self.starts
    }
}

struct Search<'a> {
    image: &'a Image,
    instructions: BTreeMap<u64, Instruction>,
    leaders: BTreeSet<u64>,
    starts: BTreeSet<u64>,
}

impl<'a> Search<'a> {
    fn new(image: &'a Image) -> Self {
        Self {
            image,
            instructions: BTreeMap::new(),
            leaders: BTreeSet::new(),
            starts: BTreeSet::new(),
        }
    }

    /// Follows control flow from a start, if there is code at it.
    fn begin(&mut self, start: u64) {
        let mut work = vec![(start, true)];
        while let Some((leader, is_start)) = work.pop() {
            if self.image.instruction(leader).is_none() {
                continue;
            }
            if is_start {
                self.starts.insert(leader);
            }
            if self.leaders.insert(leader) {
                self.follow(leader, &mut work);
            }
        }
    }

    /// Goes on from `pc` to the next transfer that ends a block; leaves further leaders in `work`.
    fn follow(&mut self, mut pc: u64, work: &mut Vec<(u64, bool)>) {
        while !self.instructions.contains_key(&pc) {
            let Some(instruction) = self.image.instruction(pc) else {
                return;
            };
            self.instructions.insert(pc, instruction);
            if let Some(transfer) = instruction.transfer {
                let call = is_call(transfer);
                work.extend(transfer.target.map(|target| (target, call)));
                if !call {
                    if transfer.conditional {
                        work.push((instruction.next, false));
                    }
                    return;
                }
                if self.call_is_last(pc, instruction) {
                    return;
                }
            }
            pc = instruction.next;
        }
    }

    /// Whether nothing of the caller follows its call: the callee does not return.
    fn call_is_last(&self, pc: u64, call: Instruction) -> bool {
        self.image
            .function_at(pc)
            .is_some_and(|f| f.sized && call.next >= f.end())
    }

    /// Takes what is uncovered in a function with an indirect jump for targets of that jump.
    fn cover(&mut self, function: &Function) {
        let indirect = self
            .instructions
            .range(function.address..function.end())
            .filter_map(|(_, instruction)| instruction.transfer)
            .any(|transfer| transfer.kind == BranchKind::Indirect);
        let mut pc = function.address;
        while indirect && pc < function.end() {
            if !self.instructions.contains_key(&pc) {
                self.begin(pc);
            }
            pc = self.instructions.get(&pc).map_or(pc + 2, |i| i.next);
        }
    }

    fn finish(self) -> Blocks {
        let blocks = self
            .leaders
            .iter()
            .map(|&leader| (leader, self.block(leader)))
            .collect();
        Blocks {
            blocks,
            starts: self.starts,
        }
    }

    fn block(&self, start: u64) -> Block {
        let mut pc = start;
        loop {
            let instruction = self.instructions[&pc];
            let end = instruction.next;
            let done = |exit| Block { start, end, exit };
            match instruction.transfer {
                Some(transfer) if !is_call(transfer) => return done(exit_of(transfer)),
                Some(_) if self.call_is_last(pc, instruction) => return done(Exit::Dead),
                _ if self.leaders.contains(&end) => return done(Exit::Fall),
                _ if !self.instructions.contains_key(&end) => return done(Exit::Dead),
                _ => pc = end,
            }
        }
    }
}

const fn is_call(transfer: Transfer) -> bool {
    matches!(
        transfer.kind,
        BranchKind::Call | BranchKind::IndirectCall | BranchKind::Trap
    )
}

const fn exit_of(transfer: Transfer) -> Exit {
    let kind = transfer.kind;
    match transfer.target {
        Some(target) if transfer.conditional => Exit::Branch { kind, target },
        Some(target) => Exit::Jump { kind, target },
        None => Exit::Computed(kind),
    }
}
