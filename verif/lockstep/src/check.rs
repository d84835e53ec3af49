//! Reads everything back when the profiler is idle.

use super::bench::{Bench, Disagreement};
use super::pins::Device;
use hpp_golden::registers::{self, at};

impl<D: Device> Bench<D> {
    /// Waits until every value is exact, then reads all registers, counters, errors and the table.
    pub fn check_everything(&mut self) -> Result<(), Disagreement> {
        self.be_polite();
        self.settle()?;
        self.read_registers();
        self.read_table();
        self.finish_bus()?;
        self.idle(self.reference().settling())?;
        self.balance()
    }

    /// Queues reads of every register except those of the table.
    pub fn read_registers(&mut self) {
        let special = [at::TABLE_DATA, at::TABLE_INDEX];
        let all = registers::registers(self.geometry());
        for register in all.filter(|register| !special.contains(&register.offset)) {
            self.read(register.offset);
        }
    }

    /// Queues reads of the whole table; of a large table, of the entries in use and some others.
    fn read_table(&mut self) {
        const LARGE: u32 = 1024;
        const STRIDE: usize = 61;
        let entries = self.geometry().entries();
        if entries <= LARGE {
            self.write(at::TABLE_INDEX, 0);
            self.read(at::TABLE_INDEX);
            (0..entries).for_each(|_| self.read_entry());
            return;
        }
        let used = self.reference().table().entries();
        let used: Vec<_> = used.map(|(number, _)| number).collect();
        for number in used
            .into_iter()
            .chain((0..entries as usize).step_by(STRIDE))
        {
            self.write(at::TABLE_INDEX, number as u32);
            self.read_entry();
        }
    }

    /// Queues reads of the words of an entry.
    pub fn read_entry(&mut self) {
        (0..self.geometry().entry_words()).for_each(|_| self.read(at::TABLE_DATA));
    }

    /// Waits until the bus is idle, a clear has ended and nothing is in flight.
    pub fn settle(&mut self) -> Result<(), Disagreement> {
        self.finish_bus()?;
        self.idle(self.reference().settling())?;
        self.idle(self.reference().clearing_left())?;
        self.idle(self.reference().settling())
    }
}
