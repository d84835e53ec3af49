//! The values that lagging counters and sticky errors may read.
//!
//! The circuits gather counts in a small memory. A counter read in mid-stream therefore lags, and a clear command
//! reaches the counters one after another. A low word is correct if it belongs to any count between the one some cycles
//! ago and the current one. That count then determines the next high word.

use hpp_golden::config::Geometry;
use hpp_golden::registers::Counter;
use std::ops::RangeInclusive;

/// The counters, and after them the repairs.
type Values = [u64; Counter::COUNT + 1];

const REPAIRS: usize = Counter::COUNT;

/// Which events a clear command certainly forgets: those at least this many cycles before it. Those more than `after`
/// cycles later are certainly kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Forgets {
    pub table: u64,
    pub rest: u64,
    pub after: u64,
}

/// Counts since reset, and the effect of clears.
#[derive(Debug)]
pub struct Tally {
    now: Values,
    /// The counts of the last cycles, in a ring, and the index of the oldest.
    history: Box<[Values]>,
    oldest: usize,
    /// Bounds of the count that reads as 0.
    zero: [Values; 2],
    /// A clear command may be in progress before this cycle.
    clearing_until: u64,
    forgets: Forgets,
    /// The start value of the counters, until they are cleared.
    base: u64,
    mask: u64,
    /// The possible values of the latched high word.
    latched: Vec<RangeInclusive<u64>>,
}

/// Events of the cycles in which a read that was given up may have latched a high word.
const EARLIER: u128 = 128;

impl Tally {
    /// Counters that settle in `settle` cycles, with this effect of a clear command and this start value.
    pub fn new(geometry: &Geometry, settle: u64, forgets: Forgets, base: u64) -> Self {
        let settle = settle as usize;
        Self {
            now: Values::default(),
            history: vec![Values::default(); settle].into(),
            oldest: 0,
            zero: [Values::default(); 2],
            clearing_until: 0,
            forgets,
            base,
            mask: Geometry::mask(geometry.counter_bits),
            latched: vec![0..=0],
        }
    }

    pub fn add(&mut self, counter: Counter, n: u64) {
        self.now[counter as usize] += n;
    }

    /// Counts `n` repairs of the path stack.
    pub fn add_repairs(&mut self, n: u64) {
        self.now[REPAIRS] += n;
    }

    /// Checks a read of `REPAIRS`.
    ///
    /// # Errors
    ///
    /// If the count is not possible.
    pub fn read_repairs(&self, data: u32) -> Result<(), String> {
        let (least, most) = self.counted(REPAIRS);
        match (least..=most).contains(&u64::from(data)) {
            true => Ok(()),
            false => Err(format!(
                "{data:#x} repairs, the model counted {least:#x} to {most:#x}"
            )),
        }
    }

    pub fn end_cycle(&mut self, cycle: u64) {
        if cycle < self.clearing_until {
            self.zero[1] = self.now;
        }
        self.history[self.oldest] = self.now;
        self.oldest += 1;
        if self.oldest == self.history.len() {
            self.oldest = 0;
        }
    }

    pub fn clear(&mut self, cycle: u64) {
        let cycles = self.history.len();
        let ago = |before: u64| (self.oldest + cycles - (before as usize).min(cycles)) % cycles;
        self.zero = [self.history[ago(self.forgets.rest)], self.now];
        for counter in [Counter::Hits, Counter::Replacements] {
            let index = counter as usize;
            self.zero[0][index] = self.history[ago(self.forgets.table)][index];
        }
        self.clearing_until = cycle + self.forgets.after + 1;
        self.base = 0;
    }

    /// Bounds of a counter in this cycle. They may exceed its width.
    fn bounds(&self, counter: Counter) -> (u128, u128) {
        let base = u128::from(self.base);
        let (least, most) = self.counted(counter as usize);
        (base + u128::from(least), base + u128::from(most))
    }

    /// Bounds of the number of events since the last clear command.
    fn counted(&self, index: usize) -> (u64, u64) {
        let [zero_low, zero_high] = [self.zero[0][index], self.zero[1][index]];
        (
            self.history[self.oldest][index].saturating_sub(zero_high),
            self.now[index] - zero_low,
        )
    }

    /// Checks a read of a counter word. `data` is `None` if its value is unknown.
    ///
    /// # Errors
    ///
    /// If no possible count has this word.
    pub fn read(&mut self, counter: Counter, high: bool, data: Option<u32>) -> Result<(), String> {
        let (least, most) = self.bounds(counter);
        match (high, data) {
            (true, None) => Ok(()),
            (true, Some(data)) => {
                let words = self.latched.iter().cloned().flatten();
                let mut words = words.map(|word| word & self.mask >> u32::BITS);
                let latched = || {
                    format!(
                        "{data:#x}, but one of the high words {:x?} is latched",
                        self.latched
                    )
                };
                words
                    .any(|word| word == u64::from(data))
                    .then_some(())
                    .ok_or_else(latched)
            }
            (false, None) => {
                let least = least.saturating_sub(EARLIER);
                self.latched.push(high_word(least)..=high_word(most));
                Ok(())
            }
            (false, Some(data)) => {
                let count = least + u128::from(data.wrapping_sub(least as u32));
                if count > most {
                    return Err(format!(
                        "{counter:?} reads {data:#x}, the model counted {least:#x} to {most:#x}"
                    ));
                }
                self.latched = vec![high_word(count)..=high_word(count)];
                Ok(())
            }
        }
    }

    pub fn total(&self, counter: Counter) -> u64 {
        self.now[counter as usize]
    }
}

/// The part of a count above its low word.
fn high_word(count: u128) -> u64 {
    (count >> u32::BITS) as u64
}

/// The sticky errors: those that must read 1, and those that may.
#[derive(Debug, Default)]
pub struct Sticky {
    must: u32,
    may: u32,
    /// For each bit, the cycles of the last error and the last clear.
    last: [[Option<u64>; 2]; 32],
    settle: u64,
}

impl Sticky {
    /// Errors that settle in `settle` cycles.
    pub fn new(settle: u64) -> Self {
        Self {
            settle,
            ..Self::default()
        }
    }

    fn recent(&self, bit: usize, which: usize, cycle: u64) -> bool {
        self.last[bit][which].is_some_and(|then| cycle <= then + self.settle)
    }

    /// Raises an error; `bits` are its bits in `ERRORS`.
    pub fn raise(&mut self, bits: u32, cycle: u64) {
        self.may |= bits;
        for bit in (0..32).filter(|bit| bits >> bit & 1 == 1) {
            if !self.recent(bit, 1, cycle) {
                self.must |= 1 << bit;
            }
            self.last[bit][0] = Some(cycle);
        }
    }

    /// Software writes 1 to `bits`.
    pub fn clear(&mut self, bits: u32, cycle: u64) {
        self.must &= !bits;
        for bit in (0..32).filter(|bit| bits >> bit & 1 == 1) {
            if !self.recent(bit, 0, cycle) {
                self.may &= !(1 << bit);
            }
            self.last[bit][1] = Some(cycle);
        }
    }

    /// Whether `ERRORS` may read `word`, considering errors in flight.
    pub fn allows(&self, word: u32, cycle: u64) -> bool {
        let late = (0..32)
            .filter(|&bit| self.recent(bit, 0, cycle))
            .fold(0, |m, bit| m | 1 << bit);
        self.must & !late & !word == 0 && word & !self.may == 0
    }
}
