//! Replacement with shadow entries, written down again as its documentation says it, without a word of its code.

use hpp_golden::config::Geometry;
use hpp_golden::path::{CompletedPath, PathDescriptor};
use hpp_golden::profiler::Admission;
use hpp_golden::profiler::{Lookup, TableEntry};

/// What a row holds besides its path.
#[derive(Clone, Copy, Default)]
struct Shadow {
    fingerprint: u64,
    /// When it was written.
    count: u32,
    /// k when it was written, modulo 4.
    scale: u32,
}

/// The table, whose rows are lists of paths and counts.
pub struct Naive {
    geometry: Geometry,
    rows: Vec<Option<(PathDescriptor, u32)>>,
    shadows: Vec<Shadow>,
    pub scale: u32,
    pub chance: u32,
    pause: u32,
    turn: usize,
}

/// The path's bits in one word.
fn key(geometry: &Geometry, path: &PathDescriptor) -> u64 {
    (path.start >> geometry.align) ^ path.outcomes.rotate_left(24) ^ (u64::from(path.length) << 57)
}

/// XOR of all slices of so many bits.
fn folded(key: u64, bits: u32) -> u64 {
    let slices = (0..64)
        .step_by(bits as usize)
        .map(|at| key >> at & ((1 << bits) - 1));
    slices.fold(0, |sum, slice| sum ^ slice)
}

/// α times an element of the field of 2^`bits` elements: polynomials of degrees 1 to 5, from any table of primitive ones.
fn turned(element: u64, bits: u32) -> u64 {
    let polynomial = [0b11, 0b111, 0b1011, 0b1_0011, 0b10_0101][bits as usize - 1];
    let shifted = element << 1;
    match shifted >> bits {
        0 => shifted,
        _ => shifted ^ polynomial,
    }
}

impl Naive {
    pub fn new(geometry: &Geometry, seed: u32) -> Self {
        let entries = (geometry.sets * geometry.ways) as usize;
        let seed = seed % (1 << 27);
        Self {
            geometry: *geometry,
            rows: vec![None; entries],
            shadows: vec![Shadow::default(); entries],
            scale: 4,
            chance: if seed == 0 { 1 } else { seed },
            pause: 0,
            turn: 0,
        }
    }

    pub fn entries(&self) -> Vec<(usize, PathDescriptor, u32)> {
        let rows = self.rows.iter().enumerate();
        rows.filter_map(|(number, row)| row.map(|(path, count)| (number, path, count)))
            .collect()
    }

    /// The entries in which a path may be.
    fn places(&self, path: &PathDescriptor) -> Vec<usize> {
        let (key, bits) = (
            key(&self.geometry, path),
            self.geometry.sets.trailing_zeros(),
        );
        let x = folded(key, bits);
        let mut y = folded(key, bits + 2) % (1 << bits);
        let ways = self.geometry.ways as usize;
        let mut places = Vec::new();
        for way in 0..ways {
            places.push((x ^ y) as usize * ways + way);
            y = turned(y, bits);
        }
        places
    }

    fn fingerprint(&self, path: &PathDescriptor) -> u64 {
        folded(key(&self.geometry, path), 13) % (1 << 10)
    }

    /// A shadow's count, halved for each step of k since it was written, as far as it can tell.
    fn shadow(&self, row: usize) -> u32 {
        let steps = (self.scale + 4 - self.shadows[row].scale) % 4;
        self.shadows[row].count >> steps
    }

    fn count(&self, row: usize) -> u32 {
        self.rows[row].map_or(0, |(_, count)| count)
    }

    fn least(&self, rows: &[usize], of: impl Fn(usize) -> u32) -> usize {
        *rows.iter().min_by_key(|&&row| of(row)).expect("some row")
    }

    fn write(&mut self, row: usize, count: u32) {
        self.shadows[row].count = count;
        self.shadows[row].scale = self.scale % 4;
    }

    /// One in 2^k paths, but none for a while after a match.
    fn draws(&mut self) -> bool {
        let low = self.chance % 2;
        self.chance /= 2;
        if low == 1 {
            // Taps 27, 5, 2 and 1.
            self.chance ^= (1 << 26) | (1 << 4) | (1 << 1) | 1;
        }
        let paused = self.pause > 0;
        self.pause = self.pause.saturating_sub(1);
        !paused && self.chance.is_multiple_of(1 << self.scale)
    }

    pub fn admit(&mut self, path: &CompletedPath) -> (Lookup, Admission) {
        let drawn = self.draws();
        let maximum = Geometry::mask(self.geometry.accumulator_bits);
        let places = self.places(&path.descriptor);
        let holds =
            |&&row: &&usize| self.rows[row].is_some_and(|(held, _)| held == path.descriptor);
        if let Some(&row) = places.iter().find(holds) {
            let sum = u64::from(self.count(row)) + u64::from(path.count);
            self.rows[row] = Some((path.descriptor, sum.min(maximum) as u32));
            let saturated = sum > maximum;
            return (Lookup::Hit { saturated }, Admission::None);
        }
        if path.count == 0 {
            return (Lookup::Nothing, Admission::None);
        }
        if let Some(&row) = places.iter().find(|&&row| self.rows[row].is_none()) {
            self.rows[row] = Some((path.descriptor, path.count));
            return (Lookup::Inserted, Admission::Inserted(row));
        }
        match drawn {
            true => self.sampled(path, &places),
            false => (Lookup::Nothing, Admission::None),
        }
    }

    fn sampled(&mut self, path: &CompletedPath, places: &[usize]) -> (Lookup, Admission) {
        let fingerprint = self.fingerprint(&path.descriptor);
        let is_its =
            |&&row: &&usize| self.shadow(row) > 0 && self.shadows[row].fingerprint == fingerprint;
        if let Some(&row) = places.iter().find(is_its) {
            self.pause = 16;
            return self.matched(path, row, places);
        }
        let row = self.least(places, |row| self.shadow(row));
        let next = self.shadow(row) + 1;
        // One in the power of two at or below it, by bits that sampling does not look at.
        if (self.chance >> 20).is_multiple_of(1 << next.ilog2()) {
            self.shadows[row].fingerprint = fingerprint;
            self.write(row, next.min(31));
        }
        (Lookup::Nothing, Admission::Strange)
    }

    fn matched(
        &mut self,
        path: &CompletedPath,
        row: usize,
        places: &[usize],
    ) -> (Lookup, Admission) {
        let misses = self.shadow(row);
        let estimate = u64::from(misses + 1) * u64::from(path.count) * (1 << self.scale);
        let estimate = estimate.min(Geometry::mask(self.geometry.accumulator_bits)) as u32;
        let (at, moved) = self.victim(places);
        let victim = moved.unwrap_or(at);
        let evicted = self.rows[victim];
        if estimate <= self.count(victim) {
            match misses {
                31 if self.scale < 26 => {
                    self.scale += 1;
                    self.write(row, 15);
                }
                31 => {}
                misses => self.write(row, misses + 1),
            }
            return (Lookup::Nothing, Admission::Grew);
        }
        self.write(row, 0);
        if let Some((leaves, count)) = self.rows[victim] {
            let left = (count >> self.scale).min(31);
            if left > 0 && left >= self.shadow(victim) {
                self.shadows[victim].fingerprint = self.fingerprint(&leaves);
                self.write(victim, left);
            }
        }
        if let Some(to) = moved {
            self.rows[to] = self.rows[at];
        }
        self.rows[at] = Some((path.descriptor, estimate));
        let lookup = match evicted {
            None => Lookup::Inserted,
            Some((descriptor, count)) => Lookup::Replaced {
                evicted: TableEntry { descriptor, count },
            },
        };
        (lookup, Admission::Promoted { at, moved })
    }

    fn victim(&mut self, places: &[usize]) -> (usize, Option<usize>) {
        let own = self.least(places, |row| self.count(row));
        self.turn = (self.turn + 1) % places.len();
        let mover = places[self.turn];
        let (occupant, _) = self.rows[mover].expect("no row is empty");
        let mut others = self.places(&occupant);
        others.retain(|&row| row != mover);
        if others.is_empty() {
            return (own, None);
        }
        let other = self.least(&others, |row| self.count(row));
        match self.count(other) < self.count(own) {
            true => (mover, Some(other)),
            false => (own, None),
        }
    }
}
