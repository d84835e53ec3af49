//! Blocks in order to numbers of branch records.
//!
//! Almost always a block is followed by one of the two that followed it last: the number of the record between them is
//! then beside the block. Else it is looked for in a small table, and only then made of the two blocks.

use core::cell::Cell;
use core::ptr;

use hpp_golden::branch::BranchRecord;
use hpp_trace::Numbering;

use crate::block::{Block, Step};

/// How many numbers are handed over at once.
pub const BATCH: usize = 1 << 14;

/// A block, and which records led from it to others. What is looked at each time it runs comes first, in one line of the
/// processor's cache.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Place {
    edges: Cell<[Onward; 2]>,
    instructions: u32,
    block: Block,
}

impl Place {
    /// A block that nothing followed yet. It stays for as long as the process.
    #[must_use]
    pub fn new(block: Block) -> &'static Self {
        Box::leak(Box::new(Self {
            edges: Cell::new([Onward::NONE; 2]),
            instructions: block.instructions,
            block,
        }))
    }

    /// The block.
    #[must_use]
    pub const fn block(&self) -> &Block {
        &self.block
    }
}

/// A record that led to another block.
#[derive(Clone, Copy, Debug)]
struct Onward {
    to: *const Place,
    /// Instructions before the first block, without a branch.
    carried: u32,
    number: u32,
}

impl Onward {
    const NONE: Self = Self {
        to: ptr::null(),
        carried: 0,
        number: 0,
    };

    /// Whether it led there, after so many instructions.
    fn leads(&self, to: &Place, carried: u32) -> bool {
        ptr::eq(self.to, to) && self.carried == carried
    }
}

/// A record that led from one block to another.
#[derive(Clone, Copy, Debug)]
struct Edge {
    from: *const Place,
    onward: Onward,
}

impl Edge {
    const NONE: Self = Self {
        from: ptr::null(),
        onward: Onward::NONE,
    };
}

/// Places of the table behind the blocks' own edges; a power of two.
const EDGES: usize = 1 << 16;

/// Turns blocks into numbers.
#[derive(Debug)]
pub struct Recorder {
    edges: Box<[Edge]>,
    numbering: Numbering,
    /// The block that runs.
    running: Option<&'static Place>,
    carried: u32,
    numbers: Vec<u32>,
    /// Of the blocks before the one that runs.
    instructions: u64,
}

impl Default for Recorder {
    fn default() -> Self {
        Self::new()
    }
}

impl Recorder {
    /// A recorder before the first block.
    #[must_use]
    pub fn new() -> Self {
        Self {
            edges: vec![Edge::NONE; EDGES].into(),
            numbering: Numbering::new(),
            running: None,
            carried: 0,
            numbers: Vec::with_capacity(BATCH),
            instructions: 0,
        }
    }

    /// Instructions of the blocks that ran, the one that runs included.
    #[must_use]
    pub fn instructions(&self) -> u64 {
        self.instructions + self.running.map_or(0, |place| place.instructions.into())
    }

    /// Instructions of the blocks before the one that runs.
    #[must_use]
    pub const fn completed(&self) -> u64 {
        self.instructions
    }

    /// The records by number.
    #[must_use]
    pub fn records(&self) -> &[BranchRecord] {
        self.numbering.records()
    }

    /// A block begins. Whether [`BATCH`] numbers wait to be [taken](Self::take). Constant time on average.
    #[inline]
    pub fn begin(&mut self, to: &'static Place) -> bool {
        // It is looked at when the next block begins, and would be waited for then.
        prefetch(to);
        let Some(from) = self.running.replace(to) else {
            return false;
        };
        self.instructions += u64::from(from.instructions);
        let [one, other] = from.edges.get();
        let number = if one.leads(to, self.carried) {
            one.number
        } else if other.leads(to, self.carried) {
            other.number
        } else {
            match self.look_up(from, to) {
                Some(number) => number,
                None => return false,
            }
        };
        self.carried = 0;
        self.numbers.push(number);
        self.numbers.len() == BATCH
    }

    /// The number of the record between two blocks that do not know each other; none if there was no branch.
    #[inline(never)]
    fn look_up(&mut self, from: &'static Place, to: &'static Place) -> Option<u32> {
        let place = place_of(from, to, self.carried);
        let known = self.edges[place];
        let known = ptr::eq(known.from, from).then_some(known.onward);
        let number = match known.filter(|onward| onward.leads(to, self.carried)) {
            Some(onward) => onward.number,
            None => match from.block.step(to.block.start) {
                Step::Instructions(instructions) => {
                    self.carried = self.carried.saturating_add(instructions);
                    return None;
                }
                Step::Record(record) => self.numbering.number(&BranchRecord {
                    events: self.carried.saturating_add(from.block.instructions),
                    ..record
                }),
            },
        };
        let onward = Onward {
            to,
            carried: self.carried,
            number,
        };
        self.edges[place] = Edge { from, onward };
        from.edges.set([onward, from.edges.get()[0]]);
        Some(number)
    }

    /// Hands over the numbers that wait; `empty` takes their place.
    pub fn take(&mut self, empty: Vec<u32>) -> Vec<u32> {
        core::mem::replace(&mut self.numbers, empty)
    }
}

/// Asks for the line of the cache that a block begins with.
#[inline(always)]
fn prefetch(place: &Place) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch reads nothing that the program could see.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// Where in the table an edge is.
fn place_of(from: &Place, to: &Place, carried: u32) -> usize {
    let (from, to) = (ptr::from_ref(from).addr(), ptr::from_ref(to).addr());
    let mixed = (from.rotate_left(20) ^ to ^ carried as usize).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed >> (usize::BITS - EDGES.ilog2())
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpp_golden::branch::BranchKind;
    use hpp_trace::Isa;
    use proptest::prelude::*;

    /// Three instructions that end with these bytes, at the end of 16 addresses from `start`.
    fn place(start: u64, end: &[u8]) -> &'static Place {
        let last = start + 16 - end.len() as u64;
        Place::new(Block::new(Isa::X86_64, start, 3, last, end))
    }

    fn program() -> Vec<&'static Place> {
        vec![
            place(0x00, &[0x75, 0x10]),
            place(0x10, &[0x90]),
            place(0x20, &[0xc3]),
            place(0x30, &[0x0f, 0x05]),
            place(0x40, &[0xff, 0xe0]),
        ]
    }

    proptest! {
        /// Whatever the order, what is remembered is what the two blocks say.
        #[test]
        fn memory_changes_nothing(order in prop::collection::vec(0..5_usize, 0..300)) {
            let program = program();
            let mut recorder = Recorder::new();
            let (mut expected, mut carried) = (Vec::new(), 0);
            for &to in &order {
                recorder.begin(program[to]);
            }
            for pair in order.windows(2) {
                let (from, to) = (program[pair[0]].block(), program[pair[1]].block());
                match from.step(to.start) {
                    Step::Instructions(more) => carried += more,
                    Step::Record(record) => {
                        expected.push(BranchRecord { events: carried + from.instructions, ..record });
                        carried = 0;
                    }
                }
            }
            let numbers = recorder.take(Vec::new());
            let recorded: Vec<_> = numbers.iter().map(|&n| recorder.records()[n as usize]).collect();
            prop_assert_eq!(recorded, expected);
            prop_assert_eq!(recorder.instructions(), 3 * order.len() as u64);
        }
    }

    #[test]
    fn events_are_the_instructions_since_the_branch_before() {
        let program = program();
        let mut recorder = Recorder::new();
        for to in [1, 2, 0] {
            recorder.begin(program[to]);
        }
        let record = BranchRecord {
            kind: BranchKind::Return,
            taken: true,
            target: 0,
            next: 0x30,
            events: 6,
        };
        assert_eq!(recorder.records(), [record]);
    }
}
