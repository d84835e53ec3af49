//! Registers in place: from instances of a register to clocked blocks.
//!
//! If nothing else reads a register's next value, it is written in the clocked block itself, as in the kernel: under
//! the same `if`, and an unassigned register holds. A next value that is read elsewhere is a wire, and the register
//! takes the wire. Resets stand at the end of the block, where they override.

use std::collections::BTreeSet;

use super::Body;
use super::cone::driven;
use super::effect::effective;
use crate::verilog::tree::expr::{Expr, Kind, SignalId};
use crate::verilog::tree::rewrite::{filter, retarget};
use crate::verilog::tree::scope::{Register, Scope};
use crate::verilog::tree::statement::{Statement, targets as targets_of};

/// The registers of one clock.
#[derive(Debug)]
pub struct Clocked {
    pub clk: SignalId,
    pub statements: Vec<Statement>,
    pub resets: Vec<ResetGroup>,
    /// Whether the only group of `resets` is reset at once.
    pub asynchronous: bool,
}

impl Clocked {
    /// The registers that are reset, those among them that keep their value otherwise too.
    pub fn reset_registers(&self) -> impl Iterator<Item = SignalId> {
        let groups = self.resets.iter();
        groups.flat_map(|group| group.values.iter().map(|(id, _)| *id))
    }

    /// A block for each group of registers that are reset at once, and one for those without reset: a block that has both means other hardware.
    pub fn divided(mut self) -> Vec<Self> {
        let mut out = Vec::new();
        let at_once = |group: &mut ResetGroup| matches!(group.test.kind, Kind::Signal(_));
        for group in self.resets.extract_if(.., at_once) {
            let targets: BTreeSet<SignalId> = group.values.iter().map(|(id, _)| *id).collect();
            let mut others = targets_of(&self.statements);
            out.push(Self {
                clk: self.clk,
                statements: filter(&self.statements, &targets),
                resets: vec![group],
                asynchronous: true,
            });
            others.retain(|id| !targets.contains(id));
            self.statements = filter(&self.statements, &others);
        }
        let is_left = !self.statements.is_empty() || !self.resets.is_empty();
        out.extend(is_left.then_some(self));
        out
    }
}

/// Registers that are reset together.
#[derive(Debug)]
pub struct ResetGroup {
    pub test: Expr,
    /// Each register and what it resets to.
    pub values: Vec<(SignalId, Expr)>,
}

/// Takes the registers out of the cones of `body`.
pub fn in_place(body: &mut Body, scope: &Scope) -> Vec<Clocked> {
    let driven = driven(&body.cones);
    let registers = scope.registers.iter();
    let registers: Vec<&Register> = registers
        .filter(|register| driven.contains(&register.d))
        .collect();
    let mut clocks: Vec<SignalId> = Vec::new();
    for register in &registers {
        let clk = source(body, register.clk);
        if !clocks.contains(&clk) {
            clocks.push(clk);
        }
    }
    let blocks = clocks.into_iter().map(|clk| {
        let here = registers.iter().filter(|r| source(body, r.clk) == clk);
        block(body, scope, clk, &here.copied().collect::<Vec<_>>())
    });
    let blocks: Vec<Clocked> = blocks.collect();
    let folded = folded(body, &registers);
    let controls: BTreeSet<SignalId> = registers
        .iter()
        .flat_map(|register| {
            let rst = register.reset.as_ref().map(|(rst, _)| *rst);
            rst.into_iter().chain([register.clk])
        })
        .filter(|id| value(body, *id).is_some())
        .collect();
    let gone = |id: &SignalId| folded.contains(id) || controls.contains(id);
    body.cones.retain(|cone| !cone.targets.iter().any(gone));
    blocks
}

/// The next values that only their register reads.
fn folded(body: &Body, registers: &[&Register]) -> BTreeSet<SignalId> {
    let read: BTreeSet<SignalId> = body.cones.iter().flat_map(|cone| cone.reads()).collect();
    let alone = |id: &SignalId| {
        let mut cones = body.cones.iter();
        cones.any(|cone| cone.targets.len() == 1 && cone.targets.contains(id))
    };
    let next = registers.iter().map(|register| register.d);
    next.filter(|d| !read.contains(d) && alone(d)).collect()
}

fn block(body: &Body, scope: &Scope, clk: SignalId, registers: &[&Register]) -> Clocked {
    let folded = folded(body, registers);
    let mut statements = filter(&body.statements, &folded);
    for register in registers {
        let (d, q) = (register.d, register.q);
        if folded.contains(&d) {
            statements = effective(&statements, d);
            let holds = |statement: &Statement| {
                matches!(statement, Statement::Assign(id, value)
                    if *id == d && value.kind == Kind::Signal(q))
            };
            let assigns = |statement| targets_of(std::slice::from_ref(statement)).contains(&d);
            let first = statements.iter().position(assigns);
            if let Some(first) = first.filter(|first| holds(&statements[*first])) {
                statements.remove(first);
            }
        } else {
            let width = scope.signals[d].width;
            statements.push(Statement::Assign(d, Expr::signal(d, width, width)));
        }
    }
    let output = |id: &SignalId| {
        let register = registers.iter().find(|register| register.d == *id);
        register.map_or(*id, |register| register.q)
    };
    retarget(&mut statements, &output);
    Clocked {
        clk,
        statements,
        resets: resets(body, registers),
        asynchronous: false,
    }
}

fn resets(body: &Body, registers: &[&Register]) -> Vec<ResetGroup> {
    let mut out: Vec<ResetGroup> = Vec::new();
    for register in registers {
        let Some((rst, reset)) = &register.reset else {
            continue;
        };
        let test = value(body, *rst).unwrap_or_else(|| Expr::signal(*rst, 1, 1));
        let value = (register.q, reset.clone());
        match out.iter_mut().find(|group| group.test == test) {
            Some(group) => group.values.push(value),
            None => out.push(ResetGroup {
                test,
                values: vec![value],
            }),
        }
    }
    out.retain(|group| !group.test.is(0));
    out
}

/// What drives a signal, if it is one expression.
pub fn value(body: &Body, id: SignalId) -> Option<Expr> {
    let mut cones = body.cones.iter();
    let cone = cones.find(|cone| cone.targets.contains(&id))?;
    cone.expression().cloned()
}

/// The signal that another repeats, else itself.
fn source(body: &Body, id: SignalId) -> SignalId {
    match value(body, id).map(|value| value.kind) {
        Some(Kind::Signal(source)) => source,
        _ => id,
    }
}
