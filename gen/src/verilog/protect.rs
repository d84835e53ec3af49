//! Parity, so that a flipped bit is noticed.
//!
//! A module gets an output `flipped`, which is 1 after a bit in it or below it has flipped; the top has an output [`FAULT`] of its own that takes what
//! its sub-circuits tell. Memories bring their parity with them. Beside each register stands a bit that makes the number of ones odd: computed
//! from what the register is about to take, and compared in every cycle. Registers of less than [`WIDE`] bits share one, up to [`GROUP`] bits that are
//! clocked and reset together. Odd, so that the bit of a group of one is not the register once more, which synthesis would make one of the two.
//!
//! A wide register's parity bit is assigned where the register is, and held where it is held, so that it needs neither the choice between
//! old and new nor, where a register takes another, a second sum.
//!
//! Registers without reset get one, to 0: else nothing would be known of them until they are first loaded.

use super::WriteError;
use super::body::Body;
use super::concat::concat;
use super::cone::Cone;
use super::expr::{Expr, Kind, SignalId};
use super::module::Child;
use super::operator::{Binary, Compare, Reduce};
use super::registers::value;
use super::rewrite::assigned_instead;
use super::scope::{Class, Register, Scope};
use super::statement::{Statement, all_of};
use super::tree::Circuit;
use hpp_golden::config::Protection;

/// The output of the top circuit that says so.
pub const FAULT: &str = "fault";

/// The output of a module that says so.
pub const FLIPPED: &str = "flipped";

/// Bits from which on a register has a parity bit of its own.
const WIDE: usize = 6;

/// Most bits that share a parity bit.
const GROUP: usize = 32;

/// What a module got besides its own ports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Added {
    /// An output [`FLIPPED`].
    pub flipped: bool,
    /// An input `rst`.
    pub reset: bool,
}

/// Takes out of the top what its circuit says of [`FAULT`]; returns the signal.
pub fn open(body: &mut Body, scope: &Scope, circuit: &Circuit) -> Result<SignalId, WriteError> {
    let is_fault = |id: &SignalId| {
        scope.signals[*id].name == FAULT && scope.signals[*id].class == Class::Output
    };
    let found = (0..scope.signals.len()).find(is_fault);
    let fault = found.ok_or_else(|| WriteError::Signal {
        place: circuit.place.clone(),
        signal: FAULT.into(),
        reason: "is to say that a bit has flipped, and is no output of the circuit".into(),
    })?;
    body.cones.retain(|cone| !cone.targets.contains(&fault));
    Ok(fault)
}

/// Adds parity to a module's registers and gathers what its sub-circuits tell. `fault` is the top's output, if this is the top.
pub fn protect(
    body: &mut Body,
    scope: &mut Scope,
    (circuit, children): (&Circuit, &[Child]),
    what: Protection,
    fault: Option<SignalId>,
) -> Result<Added, WriteError> {
    let mut module = Module {
        body,
        scope,
        circuit,
        added: Added::default(),
    };
    let mut told = module.told(children);
    module.hand_reset_on(children)?;
    let groups = match what {
        Protection::All => module.groups()?,
        Protection::None | Protection::Memories => Vec::new(),
    };
    let is_clocked = !groups.is_empty();
    for (number, group) in groups.iter().enumerate() {
        let odd = module.parity(number, group)?;
        told.push(odd);
    }
    if told.is_empty() && fault.is_none() {
        return Ok(module.added);
    }
    let told = any(told);
    let output = match fault {
        Some(fault) => fault,
        None => {
            module.added.flipped = true;
            module.named(FLIPPED, Class::Output, "A bit in here has flipped.")?
        }
    };
    if is_clocked {
        let next = module.scope.add_wire("flipped_next", 1);
        module.scope.signals[next].class = Class::Next;
        module.drive(Cone::wire(next, told));
        let (clk, rst) = (module.input("clk")?, module.reset()?);
        module.scope.registers.push(Register {
            d: next,
            q: output,
            clk,
            reset: Some((rst, Expr::number(0u32))),
        });
    } else {
        module.body.cones.push(Cone::wire(output, told));
    }
    Ok(module.added)
}

/// Registers that share a parity bit.
struct Group {
    /// Indices into the scope's registers.
    registers: Vec<usize>,
    bits: usize,
    /// Bits of the first of them.
    bits_each: usize,
    /// What clocks and what resets them.
    clk: Option<Expr>,
    rst: Option<Expr>,
}

/// A module that gets parity.
struct Module<'a> {
    body: &'a mut Body,
    scope: &'a mut Scope,
    circuit: &'a Circuit,
    added: Added,
}

impl Module<'_> {
    /// What each sub-circuit tells.
    fn told(&mut self, children: &[Child]) -> Vec<Expr> {
        let mut told = Vec::new();
        for (index, child) in children.iter().enumerate() {
            if child.added.flipped {
                told.push(bit(self.port(index, FLIPPED, Class::ChildOutput)));
            }
        }
        told
    }

    /// Connects the resets that sub-circuits got.
    fn hand_reset_on(&mut self, children: &[Child]) -> Result<(), WriteError> {
        for (index, child) in children.iter().enumerate() {
            if child.added.reset {
                let rst = self.reset()?;
                let port = self.port(index, "rst", Class::ChildInput);
                self.body.cones.push(Cone::wire(port, bit(rst)));
            }
        }
        Ok(())
    }

    /// A port that the writer adds to a sub-circuit.
    fn port(&mut self, child: usize, port: &str, class: Class) -> SignalId {
        let instance = self.circuit.children[child].instance();
        let id = self.scope.add_named(&format!("{instance}_{port}"), 1);
        self.scope.signals[id].class = class;
        self.scope.child_ports[child].push((id, port.to_string()));
        id
    }

    /// The groups of the registers that are there, each with a reset.
    fn groups(&mut self) -> Result<Vec<Group>, WriteError> {
        let mut groups: Vec<Group> = Vec::new();
        for index in 0..self.scope.registers.len() {
            let (d, clk) = {
                let register = &self.scope.registers[index];
                (register.d, register.clk)
            };
            if !self.body.cones.iter().any(|cone| cone.targets.contains(&d)) {
                continue;
            }
            if self.scope.registers[index].reset.is_none() {
                let rst = self.reset()?;
                self.scope.registers[index].reset = Some((rst, Expr::number(0u32)));
            }
            let rst = self.scope.registers[index]
                .reset
                .as_ref()
                .map(|(rst, _)| *rst);
            let clk = Some(self.source(clk));
            let rst = rst.map(|rst| self.source(rst));
            let bits = self.scope.signals[d].width;
            let fits = |group: &&mut Group| {
                let small = bits < WIDE && group.bits_each < WIDE;
                small && group.clk == clk && group.rst == rst && group.bits + bits <= GROUP
            };
            match groups.iter_mut().rev().find(fits) {
                Some(group) => {
                    group.registers.push(index);
                    group.bits += bits;
                }
                None => groups.push(Group {
                    registers: vec![index],
                    bits,
                    bits_each: bits,
                    clk,
                    rst,
                }),
            }
        }
        Ok(groups)
    }

    /// Adds the parity bit of a group; returns whether it is wrong.
    fn parity(&mut self, number: usize, group: &Group) -> Result<Expr, WriteError> {
        let members: Vec<Register> = group
            .registers
            .iter()
            .map(|index| self.scope.registers[*index].clone())
            .collect();
        let first = members.first().expect("a group has a register");
        let (clk, rst) = (first.clk, first.reset.as_ref().map(|(rst, _)| *rst));
        let rst = rst.expect("every register of a group has a reset");
        let widths: Vec<usize> = self.scope.signals.iter().map(|s| s.width).collect();
        let width = |id: SignalId| widths[id];
        let resets: Vec<_> = members
            .iter()
            .map(|register| {
                let (_, value) = register.reset.clone().expect("as above");
                (value, width(register.q))
            })
            .collect();
        let held: Vec<_> = members
            .iter()
            .map(|register| (signal(self.scope, register.q), width(register.q)))
            .collect();
        let names: Vec<&str> = members
            .iter()
            .map(|register| self.scope.signals[register.q].name.as_str())
            .collect();
        let doc = format!("Odd parity with {}.", names.join(", "));
        let q = self.named(&format!("parity_{number}"), Class::Register, &doc)?;
        let d = self.scope.add_wire("parity_next", 1);
        self.scope.signals[d].class = Class::Next;
        let in_place = match members.as_slice() {
            [register] => self.beside(register, (d, q)),
            _ => None,
        };
        match in_place {
            Some(statements) => self.drive(Cone::of(d, statements, 1)),
            None => {
                let next = members.iter().map(|r| (self.next(r.d), width(r.d)));
                let next = odd(next.collect());
                self.drive(Cone::wire(d, next));
            }
        }
        self.scope.registers.push(Register {
            d,
            q,
            clk,
            reset: Some((rst, odd(resets))),
        });
        Ok(odd(held).compare(Compare::NotEqual, bit(q)))
    }

    /// Assigns the parity bit `(next, now)` of a register where the register is assigned, if all of it is assigned there.
    fn beside(&self, register: &Register, (d, q): (SignalId, SignalId)) -> Option<Vec<Statement>> {
        let mut cones = self.body.cones.iter();
        let cone = cones.find(|cone| cone.targets.contains(&register.d))?;
        let width = self.scope.signals[register.d].width;
        let whole = |statement: &Statement| match statement {
            Statement::Assign { low, width: w, .. } => *low == 0 && *w == width,
            _ => true,
        };
        let alone = cone.targets.len() == 1 && !cone.reads().contains(&register.d);
        if !alone || !all_of(&cone.statements, &whole) {
            return None;
        }
        let parity = |value: &Expr| match value.kind {
            Kind::Signal(held) if held == register.q => bit(q),
            _ => odd(vec![(value.clone(), width)]),
        };
        Some(assigned_instead(&cone.statements, d, &parity))
    }

    /// What a register is about to take: what drives it, if that is no computation.
    fn next(&self, d: SignalId) -> Expr {
        let plain = value(self.body, d).filter(|value| value.operators() == 0);
        plain.unwrap_or_else(|| signal(self.scope, d))
    }

    /// Drives a signal of the writer's own.
    fn drive(&mut self, cone: Cone) {
        self.body.statements.extend(cone.statements.iter().cloned());
        self.body.cones.push(cone);
    }

    /// What a clock or reset is in this module.
    fn source(&self, id: SignalId) -> Expr {
        value(self.body, id).unwrap_or_else(|| bit(id))
    }

    /// The module's reset, which it gets if it has none.
    fn reset(&mut self) -> Result<SignalId, WriteError> {
        if let Ok(rst) = self.input("rst") {
            return Ok(rst);
        }
        self.added.reset = true;
        self.named("rst", Class::Input, "Synchronous reset, active high.")
    }

    fn input(&self, name: &str) -> Result<SignalId, WriteError> {
        let is_it = |id: &SignalId| {
            let signal = &self.scope.signals[*id];
            signal.class == Class::Input && signal.name == name
        };
        let found = (0..self.scope.signals.len()).find(is_it);
        found.ok_or_else(|| self.refuse(name, "is needed for parity, and is no input"))
    }

    /// A signal of the writer's own that has to have this name.
    fn named(&mut self, name: &str, class: Class, doc: &str) -> Result<SignalId, WriteError> {
        if self.scope.signals.iter().any(|signal| signal.name == name) {
            return Err(self.refuse(name, "has a name that parity needs"));
        }
        let id = self.scope.add_wire(name, 1);
        let signal = &mut self.scope.signals[id];
        signal.name = name.to_string();
        signal.class = class;
        signal.doc = doc.to_string();
        Ok(id)
    }

    fn refuse(&self, signal: &str, reason: &str) -> WriteError {
        WriteError::Signal {
            place: self.circuit.place.clone(),
            signal: signal.to_string(),
            reason: reason.to_string(),
        }
    }
}

fn bit(id: SignalId) -> Expr {
    Expr::signal(id, 1, 1)
}

fn signal(scope: &Scope, id: SignalId) -> Expr {
    let width = scope.signals[id].width;
    Expr::signal(id, width, width)
}

/// 1 if the number of ones is even: what makes it odd.
fn odd(pieces: Vec<(Expr, usize)>) -> Expr {
    let all = concat(pieces);
    let ones = match &all.kind {
        Kind::Constant(value, _) => Expr::bit(value.count_ones() % 2 == 1),
        _ => all.reduce(Reduce::Xor),
    };
    ones.not()
}

/// Whether one of them is 1.
fn any(told: Vec<Expr>) -> Expr {
    let one = told.into_iter().reduce(|a, b| a.bitwise(Binary::Or, b));
    one.unwrap_or_else(|| Expr::bit(false))
}
