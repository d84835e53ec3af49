//! A core that executes a stream of records.

use super::instructions::{NO_OPERATION, instruction};
use super::interface::Interface;
use super::shown::Shown;
use crate::stream::{StreamRng, rng};
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_riscv::Retirement;
use hpp_riscv::decode::length;
use rand::{Rng, RngExt};
use std::collections::VecDeque;
use std::fmt::Debug;

/// A core in front of an ingress other than the native one.
pub trait Core: Debug {
    /// Begins a cycle and returns its event inputs.
    fn begin(&mut self) -> u64;
    /// Whether the core obeys a stall in the same cycle, or one cycle later.
    fn is_prompt(&self) -> bool;
    /// Writes its output of a cycle without a stall. Returns whether that is, or begins, the execution of the record.
    fn show(&mut self, record: Option<&BranchRecord>, shown: &mut Shown) -> bool;
    fn reset(&mut self);
}

/// Number of recent records that may be repeated on free channels.
const RECENT: usize = 4;

/// The behaviour of a core for a number of cycles.
#[derive(Debug, Clone, Copy, Default)]
struct Spell {
    left: u32,
    /// The output is random, whatever the record.
    wild: bool,
    /// Each instruction follows the previous one. Otherwise it is placed in front of the address after its record.
    tight: bool,
    prompt: bool,
}

impl Spell {
    fn draw(rng: &mut StreamRng) -> Self {
        Self {
            left: rng.random_range(16..400),
            wild: rng.random_range(0..4) == 0,
            tight: rng.random(),
            prompt: rng.random(),
        }
    }
}

/// The core of an interface.
///
/// A record is executed by an instruction of its kind that leads to its target; on an RVFI, by one retirement. In some
/// spells the output is random instead. A trap is entered by an interrupt, with the next instruction, or after an
/// instruction that traps.
#[derive(Debug)]
pub struct ExecutingCore<I> {
    interface: I,
    geometry: Geometry,
    rng: StreamRng,
    waiting: VecDeque<Retirement>,
    recent: VecDeque<BranchRecord>,
    at: u64,
    /// The next instruction is the first of a handler.
    interrupted: bool,
    spell: Spell,
    inputs: u32,
}

impl<I: Interface> ExecutingCore<I> {
    /// A core with `inputs` event inputs. Its behaviour is determined by the seed and the records.
    pub fn new(interface: I, geometry: &Geometry, inputs: u32, seed: u64) -> Self {
        Self {
            interface,
            geometry: *geometry,
            rng: rng(seed),
            waiting: VecDeque::new(),
            recent: VecDeque::new(),
            at: 0,
            interrupted: false,
            spell: Spell::default(),
            inputs,
        }
    }

    /// The instructions that execute a record.
    fn execute(&mut self, record: &BranchRecord) {
        let (target, context) = self.geometry.address_and_context(record.target);
        if record.kind == BranchKind::Trap {
            return self.trap(target, record.next, context);
        }
        let conditional = matches!(record.kind, BranchKind::Forward | BranchKind::Backward);
        let taken = record.taken || !conditional;
        let insn = instruction(record.kind, taken, &mut self.rng);
        let before = record.next.checked_sub(length(insn));
        let pc = match before {
            Some(before) if !self.spell.tight => before,
            _ => self.at,
        };
        if pc != self.at && self.rng.random() {
            self.pass(context);
        }
        let fall_through = pc.wrapping_add(length(insn)) & Geometry::mask(self.geometry.pc_bits);
        self.retire(Retirement {
            pc,
            insn,
            next_pc: if taken { target } else { fall_through },
            context,
            ..Retirement::default()
        });
        if record.kind == BranchKind::TrapReturn && self.rng.random() {
            self.pass(context);
        }
    }

    /// Enters a trap, from an instruction at `from` or the one before it.
    fn trap(&mut self, handler: u64, from: u64, context: u8) {
        let insn = self.rng.next_u32();
        match self.rng.random_range(0..3) {
            0 => {
                self.interrupted = true;
                self.at = handler;
                self.pass(context);
            }
            1 => self.interrupted = true,
            _ => self.retire(Retirement {
                pc: from,
                insn,
                next_pc: handler,
                trap: true,
                context,
                ..Retirement::default()
            }),
        }
    }

    fn pass(&mut self, context: u8) {
        let next_pc = self.at.wrapping_add(length(NO_OPERATION));
        self.retire(Retirement {
            pc: self.at,
            insn: NO_OPERATION,
            next_pc: next_pc & Geometry::mask(self.geometry.pc_bits),
            context,
            ..Retirement::default()
        });
    }

    fn retire(&mut self, retirement: Retirement) {
        self.at = retirement.next_pc;
        self.waiting.push_back(Retirement {
            intr: std::mem::take(&mut self.interrupted),
            ..retirement
        });
    }

    /// Repeats some of the recent records on free channels.
    fn fill(&mut self) {
        while self.waiting.len() < self.interface.channels() && self.rng.random() {
            let again = self.recent[self.rng.random_range(0..self.recent.len())];
            self.execute(&again);
        }
    }
}

impl<I: Interface> Core for ExecutingCore<I> {
    fn begin(&mut self) -> u64 {
        if self.spell.left == 0 {
            self.spell = Spell::draw(&mut self.rng);
        }
        self.spell.left -= 1;
        let mask = Geometry::mask(self.geometry.event_bits);
        (0..self.inputs).fold(0, |all, input| {
            let events = match self.rng.random_range(0..8) {
                0 => self.rng.next_u64() & mask,
                1 => mask,
                2 => 1,
                _ => 0,
            };
            all | events << (input * self.geometry.event_bits)
        })
    }

    fn is_prompt(&self) -> bool {
        self.spell.prompt
    }

    fn show(&mut self, record: Option<&BranchRecord>, shown: &mut Shown) -> bool {
        let Some(record) = record else {
            return false;
        };
        if self.spell.wild {
            *shown = self.interface.draw(&mut self.rng).into();
            return true;
        }
        let begins = self.waiting.len() < self.interface.channels();
        if begins {
            self.execute(record);
            self.recent.push_front(*record);
            self.recent.truncate(RECENT);
            self.fill();
        }
        if !self.waiting.is_empty() {
            *shown = (self.interface.show(&mut self.waiting, &mut self.rng)).into();
        }
        begins
    }

    fn reset(&mut self) {
        self.waiting.clear();
        self.interrupted = false;
    }
}
