//! The logic of a step.

use rust_hdl::prelude::*;

use super::TinyProfiler;
use crate::circuit::kernel;

#[kernel]
impl TinyProfiler {
    /// The sum of the word read and the operand of the step: start, outcomes or nothing, and one.
    fn arithmetic(&mut self) {
        self.operand.next = 0.into();
        if self.program.adds_start.val() {
            self.operand.next = (bit_cast::<32, 30>(self.start.q.val()) << 2) | 1;
        }
        if self.program.adds_outcomes.val() {
            self.operand.next = self.operand.val() | self.outcomes.q.val();
        }
        self.total.next = bit_cast::<40, 32>(self.word.val())
            + bit_cast::<40, 32>(self.operand.val())
            + bit_cast::<40, 1>(self.program.adds_one.val().into());
        self.sum.next = bit_cast::<32, 40>(self.total.val() & 0xffff_ffff_u64);
        self.less.next = self.word.val() < self.least.q.val();
        self.full.next = self.outcomes.q.val().get_bit(0);
    }

    /// The memory's address.
    fn address(&mut self) {
        self.set.next = bit_cast::<8, 32>(
            (bit_cast::<32, 30>(self.start.q.val())
                ^ (bit_cast::<32, 30>(self.start.q.val()) >> self.set_bits.val())
                ^ (self.outcomes.q.val() >> self.last_outcomes.val())
                ^ (self.outcomes.q.val() >> self.outcomes_before.val()))
                & self.set_mask.val(),
        );
        self.at_data.next = self.wb.adr_i.val() == self.data_address.val();
        self.memory.address.next =
            self.first_register.val() | bit_cast::<10, 6>(self.wb.adr_i.val());
        if self.program.walks.val() | (self.at_data.val() & !self.clearing.q.val()) {
            self.memory.address.next = (bit_cast::<10, 2>(self.quarter.q.val())
                << self.entry_bits.val())
                | bit_cast::<10, 8>(self.entry.q.val());
            // After a reset the walk also clears the stack. It passes the stack twice, because the registers hold constants.
            // Each of its steps writes, because a step that only read would make the next one write what it read.
            if self.quarter.q.val() == 3 {
                self.memory.address.next =
                    self.first_place.val() | bit_cast::<10, 8>(self.entry.q.val());
            }
        }
        if self.program.space.val() == 0 {
            self.memory.address.next = (bit_cast::<10, 4>(self.program.place.val())
                << self.entry_bits.val())
                | (bit_cast::<10, 8>(self.set.val()) << self.way_bits.val())
                | bit_cast::<10, 3>(self.way.q.val());
        } else if self.program.space.val() == 1 {
            self.memory.address.next = self.first_place.val()
                | (bit_cast::<10, 6>(self.top.q.val()) << 1)
                | bit_cast::<10, 4>(self.program.place.val());
        } else if self.program.space.val() == 2 {
            self.memory.address.next =
                self.first_counter.val() | bit_cast::<10, 4>(self.program.place.val());
        }
    }

    /// The answer to the question of the step, which selects the next one.
    fn next_step(&mut self) {
        self.gap_now.next = self.gap.q.val() | (self.rows.known.val() & self.waits.q.val());
        self.answers.next = self
            .no_answers
            .val()
            .replace_bit(1, self.waits.q.val() & !self.starting.q.val())
            .replace_bit(2, self.wb.cyc_i.val() & self.wb.stb_i.val())
            .replace_bit(3, self.clearing.q.val())
            .replace_bit(4, self.zeroing.q.val())
            .replace_bit(5, self.purge.q.val())
            .replace_bit(6, self.pops.q.val() | self.full.val())
            .replace_bit(7, self.pushes.q.val())
            .replace_bit(8, self.pops.q.val())
            .replace_bit(9, self.freeze.q.val() | self.clearing.q.val())
            .replace_bit(10, self.word.val() == self.operand.val())
            .replace_bit(11, self.way.q.val() == self.last_way.val())
            .replace_bit(12, self.word.val().get_bit(0))
            .replace_bit(13, self.less.val())
            .replace_bit(14, self.gap_now.val())
            .replace_bit(15, self.total.val().get_bit(32));
        self.answer.next = (self.answers.val() >> self.program.ask.val()).get_bit(0);
        // Assigned bit by bit: in simulation a reset then removes every unknown value.
        self.program.address.next = self
            .no_step
            .val()
            .replace_bit(0, self.answer.val() & !self.rst.val())
            .replace_bit(1, self.program.follows.val().get_bit(0) & !self.rst.val())
            .replace_bit(2, self.program.follows.val().get_bit(1) & !self.rst.val())
            .replace_bit(3, self.program.follows.val().get_bit(2) & !self.rst.val())
            .replace_bit(4, self.program.follows.val().get_bit(3) & !self.rst.val())
            .replace_bit(5, self.program.follows.val().get_bit(4) & !self.rst.val())
            .replace_bit(6, self.program.follows.val().get_bit(5) & !self.rst.val());
    }

    /// The path at the top of the stack.
    fn top(&mut self) {
        if self.program.restarts.val() {
            self.start.d.next = self.target.q.val();
            self.outcomes.d.next = self.mark.val();
        } else if self.program.pops_start.val() {
            self.start.d.next = bit_cast::<30, 32>(self.word.val() >> 2);
        } else if self.program.pops_outcomes.val() {
            self.outcomes.d.next = self.word.val();
        } else if self.program.begins.val() & self.updates.q.val() {
            self.outcomes.d.next = (self.outcomes.q.val() >> 1)
                | (bit_cast::<32, 1>(self.taken.q.val().into()) << self.newest.val());
        }
        self.change.next = bit_cast::<6, 1>(self.program.deeper.val().into());
        if self.program.shallower.val() {
            self.change.next = self.place_mask.val();
        }
        self.top.d.next = (self.top.q.val() + self.change.val()) & self.place_mask.val();
    }

    /// The way, and the least count so far.
    fn ways(&mut self) {
        if self.program.takes_least.val() {
            self.way.d.next = self.least_way.q.val();
        }
        if self.program.next_way.val() {
            self.way.d.next = (self.way.q.val() + 1) & self.last_way.val();
        }
        if self.program.notes_least.val() & self.less.val() {
            self.least.d.next = self.word.val();
            self.least_way.d.next = self.way.q.val();
        }
        if self.program.begins.val() {
            self.way.d.next = 0.into();
            self.least_way.d.next = 0.into();
            self.least.d.next = 0xffff_ffff_u64.into();
        }
    }

    /// The record that is held.
    fn record(&mut self) {
        if !self.waits.q.val() {
            self.updates.d.next = self.rows.updates.val();
            self.pops.d.next = self.rows.pops.val();
            self.pushes.d.next = self.rows.pushes.val();
            self.taken.d.next = self.rows.taken.val();
            self.target.d.next = bit_cast::<30, 32>(self.retire.pc.val() >> 2);
        }
        self.rows.pc.next = self.retire.pc.val().get_bits::<11>(2);
        self.waits.d.next = self.enable.q.val()
            & !self.program.loses.val()
            & (self.gap_now.val()
                | (self.waits.q.val() & !self.program.ends.val())
                | (!self.waits.q.val() & self.rows.known.val()));
        self.gap.d.next = self.gap_now.val() & self.enable.q.val() & !self.program.loses.val();
    }

    /// The bus: in the cycle of the answer it carries the word read.
    fn bus(&mut self) {
        self.acts.next = self.program.answers.val() & self.wb.cyc_i.val() & self.wb.stb_i.val();
        self.wb.ack_o.next = self.acts.val();
        self.wb.stall_o.next = !self.acts.val();
        self.wb.err_o.next = false;
        self.writes_register.next =
            self.acts.val() & self.wb.we_i.val() & self.wb.sel_i.val().get_bit(0);
        self.live.next = 0.into();
        if self.wb.adr_i.val() == self.control_address.val() {
            self.live.next = bit_cast::<32, 1>(self.enable.q.val().into())
                | (bit_cast::<32, 1>(self.freeze.q.val().into()) << 1);
        }
        if self.wb.adr_i.val() == self.status_address.val() {
            self.live.next = bit_cast::<32, 1>(self.clearing.q.val().into());
        }
        if self.wb.adr_i.val() == self.errors_address.val() {
            self.live.next = (bit_cast::<32, 1>(self.saturated.q.val().into()) << 1)
                | (bit_cast::<32, 1>(self.lost.q.val().into()) << 3);
        }
        self.wb.dat_o.next = self.word.val() | self.live.val();
    }

    /// Control, commands and sticky errors.
    fn control(&mut self) {
        self.purge.d.next = (self.purge.q.val() & !self.program.restarts.val())
            | !self.enable.q.val()
            | self.program.loses.val();
        self.zeroing.d.next = false;
        self.clearing.d.next = self.clearing.q.val() & !self.wraps.val();
        self.starting.d.next = self.starting.q.val() & !self.wraps.val();
        if self.writes_register.val() & (self.wb.adr_i.val() == self.control_address.val()) {
            self.enable.d.next = self.wb.dat_i.val().get_bit(0);
            self.freeze.d.next = self.wb.dat_i.val().get_bit(1);
        }
        if self.writes_register.val() & (self.wb.adr_i.val() == self.command_address.val()) {
            self.clearing.d.next = self.clearing.q.val() | self.wb.dat_i.val().get_bit(0);
            self.purge.d.next = self.purge.q.val() | self.wb.dat_i.val().get_bit(1);
            self.zeroing.d.next = self.wb.dat_i.val().get_bit(2);
        }
        if self.writes_register.val() & (self.wb.adr_i.val() == self.errors_address.val()) {
            self.saturated.d.next = self.saturated.q.val() & !self.wb.dat_i.val().get_bit(1);
            self.lost.d.next = self.lost.q.val() & !self.wb.dat_i.val().get_bit(3);
        }
        if self.program.saturates.val() {
            self.saturated.d.next = true;
        }
        if self.program.loses.val() {
            self.lost.d.next = true;
        }
    }

    /// The entry that is read out or emptied. After a reset the walk continues through the stack.
    fn walk(&mut self) {
        self.last_word.next =
            (self.quarter.q.val() == 3) | ((self.quarter.q.val() == 2) & !self.starting.q.val());
        self.steps.next = (self.program.walks.val() & self.clearing.q.val())
            | (self.acts.val() & !self.wb.we_i.val() & self.at_data.val() & !self.clearing.q.val());
        self.wraps.next = self.program.walks.val()
            & self.last_word.val()
            & (self.entry.q.val() == self.last_entry.val());
        if self.steps.val() {
            self.quarter.d.next = self.quarter.q.val() + 1;
            if self.last_word.val() {
                self.quarter.d.next = 0.into();
                self.entry.d.next = (self.entry.q.val() + 1) & self.last_entry.val();
            }
        }
        if self.writes_register.val()
            & (self.wb.adr_i.val() == self.index_address.val())
            & !self.clearing.q.val()
        {
            self.entry.d.next = self.wb.dat_i.val().get_bits::<8>(0) & self.last_entry.val();
            self.quarter.d.next = 0.into();
        }
        if self.writes_register.val()
            & (self.wb.adr_i.val() == self.command_address.val())
            & self.wb.dat_i.val().get_bit(0)
            & !self.clearing.q.val()
        {
            self.entry.d.next = 0.into();
            self.quarter.d.next = 0.into();
        }
    }

    /// Whether the memory is written.
    fn write_enable(&mut self) {
        // The step may be arbitrary at power-up: reset masks its writes.
        self.writes.next = self.program.writes.val() & !self.rst.val();
    }
}
