//! Up to eight blocks at once.
//!
//! From a [state](hpp_explore::states), the same blocks do the same. Blocks that began one after another are kept as a *segment*, by the state and by their
//! words, so that one comparison repeats them:
//!
//! ```text
//!                    a cache line                                  beside it
//!            ┌─────────────────┬──────────┬──────┐            ┌────────────────┐
//!   state ──►│ state, 8 words  │ how many │ next │            │ paths, records │
//!            └─────────────────┴──────────┴──────┘            └────────────────┘
//!               compared with       times, until they are added up
//!               what comes
//! ```
//!
//! Where a segment ends follows from the words alone, so that a loop is cut in the same places each time: behind the word after the last block that may
//! end a path, or after the first that returns. What a block does is known when the next begins, and after a return that is in a state that waited.
//!
//! How often a segment was repeated is only counted. If the table already holds all their paths, it takes them in any order. If not, it takes them one by
//! one in the order in which they completed.

use hpp_explore::Times;
use hpp_explore::run::Table;
use hpp_explore::stack::After;
use hpp_explore::states::NONE;

use super::making::Making;

/// Of the word by which QEMU's thread notes a block, the block's number; whether a path may end with it; and whether it returns.
pub const NUMBER: u32 = (1 << 24) - 1;
pub const ENDS: u32 = 1 << 30;
pub const RETURNS: u32 = 1 << 29;

/// Blocks of a segment at most.
const MOST: usize = 8;

/// Words by pairs.
type Words = [u64; MOST / 2];

/// What is compared and what is needed at each repetition.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Segment {
    words: Words,
    state: u32,
    /// How many of the words there are; the others are 0.
    length: u32,
    next: u32,
    /// How often it was repeated since it was last added up.
    times: u32,
    /// The state that is to wait, or [`NONE`].
    waits: u32,
    /// The number of the record that pushes or pops: there is one at most where frames are asked.
    moves: u32,
    /// How many of the blocks it takes, at least one.
    blocks: u8,
    /// Whether its last block follows a return.
    pops: bool,
    /// Whether it leaves the waiting states as they are.
    stays: bool,
}

impl Segment {
    const NONE: Self = Self {
        words: [0; MOST / 2],
        state: NONE,
        length: 0,
        next: NONE,
        times: 0,
        waits: NONE,
        moves: NONE,
        blocks: 0,
        pops: false,
        stays: true,
    };
}

/// What the blocks of a segment do.
#[derive(Clone, Copy, Debug)]
struct Done {
    paths: [u32; MOST],
    path_count: u8,
    record_count: u8,
    splits: u8,
    saturates: bool,
}

impl Done {
    const NOTHING: Self = Self {
        paths: [NONE; MOST],
        path_count: 0,
        record_count: 0,
        splits: 0,
        saturates: false,
    };

    #[inline(always)]
    fn paths(&self) -> &[u32] {
        &self.paths[..usize::from(self.path_count)]
    }
}

/// Places, a power of two: what they hold fits into the second cache of a core.
const PLACES: usize = 1 << 12;

/// How many pieces of a run are taken block by block after one in which too many segments were unknown; each time twice as many, up to a most.
const PAUSE: u32 = 8;
const LONGEST_PAUSE: u32 = 256;

/// One in so many blocks that are in no known segment are too many.
const TOO_MANY: usize = 128;

/// The segments of a run.
#[derive(Clone, Debug)]
pub struct Segments {
    all: Box<[Segment; PLACES]>,
    done: Box<[Done; PLACES]>,
    /// The segments that were repeated, in order, and how often in a row.
    order: Vec<(u32, u32)>,
    /// Those of them, each once.
    repeated: Vec<u32>,
    counted: Vec<Times>,
    /// How many pieces are still to be taken block by block, and how many there will be the next time.
    pause: u32,
    next_pause: u32,
    /// The numbers of their records, if these are kept.
    records: Box<[[u32; MOST]]>,
}

impl Segments {
    /// None. Numbers of records are kept if asked for.
    #[must_use]
    pub fn new(keeps_records: bool) -> Self {
        let all: Box<[Segment]> = vec![Segment::NONE; PLACES].into();
        let done: Box<[Done]> = vec![Done::NOTHING; PLACES].into();
        Self {
            all: all.try_into().expect("as many places"),
            done: done.try_into().expect("as many places"),
            order: Vec::new(),
            repeated: Vec::new(),
            counted: Vec::new(),
            pause: 0,
            next_pause: PAUSE,
            records: vec![[NONE; MOST]; if keeps_records { PLACES } else { 0 }].into(),
        }
    }

    /// Takes blocks from this state on; returns the state after them.
    pub(super) fn run<T: Table, const RECORDS: bool>(
        &mut self,
        making: &mut Making<'_, T, RECORDS>,
        state: u32,
        words: &[u32],
    ) -> u32 {
        if self.pause > 0 {
            self.pause -= 1;
            return making.walk(state, words);
        }
        self.follow(making);
        let (mut state, mut at, mut unknown, mut last) = (state, 0, 0, PLACES);
        while let Some(next) = words[at..].first_chunk::<MOST>() {
            let key = pairs(next);
            let length = length(&key);
            let key = masked(&key, length);
            let mut place = place(state, &key);
            let mut is_known = self.all[place].is(state, length, &key);
            if !is_known {
                place ^= 1;
                is_known = self.all[place].is(state, length, &key);
                if !is_known && self.build(making, state, next, length, place ^ 1) {
                    continue;
                }
            }
            let segment = &mut self.all[place];
            if !is_known || segment.pops && !making.leads_out(segment.moves) {
                self.add_up(making);
                state = making.walk(state, &words[at..at + length]);
                self.follow(making);
                at += length;
                unknown += length;
                last = PLACES;
                continue;
            }
            at += length;
            if usize::from(segment.blocks) != length {
                at -= length - usize::from(segment.blocks);
            }
            let mut times = 1;
            if place == last && segment.next == state && segment.stays {
                let made = usize::from(segment.blocks);
                let more = agreeing(&words[at..], &words[at - made..]) / made;
                times += more as u32;
                at += more * made;
            }
            if segment.times == 0 {
                self.repeated.push(place as u32);
            }
            segment.times += times;
            self.order.push((place as u32, times));
            last = place;
            state = segment.next;
            if !segment.stays {
                let Segment {
                    waits, pops, moves, ..
                } = *segment;
                if waits != NONE {
                    making.push(waits, moves);
                }
                if pops {
                    state = making.pop(state, words[at - 1], moves);
                    self.follow(making);
                }
            }
        }
        self.add_up(making);
        if unknown * TOO_MANY > words.len() {
            self.pause = self.next_pause;
            self.next_pause = LONGEST_PAUSE.min(2 * self.pause);
        } else {
            self.next_pause = PAUSE;
        }
        making.walk(state, &words[at..])
    }

    /// Forgets all segments if states may have other numbers now.
    #[inline(always)]
    fn follow<T: Table, const RECORDS: bool>(&mut self, making: &mut Making<'_, T, RECORDS>) {
        if making.renumbered() {
            self.add_up(making);
            self.all.fill(Segment::NONE);
        }
    }

    /// Keeps what blocks do from a state as a segment, at this place or beside it; returns whether that is possible.
    #[inline(never)]
    fn build<T: Table, const RECORDS: bool>(
        &mut self,
        making: &mut Making<'_, T, RECORDS>,
        state: u32,
        words: &[u32; MOST],
        length: usize,
        place: usize,
    ) -> bool {
        let (mut segment, mut done, mut records) = (Segment::NONE, Done::NOTHING, [NONE; MOST]);
        (segment.state, segment.length) = (state, length as u32);
        segment.words = masked(&pairs(words), length);
        segment.next = state;
        for &word in &words[..length] {
            let Some(step) = making.step(segment.next, word) else {
                return false;
            };
            let effect = &step.effect;
            let moves = match effect.stack {
                After::Stays => false,
                After::Pushes(_) => true,
                After::Pops => making.asks_frames(),
            };
            if segment.waits != NONE && moves {
                break;
            }
            segment.next = step.next;
            segment.blocks += 1;
            if step.has_record {
                records[usize::from(done.record_count)] = effect.record;
                done.record_count += 1;
            }
            if effect.path != NONE {
                done.paths[usize::from(done.path_count)] = effect.path;
                done.path_count += 1;
            }
            done.splits += u8::from(effect.splits);
            done.saturates |= effect.saturates;
            match effect.stack {
                After::Stays => {}
                After::Pushes(waits) => (segment.waits, segment.moves) = (waits, effect.record),
                After::Pops => {
                    (segment.pops, segment.moves) = (true, effect.record);
                    break;
                }
            }
        }
        segment.stays = !segment.pops && segment.waits == NONE;
        // The one that was not repeated lately goes.
        let place = match self.all[place].times {
            0 => place,
            _ => place ^ 1,
        };
        if self.all[place].times > 0 {
            self.add_up(making);
        }
        (self.all[place], self.done[place]) = (segment, done);
        if RECORDS {
            self.records[place] = records;
        }
        true
    }

    /// Adds up what the segments did that were repeated.
    #[inline(never)]
    fn add_up<T: Table, const RECORDS: bool>(&mut self, making: &mut Making<'_, T, RECORDS>) {
        if self.order.is_empty() {
            return;
        }
        making.take_in_order();
        self.counted.clear();
        let batch = &mut *making.batch;
        for place in self.repeated.drain(..) {
            let (segment, done) = (&mut self.all[place as usize], &self.done[place as usize]);
            let times = core::mem::take(&mut segment.times);
            batch.records += u64::from(times) * u64::from(done.record_count);
            batch.tally.splits += u64::from(times) * u64::from(done.splits);
            batch.tally.event_counter_saturated |= done.saturates;
            let paths = done.paths().iter();
            (self.counted).extend(paths.map(|&path| Times { path, times }));
        }
        for &(place, times) in self.order.iter().filter(|_| RECORDS) {
            let (records, done) = (&self.records[place as usize], &self.done[place as usize]);
            let records = &records[..usize::from(done.record_count)];
            (0..times).for_each(|_| batch.numbers.extend_from_slice(records));
        }
        if !self.counted.is_empty() && !making.take_all(&self.counted) {
            for &(place, times) in &self.order {
                let paths = self.done[place as usize].paths();
                repeat(paths, times, &mut making.batch.paths);
            }
            making.take_in_order();
        }
        self.order.clear();
    }
}

impl Segment {
    #[inline(always)]
    fn is(&self, state: u32, length: usize, words: &Words) -> bool {
        let other = u64::from(self.state ^ state) | u64::from(self.length ^ length as u32);
        let differ = (0..MOST / 2).fold(other, |all, at| all | self.words[at] ^ words[at]);
        differ == 0
    }
}

/// Words by pairs, the first of a pair in the low half.
#[inline(always)]
fn pairs(words: &[u32; MOST]) -> Words {
    core::array::from_fn(|at| u64::from(words[2 * at]) | u64::from(words[2 * at + 1]) << 32)
}

/// Adds paths that completed one after another, so many times.
#[inline(always)]
fn repeat(paths: &[u32], times: u32, to: &mut Vec<Times>) {
    if let (&[path], 2..) = (paths, times) {
        return to.push(Times { path, times });
    }
    for _ in 0..times {
        for &path in paths {
            match to.last_mut() {
                Some(last) if last.path == path && last.times < u32::MAX => last.times += 1,
                _ => to.push(Times { path, times: 1 }),
            }
        }
    }
}

/// How many of these words belong to a segment, at least one: up to the one after the last block that may end a path, or after the first return. What a block
/// does is known when the next begins.
#[inline(always)]
fn length(words: &Words) -> usize {
    // Two bits a word, the last word's lowest: whether it returns, and whether it may end a path.
    let flags = (0..4).fold(0, |all, at| {
        all << 4 | words[at] >> RETURNS.trailing_zeros() & 0x3_0000_0003
    });
    let flags = (flags << 2 | flags >> 32) as u32;
    // The last word is not asked: it ends the segment in any case.
    let (returns, ends) = (flags & 0x5554, flags & 0xaaa8);
    let last = match ends {
        0 => MOST,
        ends => MOST + 1 - ends.trailing_zeros() as usize / 2,
    };
    match returns {
        0 => last,
        returns => last.min(MOST + 1 - returns.ilog2() as usize / 2),
    }
}

/// For each length, all ones where there is a word.
static MASKS: [Words; MOST + 1] = {
    let mut all = [[0; MOST / 2]; MOST + 1];
    let mut length = 0;
    while length <= MOST {
        let mut at = 0;
        while at < length {
            all[length][at / 2] |= 0xffff_ffff << (32 * (at % 2));
            at += 1;
        }
        length += 1;
    }
    all
};

#[inline(always)]
fn masked(words: &Words, length: usize) -> Words {
    let mask = &MASKS[length];
    core::array::from_fn(|at| words[at] & mask[at])
}

/// Where a segment is, or beside that.
#[inline(always)]
fn place(state: u32, words: &Words) -> usize {
    const FACTORS: Words = [
        0x9e37_79b9_7f4a_7c15,
        0xbf58_476d_1ce4_e5b9,
        0x94d0_49bb_1331_11eb,
        0xd6e8_feb8_6659_fd93,
    ];
    let each = (0..4).map(|at| words[at].wrapping_mul(FACTORS[at]));
    let state = u64::from(state).wrapping_mul(0xa24b_aed4_963e_e407);
    (each.fold(state, u64::wrapping_add) >> (u64::BITS - PLACES.ilog2())) as usize
}

/// How many words are equal before the first difference.
#[inline]
#[must_use]
pub fn agreeing(one: &[u32], other: &[u32]) -> usize {
    let ((ones, _), (others, _)) = (one.as_chunks::<MOST>(), other.as_chunks::<MOST>());
    let most = ones.len().min(others.len());
    for some in 0..most {
        let (one, other) = (&ones[some], &others[some]);
        let mut differ = 0_u32;
        for place in 0..MOST {
            differ |= u32::from(one[place] != other[place]) << place;
        }
        if differ != 0 {
            return some * MOST + differ.trailing_zeros() as usize;
        }
    }
    let rest = one[most * MOST..].iter().zip(&other[most * MOST..]);
    most * MOST + rest.take_while(|(a, b)| a == b).count()
}
