//! The logic of a step.

use rust_hdl::prelude::*;

use super::TinyProfiler;
use crate::circuit::kernel;

#[kernel]
impl TinyProfiler {
    /// The sum of the word read and the operand of the step: start, outcomes or nothing, and one.
    fn arithmetic(&mut self) {
        let mut operand: Bits<32> = 0.into();
        if self.program.adds_start {
            operand = (bit_cast::<32, 30>(self.start) << 2) | 1;
        }
        if self.program.adds_outcomes {
            operand = operand | self.outcomes;
        }
        let total = bit_cast::<40, 32>(self.word)
            + bit_cast::<40, 32>(operand)
            + bit_cast::<40, 1>(self.program.adds_one.into());
        self.memory.data.next = bit_cast::<32, 40>(total & 0xffff_ffff_u64);
        let less = self.word < self.least;
        let full = self.outcomes.get_bit(0);
    }

    /// The memory's address.
    fn address(&mut self) {
        let set = bit_cast::<8, 32>(
            (bit_cast::<32, 30>(self.start)
                ^ (bit_cast::<32, 30>(self.start) >> self.set_bits)
                ^ (self.outcomes >> self.last_outcomes)
                ^ (self.outcomes >> self.outcomes_before))
                & self.set_mask,
        );
        let at_data = self.wb.adr_i == self.data_address;
        self.memory.address.next = self.first_register | bit_cast::<10, 6>(self.wb.adr_i);
        if self.program.walks | (at_data & !self.clearing) {
            self.memory.address.next = (bit_cast::<10, 2>(self.quarter) << self.entry_bits)
                | bit_cast::<10, 8>(self.entry);
            // After a reset the walk also clears the stack. It passes the stack twice, because the registers hold constants.
            // Each of its steps writes, because a step that only read would make the next one write what it read.
            if self.quarter == 3 {
                self.memory.address.next = self.first_place | bit_cast::<10, 8>(self.entry);
            }
        }
        if self.program.space == 0 {
            self.memory.address.next = (bit_cast::<10, 4>(self.program.place) << self.entry_bits)
                | (bit_cast::<10, 8>(set) << self.way_bits)
                | bit_cast::<10, 3>(self.way);
        } else if self.program.space == 1 {
            self.memory.address.next = self.first_place
                | (bit_cast::<10, 6>(self.top) << 1)
                | bit_cast::<10, 4>(self.program.place);
        } else if self.program.space == 2 {
            self.memory.address.next = self.first_counter | bit_cast::<10, 4>(self.program.place);
        }
    }

    /// The answer to the question of the step, which selects the next one.
    fn next_step(&mut self) {
        let gap_now = self.gap | (self.rows.known & self.waits);
        let (waits, requested) = (self.waits & !self.starting, self.wb.cyc_i & self.wb.stb_i);
        let answers = self
            .no_answers
            .replace_bit(0, waits | requested | self.clearing)
            .replace_bit(1, waits)
            .replace_bit(2, requested)
            .replace_bit(3, self.clearing)
            .replace_bit(4, self.zeroing)
            .replace_bit(5, self.purge)
            .replace_bit(6, self.pops | full)
            .replace_bit(7, self.pushes)
            .replace_bit(8, self.pops)
            .replace_bit(9, self.freeze | self.clearing)
            .replace_bit(10, self.word == operand)
            .replace_bit(11, self.way == self.last_way)
            .replace_bit(12, self.word.get_bit(0))
            .replace_bit(13, less)
            .replace_bit(14, gap_now)
            .replace_bit(15, total.get_bit(32));
        let answer = (answers >> self.program.ask).get_bit(0);
        // Assigned bit by bit: in simulation a reset then removes every unknown value.
        self.program.address.next = self
            .no_step
            .replace_bit(0, answer & !self.rst)
            .replace_bit(1, self.program.follows.get_bit(0) & !self.rst)
            .replace_bit(2, self.program.follows.get_bit(1) & !self.rst)
            .replace_bit(3, self.program.follows.get_bit(2) & !self.rst)
            .replace_bit(4, self.program.follows.get_bit(3) & !self.rst)
            .replace_bit(5, self.program.follows.get_bit(4) & !self.rst)
            .replace_bit(6, self.program.follows.get_bit(5) & !self.rst);
    }

    /// The path at the top of the stack.
    fn top(&mut self) {
        if self.program.restarts {
            self.start.d.next = self.target;
            self.outcomes.d.next = self.mark;
        } else if self.program.pops_start {
            self.start.d.next = bit_cast::<30, 32>(self.word >> 2);
        } else if self.program.pops_outcomes {
            self.outcomes.d.next = self.word;
        } else if self.program.begins & self.updates {
            self.outcomes.d.next =
                (self.outcomes >> 1) | (bit_cast::<32, 1>(self.taken.into()) << self.newest);
        }
        let change = if self.program.shallower {
            self.place_mask
        } else {
            bit_cast::<6, 1>(self.program.deeper.into())
        };
        self.top.d.next = (self.top + change) & self.place_mask;
    }

    /// The way, and the least count so far.
    fn ways(&mut self) {
        if self.program.takes_least {
            self.way.d.next = self.least_way;
        }
        if self.program.next_way {
            self.way.d.next = (self.way + 1) & self.last_way;
        }
        if self.program.notes_least & less {
            self.least.d.next = self.word;
            self.least_way.d.next = self.way;
        }
        if self.program.begins {
            self.way.d.next = 0.into();
            self.least_way.d.next = 0.into();
            self.least.d.next = 0xffff_ffff_u64.into();
        }
    }

    /// The record that is held.
    fn record(&mut self) {
        if self.enable & !self.waits {
            self.updates.d.next = self.rows.updates;
            self.pops.d.next = self.rows.pops;
            self.pushes.d.next = self.rows.pushes;
            self.taken.d.next = self.rows.taken;
            self.target.d.next = bit_cast::<30, 32>(self.retire.pc >> 2);
        }
        self.rows.enable.next = self.enable;
        self.rows.pc.next = self.retire.pc.get_bits::<11>(2);
        self.waits.d.next = self.enable
            & !self.program.loses
            & (gap_now | (self.waits & !self.program.ends) | (!self.waits & self.rows.known));
        self.gap.d.next = gap_now & self.enable & !self.program.loses;
    }

    /// The bus: in the cycle of the answer it carries the word read.
    fn bus(&mut self) {
        let acts = self.program.answers & self.wb.cyc_i & self.wb.stb_i;
        self.wb.ack_o.next = acts;
        self.wb.stall_o.next = !acts;
        self.wb.err_o.next = false;
        self.idle.next = !self.enable & self.program.rests;
        let writes_register = acts & self.wb.we_i & self.wb.sel_i.get_bit(0);
        let mut live: Bits<32> = 0.into();
        if self.wb.adr_i == self.control_address {
            live = bit_cast::<32, 1>(self.enable.into())
                | (bit_cast::<32, 1>(self.freeze.into()) << 1);
        }
        if self.wb.adr_i == self.status_address {
            live = bit_cast::<32, 1>(self.clearing.into());
        }
        if self.wb.adr_i == self.errors_address {
            live = (bit_cast::<32, 1>(self.saturated.into()) << 1)
                | (bit_cast::<32, 1>(self.lost.into()) << 3);
        }
        self.wb.dat_o.next = self.word | live;
    }

    /// Control, commands and sticky errors.
    fn control(&mut self) {
        self.purge.d.next =
            (self.purge & !self.program.restarts) | !self.enable | self.program.loses;
        self.zeroing.d.next = false;
        self.clearing.d.next = self.clearing & !self.wraps;
        self.starting.d.next = self.starting & !self.wraps;
        if writes_register & (self.wb.adr_i == self.control_address) {
            self.enable.d.next = self.wb.dat_i.get_bit(0);
            self.freeze.d.next = self.wb.dat_i.get_bit(1);
        }
        if writes_register & (self.wb.adr_i == self.command_address) {
            self.clearing.d.next = self.clearing | self.wb.dat_i.get_bit(0);
            self.purge.d.next = self.purge | self.wb.dat_i.get_bit(1);
            self.zeroing.d.next = self.wb.dat_i.get_bit(2);
        }
        if writes_register & (self.wb.adr_i == self.errors_address) {
            self.saturated.d.next = self.saturated & !self.wb.dat_i.get_bit(1);
            self.lost.d.next = self.lost & !self.wb.dat_i.get_bit(3);
        }
        if self.program.saturates {
            self.saturated.d.next = true;
        }
        if self.program.loses {
            self.lost.d.next = true;
        }
    }

    /// The entry that is read out or emptied. After a reset the walk continues through the stack.
    fn walk(&mut self) {
        let last_word = (self.quarter == 3) | ((self.quarter == 2) & !self.starting);
        let steps = (self.program.walks & self.clearing)
            | (acts & !self.wb.we_i & at_data & !self.clearing);
        self.wraps.next = self.program.walks & last_word & (self.entry == self.last_entry);
        if steps {
            self.quarter.d.next = self.quarter + 1;
            if last_word {
                self.quarter.d.next = 0.into();
                self.entry.d.next = (self.entry + 1) & self.last_entry;
            }
        }
        if writes_register & (self.wb.adr_i == self.index_address) & !self.clearing {
            self.entry.d.next = self.wb.dat_i.get_bits::<8>(0) & self.last_entry;
            self.quarter.d.next = 0.into();
        }
        if writes_register
            & (self.wb.adr_i == self.command_address)
            & self.wb.dat_i.get_bit(0)
            & !self.clearing
        {
            self.entry.d.next = 0.into();
            self.quarter.d.next = 0.into();
        }
    }

    /// Whether the memory is written.
    fn write_enable(&mut self) {
        // The step may be arbitrary at power-up: reset masks its writes.
        self.writes.next = self.program.writes & !self.rst;
    }
}
