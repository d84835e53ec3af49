//! The register file: what software sees of a profiler, word by word.
//!
//! Addresses are byte offsets from the profiler's base; [`crate::registers`] describes every register. The low two
//! bits of an offset are ignored; offsets without a register read 0 and take no writes.

use crate::config::Geometry;
use crate::profiler::context::ContextFilter;
use crate::profiler::counters::Counters;
use crate::profiler::ppcr::Ppcr;
use crate::profiler::reset::ResetValues;
use crate::profiler::table::{HotPathTable, Shadows};
use crate::registers::at::*;
use crate::registers::{
    self, Counter, Field, command, control, errors, geometry_words, shadow, status,
};

/// All four byte lanes of a word.
pub const ALL_LANES: u8 = 0xf;

const COUNTERS: u32 = registers::COUNTERS_OFFSET;

/// The word of the register `SHADOW`.
pub const fn shadow_word(table: &Shadows) -> u32 {
    shadow::SCALE.put(table.scale())
}

/// What the rest of the profiler shows to a read.
#[derive(Clone, Copy, Debug)]
pub struct Sight<'a> {
    /// The statistics counters.
    pub counters: &'a Counters,
    /// The hot path table.
    pub table: &'a HotPathTable,
    /// The table is being emptied.
    pub clearing: bool,
}

/// What a write asks of the rest of the profiler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Commands {
    /// Empty the table.
    pub clear: bool,
    /// Empty the path stack before the next record that gets in.
    pub purge: bool,
    /// Set the counters to 0.
    pub clear_counters: bool,
}

/// The registers' state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegisterFile {
    geometry: Geometry,
    control: u32,
    ppcr: Ppcr,
    filter: ContextFilter,
    errors: u32,
    /// High word of the counter whose low word was read last.
    high: u32,
    index: u32,
    /// The entry at `index` when it was fetched.
    entry: Vec<u32>,
    /// The word of `entry` that is read next.
    word: usize,
}

impl RegisterFile {
    /// The registers after reset; the entry fetched is an empty one.
    pub fn new(geometry: &Geometry, reset: &ResetValues) -> Self {
        Self {
            geometry: *geometry,
            control: control::ENABLE.put(reset.enable.into())
                | control::FREEZE.put(reset.freeze.into())
                | control::LOSSY.put(reset.lossy.into()),
            ppcr: reset.ppcr(),
            filter: ContextFilter::default(),
            errors: 0,
            high: 0,
            index: 0,
            entry: vec![0; geometry.entry_words() as usize],
            word: 0,
        }
    }

    /// Records are profiled.
    pub const fn enabled(&self) -> bool {
        control::ENABLE.get(self.control) == 1
    }

    /// The table takes no paths.
    pub const fn frozen(&self) -> bool {
        control::FREEZE.get(self.control) == 1
    }

    /// A record that finds the queue full is lost.
    pub const fn lossy(&self) -> bool {
        control::LOSSY.get(self.control) == 1
    }

    /// The Path Profiler Control Register.
    pub const fn ppcr(&self) -> &Ppcr {
        &self.ppcr
    }

    /// Which contexts' paths are shown.
    pub const fn filter(&self) -> ContextFilter {
        self.filter
    }

    /// Filter and Path Profiler Control Register stay as they are until reset.
    pub const fn locked(&self) -> bool {
        control::LOCK.get(self.control) == 1
    }

    /// The sticky errors, as in `ERRORS`.
    pub const fn errors(&self) -> u32 {
        self.errors
    }

    /// Sets a sticky error.
    pub const fn raise(&mut self, error: Field) {
        self.errors |= error.mask();
    }

    /// Reads the register at a byte offset. A low counter word latches its high word; `TABLE_DATA` steps on.
    pub fn read(&mut self, offset: u32, sight: Sight<'_>) -> u32 {
        match offset & !3 {
            TABLE_DATA if sight.clearing && !self.geometry.latches_entries() => 0,
            TABLE_DATA => self.next_word(sight.table),
            offset @ COUNTERS..registers::ADDRESS_SPACE => {
                self.counter_word(offset, sight.counters)
            }
            REPAIRS => sight.counters.repairs(),
            SHADOW => sight.table.shadow().map_or(0, shadow_word),
            offset => self.plain_word(offset, sight.clearing),
        }
    }

    /// The registers whose reading changes nothing.
    fn plain_word(&self, offset: u32, clearing: bool) -> u32 {
        let [geometry0, geometry1, geometry2, geometry3] = geometry_words(&self.geometry);
        match offset {
            ID_REGISTER => registers::ID,
            GEOMETRY0 => geometry0,
            GEOMETRY1 => geometry1,
            GEOMETRY2 => geometry2,
            GEOMETRY3 => geometry3,
            CONTEXT => self.filter.to_word(),
            CONTROL => self.control,
            // A fetch takes the model no time, so the entry is always there.
            STATUS => status::CLEARING.put(clearing.into()) | status::ENTRY_VALID.put(1),
            PPCR_ROWS => self.ppcr.rows.to_word(),
            PPCR_MODE => self.ppcr.mode_word(),
            ERRORS => self.errors,
            TABLE_INDEX if self.geometry.latches_entries() => self.index,
            _ => 0,
        }
    }

    fn counter_word(&mut self, offset: u32, counters: &Counters) -> u32 {
        if offset & 4 != 0 {
            return self.high;
        }
        let value = counters.get(Counter::ALL[((offset - COUNTERS) / 8) as usize]);
        self.high = (value >> u32::BITS) as u32;
        value as u32
    }

    fn next_word(&mut self, table: &HotPathTable) -> u32 {
        if !self.geometry.latches_entries() {
            self.entry.clear();
            self.entry.extend(table.words(self.index as usize));
        }
        let word = self.entry[self.word];
        self.word += 1;
        if self.word == self.entry.len() {
            self.fetch(self.index + 1, table);
        }
        word
    }

    /// Latches a whole entry; the next read of `TABLE_DATA` gives its first word.
    fn fetch(&mut self, index: u32, table: &HotPathTable) {
        self.index = index & (self.geometry.entries().next_power_of_two() - 1);
        self.entry.clear();
        self.entry.extend(table.words(self.index as usize));
        self.word = 0;
    }

    /// Writes the byte lanes set in `lanes` (bit 0 for bits 7 to 0) of the register at a byte offset.
    ///
    /// A lane that is not written keeps its bits; in registers that take commands it counts as 0. A write without any
    /// lane does nothing.
    pub fn write(&mut self, offset: u32, value: u32, lanes: u8, table: &HotPathTable) -> Commands {
        let offset = offset & !3;
        let lanes = match self.geometry.writes_lanes() {
            true => lane_mask(lanes),
            false => u32::MAX * u32::from(lanes & 1),
        };
        if lanes == 0 {
            return Commands::default();
        }
        let written = value & lanes;
        let merged = written | self.plain_word(offset, false) & !lanes;
        match offset {
            COMMAND => {
                let commands = commands(written);
                if commands.clear && !self.geometry.latches_entries() {
                    (self.index, self.word) = (0, 0);
                }
                return commands;
            }
            CONTROL => self.write_control(merged),
            CONTEXT | PPCR_ROWS | PPCR_MODE if self.locked() => self.raise(errors::WRITE_REFUSED),
            CONTEXT => self.filter = ContextFilter::from_word(merged, &self.geometry),
            PPCR_ROWS | PPCR_MODE if !self.geometry.has_modes() => {}
            PPCR_ROWS => self.write_rows(merged),
            PPCR_MODE => self.ppcr.write_mode(merged, &self.geometry),
            ERRORS => self.errors &= !written,
            TABLE_INDEX => self.fetch(merged, table),
            _ => {}
        }
        Commands::default()
    }

    fn write_control(&mut self, word: u32) {
        let mut writable = control::ENABLE.mask() | control::FREEZE.mask();
        if self.geometry.has_modes() {
            writable |= control::LOSSY.mask();
        }
        if self.geometry.context_bits > 0 {
            writable |= control::LOCK.mask();
        }
        self.control = word & writable | self.control & control::LOCK.mask();
    }

    fn write_rows(&mut self, word: u32) {
        if self.ppcr.rows.write(word).is_err() {
            self.raise(errors::ILLEGAL_ROW);
        }
    }
}

const fn commands(word: u32) -> Commands {
    Commands {
        clear: command::CLEAR.get(word) == 1,
        purge: command::PURGE.get(word) == 1,
        clear_counters: command::CLEAR_COUNTERS.get(word) == 1,
    }
}

/// The bits of the byte lanes.
pub fn lane_mask(lanes: u8) -> u32 {
    u32::from_le_bytes(core::array::from_fn(|lane| {
        if lanes >> lane & 1 == 1 { 0xff } else { 0 }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_high_word_is_the_one_latched_with_the_last_low_word() {
        let geometry = Geometry::default();
        let table = HotPathTable::new(&geometry);
        let mut counters = Counters::new(&geometry);
        counters.add(Counter::Paths, 0x1_ffff_ffff);
        counters.add(Counter::Hits, 0x2_0000_0003);
        let mut file = RegisterFile::new(&geometry, &ResetValues::default());
        let mut read = |offset, counters: &Counters| {
            let sight = Sight {
                counters,
                table: &table,
                clearing: false,
            };
            file.read(offset, sight)
        };
        let (paths, hits) = (Counter::Paths.offset(), Counter::Hits.offset());
        assert_eq!(read(paths + 4, &counters), 0, "nothing latched yet");
        assert_eq!(read(paths, &counters), 0xffff_ffff);
        counters.add(Counter::Paths, 1);
        assert_eq!(read(paths + 4, &counters), 1, "latched before the carry");
        assert_eq!(read(paths, &counters), 0);
        assert_eq!(read(paths + 4, &counters), 2);
        assert_eq!(read(hits, &counters), 3);
        assert_eq!(read(paths + 4, &counters), 2, "one latch for all counters");
    }
}
