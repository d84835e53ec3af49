//! Parity bits of registers: which registers share one, its next value, and when it is wrong.
//!
//! Registers of less than [`WIDE`] bits share a parity bit, up to [`GROUP`] bits that are clocked and reset together.
//! Parity is odd: with even parity, the bit of a one-bit group would equal the register, and synthesis would merge the
//! two.
//!
//! A wide register's parity bit is assigned where the register is assigned, and held where it is held. It therefore
//! needs no multiplexer between old and new value and, where a register copies another, no second sum.
//!
//! Registers without reset get one, to 0. Otherwise their parity would be unknown until they are first loaded.

use super::WriteError;
use super::concat::concat;
use super::cone::Cone;
use super::expr::{Expr, Kind, SignalId};
use super::operator::{Compare, Reduce};
use super::protect::{Module, bit};
use super::registers::value;
use super::rewrite::assigned_instead;
use super::scope::{Class, Register};
use super::statement::{Statement, all_of};

/// Bits from which on a register has a parity bit of its own.
const WIDE: usize = 6;

/// Most bits that share a parity bit.
const GROUP: usize = 32;

/// A register with what it is reset to.
struct Member {
    d: SignalId,
    q: SignalId,
    reset: Expr,
}

/// Registers that share a parity bit.
struct Group {
    members: Vec<Member>,
    /// Bits of all of them, and of the first.
    bits: usize,
    bits_each: usize,
    /// What clocks and resets the first of them.
    clk: SignalId,
    rst: SignalId,
    /// What these are in this module, which is so for all of them.
    controls: [Expr; 2],
}

impl Group {
    /// Whether a register of so many bits may share the parity bit.
    fn takes(&self, bits: usize, controls: &[Expr; 2]) -> bool {
        let small = bits < WIDE && self.bits_each < WIDE;
        small && self.controls == *controls && self.bits + bits <= GROUP
    }
}

impl Module<'_> {
    /// Gives every register that is there a parity bit; returns for each of these bits whether it is wrong.
    pub(super) fn parities(&mut self) -> Result<Vec<Expr>, WriteError> {
        let groups = self.groups()?;
        let numbered = groups.iter().enumerate();
        numbered
            .map(|(number, group)| self.parity(number, group))
            .collect()
    }

    /// The groups of the registers that are there, each with a reset.
    fn groups(&mut self) -> Result<Vec<Group>, WriteError> {
        let mut groups: Vec<Group> = Vec::new();
        for index in 0..self.scope.registers.len() {
            let Register { d, q, clk, .. } = self.scope.registers[index];
            if !self.body.cones.iter().any(|cone| cone.targets.contains(&d)) {
                continue;
            }
            let (rst, reset) = self.reset_of(index)?;
            let member = Member { d, q, reset };
            let bits = self.width(d);
            let controls = [clk, rst].map(|id| self.source(id));
            let mut last_first = groups.iter_mut().rev();
            match last_first.find(|group| group.takes(bits, &controls)) {
                Some(group) => {
                    group.members.push(member);
                    group.bits += bits;
                }
                None => groups.push(Group {
                    members: vec![member],
                    bits,
                    bits_each: bits,
                    clk,
                    rst,
                    controls,
                }),
            }
        }
        Ok(groups)
    }

    /// What resets a register and to what: to 0 if nothing has.
    fn reset_of(&mut self, index: usize) -> Result<(SignalId, Expr), WriteError> {
        if let Some(reset) = &self.scope.registers[index].reset {
            return Ok(reset.clone());
        }
        let reset = (self.reset()?, Expr::number(0u32));
        self.scope.registers[index].reset = Some(reset.clone());
        Ok(reset)
    }

    /// Adds the parity bit of a group; returns whether it is wrong.
    fn parity(&mut self, number: usize, group: &Group) -> Result<Expr, WriteError> {
        let members = &group.members;
        let names: Vec<&str> = members
            .iter()
            .map(|member| self.scope.signals[member.q].name.as_str())
            .collect();
        let doc = format!("Odd parity with {}.", names.join(", "));
        let q = self.named(&format!("parity_{number}"), Class::Register, &doc)?;
        let d = self.scope.add_wire("parity_next", 1);
        self.scope.signals[d].class = Class::Next;
        self.drive(self.taken(members, (d, q)));
        let resets = members
            .iter()
            .map(|member| (member.reset.clone(), self.width(member.q)));
        let reset = odd(resets.collect());
        self.scope.registers.push(Register {
            d,
            q,
            clk: group.clk,
            reset: Some((group.rst, reset)),
        });
        let held = members
            .iter()
            .map(|member| (self.whole(member.q), self.width(member.q)));
        Ok(odd(held.collect()).compare(Compare::NotEqual, bit(q)))
    }

    /// What drives the parity bit `(next, now)` of registers.
    fn taken(&self, members: &[Member], (d, q): (SignalId, SignalId)) -> Cone {
        if let [member] = members
            && let Some(statements) = self.beside(member, (d, q))
        {
            return Cone::of(d, statements, 1);
        }
        let next = members
            .iter()
            .map(|member| (self.next(member.d), self.width(member.d)));
        Cone::wire(d, odd(next.collect()))
    }

    /// Assigns the parity bit `(next, now)` of a register where the register is assigned, if all of it is assigned there.
    fn beside(&self, member: &Member, (d, q): (SignalId, SignalId)) -> Option<Vec<Statement>> {
        let mut cones = self.body.cones.iter();
        let cone = cones.find(|cone| cone.targets.contains(&member.d))?;
        let width = self.width(member.d);
        let whole = |statement: &Statement| match statement {
            Statement::Assign { low, width: w, .. } => *low == 0 && *w == width,
            _ => true,
        };
        if cone.targets.len() > 1 || !all_of(&cone.statements, &whole) {
            return None;
        }
        let parity = |value: &Expr| match value.kind {
            Kind::Signal(held) if held == member.q => bit(q),
            _ => odd(vec![(value.clone(), width)]),
        };
        Some(assigned_instead(&cone.statements, d, &parity))
    }

    /// What a register is about to take: what drives it, if that is no computation.
    fn next(&self, d: SignalId) -> Expr {
        let plain = value(self.body, d).filter(|value| value.operators() == 0);
        plain.unwrap_or_else(|| self.whole(d))
    }

    /// What a clock or reset is in this module.
    fn source(&self, id: SignalId) -> Expr {
        value(self.body, id).unwrap_or_else(|| bit(id))
    }

    fn width(&self, id: SignalId) -> usize {
        self.scope.signals[id].width
    }

    fn whole(&self, id: SignalId) -> Expr {
        let width = self.width(id);
        Expr::signal(id, width, width)
    }
}

/// 1 if the number of ones is even: what makes it odd.
fn odd(pieces: Vec<(Expr, usize)>) -> Expr {
    concat(pieces).reduce(Reduce::Xor).not()
}
