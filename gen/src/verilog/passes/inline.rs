//! Small circuits, written where they stand.
//!
//! A module should be worth a name, and a few wires are not. A circuit without memories and sub-circuits is no module
//! if
//!
//! - it has one instance in one module and drives at most [`IN_ONE_PLACE`] signals, or
//! - it drives at most [`ANYWHERE`] signals.
//!
//! A register counts as two signals: itself and its next value.
//!
//! The parent module takes the circuit's statements. The circuit's ports become wires of the parent, with the name of
//! the signal that the port of an instance would be connected to (`index_set`), or the signal that they repeat. Locals
//! and registers are named in the same way. The circuit's comment stands before the first signal that it computes.
//!
//! ```text
//!   hpp_set_index index (                      // Set of the table that a path belongs to.
//!     .start(path_start),            ->        wire [6:0] index_folded_start = path_start[6:0] ^ path_start[13:7];
//!     .set(index_set)                          wire [6:0] index_set = index_folded_start ^ ...;
//!   );
//! ```

use rust_hdl::prelude::Verilog;
use rust_hdl::prelude::ast::{VerilogBlock, VerilogStatement};
use std::collections::{BTreeMap, BTreeSet};

use super::Body;
use crate::names::plain;
use crate::verilog::WriteError;
use crate::verilog::tree::circuit::{Circuit, Role};
use crate::verilog::tree::comments::{declaration, described, leading_comments};
use crate::verilog::tree::expr::{Expr, SignalId};
use crate::verilog::tree::rewrite::{retarget, rewritten};
use crate::verilog::tree::scope::{Class, Register, Scope, Signal};
use crate::verilog::tree::statement::Statement;

/// The module of a sub-circuit, as its parent sees it.
#[derive(Clone, Debug, Default)]
pub struct Child {
    /// The module's name; empty if it is written in place: a register, or a circuit without one.
    pub module: String,
    /// Paths of the constants that are its parameters.
    pub parameters: Vec<String>,
}

impl Child {
    /// Whether it has no module of its own.
    pub fn is_in_place(&self) -> bool {
        self.module.is_empty()
    }
}

/// Most signals that a circuit drives that is written in its only place.
const IN_ONE_PLACE: usize = 10;

/// Most signals that a circuit drives that is written wherever it stands.
const ANYWHERE: usize = 4;

/// The shapes of the circuits below `top` that are written where they stand. Linear in the size of the design.
pub fn inlined(top: &Circuit) -> BTreeSet<usize> {
    let mut places = BTreeMap::new();
    count(top, &mut BTreeSet::new(), &mut places);
    let few = |(shape, (driven, places)): (usize, (usize, usize))| {
        let most = if places == 1 { IN_ONE_PLACE } else { ANYWHERE };
        (driven <= most).then_some(shape)
    };
    places.into_iter().filter_map(few).collect()
}

/// For the shape of each circuit that has no sub-circuits, how many signals it drives and in how many places of the modules it stands.
fn count(
    circuit: &Circuit,
    seen: &mut BTreeSet<usize>,
    places: &mut BTreeMap<usize, (usize, usize)>,
) {
    if !seen.insert(circuit.shape) {
        return;
    }
    for child in &circuit.children {
        let is_alone = child.children.iter().all(|own| own.register().is_some());
        let has_kernel = matches!(child.code, Verilog::Combinatorial(_));
        if child.is_wiring {
            places.insert(child.shape, (0, 0));
        } else if is_alone && has_kernel && child.register().is_none() {
            places.entry(child.shape).or_insert((driven(child), 0)).1 += 1;
        }
        count(child, seen, places);
    }
}

/// Outputs and locals, and of each register itself and what it takes.
fn driven(circuit: &Circuit) -> usize {
    let is_driven = |role| matches!(role, Role::Output | Role::Local);
    let atoms = circuit.atoms.iter();
    let values = match &circuit.code {
        Verilog::Combinatorial(kernel) => values(kernel),
        _ => 0,
    };
    let atoms = atoms.filter(|a| is_driven(a.role) && !a.absent).count();
    atoms + values + 2 * circuit.children.len()
}

/// How many local values a kernel has that are not under a condition.
fn values(block: &[VerilogStatement]) -> usize {
    let of_one = |statement: &VerilogStatement| match statement {
        value if declaration(value).is_some() => 1,
        VerilogStatement::Macro(block) => values(block),
        _ => 0,
    };
    block.iter().map(of_one).sum()
}

impl Body {
    /// Adds what the sub-circuits do that have no module of their own.
    pub fn inline(
        &mut self,
        scope: &mut Scope,
        circuit: &Circuit,
        children: &[Child],
    ) -> Result<(), WriteError> {
        let mut cones = Vec::new();
        for (index, child) in circuit.children.iter().enumerate() {
            let Verilog::Combinatorial(block) = &child.code else {
                continue;
            };
            if child.register().is_none() && children[index].is_in_place() {
                let inlined = inlined_body(scope, circuit, index, block)?;
                cones.extend(inlined.cones);
                self.statements.extend(inlined.statements);
            }
        }
        // In front: what they compute stays together, after what it is computed from.
        self.cones.splice(0..0, cones);
        Ok(())
    }
}

/// What a sub-circuit does, in the signals of its parent, which gets its locals and registers.
fn inlined_body(
    scope: &mut Scope,
    parent: &Circuit,
    index: usize,
    block: &VerilogBlock,
) -> Result<Body, WriteError> {
    let child = &parent.children[index];
    let mut own = Scope::with(child, &handed_on(parent, child))?;
    let mut body = Body::of(block, child, &mut own)?;
    body.fold(&mut own);
    let numbers = (0..own.signals.len()).map(|id| number(scope, (&child.name, index), &own, id));
    let numbers = numbers.collect();
    let inlining = Inlining { own, numbers };
    for (id, _) in &scope.child_ports[index] {
        let signal = &mut scope.signals[*id];
        signal.class = Class::Local;
        // What wiring computes is explained at the port that it goes to.
        if child.is_wiring {
            (signal.passing, signal.doc) = (true, String::new());
        }
    }
    inlining.hand_registers(scope);
    let (_, mut comment) = described(&leading_comments(block));
    if child.is_wiring {
        comment.clear();
    }
    Ok(inlining.moved(body, &comment))
}

/// A sub-circuit that is written in its parent.
struct Inlining {
    own: Scope,
    /// The signal of the parent that each of its own is.
    numbers: Vec<SignalId>,
}

impl Inlining {
    fn read(&self, e: &Expr) -> Expr {
        e.substituted(&|id| {
            let width = self.own.signals[id].width;
            Some(Expr::signal(self.numbers[id], width, width))
        })
    }

    /// Gives the parent the registers.
    fn hand_registers(&self, scope: &mut Scope) {
        for Register { d, q, clk, reset } in &self.own.registers {
            let [d, q, clk] = [d, q, clk].map(|id| self.numbers[*id]);
            let reset = reset.as_ref();
            let reset = reset.map(|(rst, value)| (self.numbers[*rst], self.read(value)));
            scope.signals[q].class = Class::Register;
            scope.registers.push(Register { d, q, clk, reset });
        }
    }

    /// What the sub-circuit does, in the signals of the parent, with its comment.
    fn moved(&self, body: Body, comment: &[String]) -> Body {
        let moved = |id: &SignalId| self.numbers[*id];
        let read = |e: &Expr| self.read(e);
        let cones = body.cones.into_iter().map(|cone| {
            let mut cone = cone.moved(&moved, &read);
            let rest = cone.statements.split_off(cone.statements.len().min(1));
            cone.statements = commented(cone.statements, comment);
            cone.statements.extend(rest);
            cone
        });
        let cones = cones.collect();
        let mut statements = rewritten(&body.statements, &read);
        retarget(&mut statements, &moved);
        Body {
            cones,
            statements: commented(statements, comment),
        }
    }
}

/// The statements, each without a comment after the one of its circuit; of several equal comments the first is written.
fn commented(statements: Vec<Statement>, comment: &[String]) -> Vec<Statement> {
    let is_comment = |statement: &Statement| matches!(statement, Statement::Comment(_));
    let mut out: Vec<Statement> = Vec::new();
    for statement in statements {
        let bare = !is_comment(&statement) && !out.last().is_some_and(is_comment);
        if bare && !comment.is_empty() {
            out.push(Statement::Comment(comment.to_vec()));
        }
        out.push(statement);
    }
    out
}

/// The constants of a sub-circuit that are parameters of its parent.
fn handed_on(parent: &Circuit, child: &Circuit) -> BTreeMap<String, usize> {
    let prefix = format!("{}$", child.name);
    let own = |(path, width): (&String, &usize)| {
        path.strip_prefix(&prefix)
            .map(|own| (own.to_string(), *width))
    };
    parent.varying.iter().filter_map(own).collect()
}

/// The signal of the parent that signal `id` of a sub-circuit is.
fn number(
    scope: &mut Scope,
    (instance, index): (&str, usize),
    own: &Scope,
    id: SignalId,
) -> SignalId {
    let Signal {
        name,
        class,
        width,
        doc,
        passing,
    } = own.signals[id].clone();
    match class {
        Class::Input | Class::Output => {
            let mut ports = scope.child_ports[index].iter();
            let port = ports.find(|(_, port)| *port == name);
            port.map(|(id, _)| *id)
                .expect("a parent has all ports of what stands in it")
        }
        Class::Parameter => {
            let path = own.parameters.iter().find(|(own, _)| *own == id);
            let whole = path.map(|(_, path)| format!("{instance}${path}"));
            let mut parameters = scope.parameters.iter();
            let handed = parameters.find(|(_, path)| Some(path) == whole.as_ref());
            handed
                .map(|(id, _)| *id)
                .expect("a parent has the parameters that it hands on")
        }
        Class::Local | Class::Register | Class::Next | Class::ChildInput | Class::ChildOutput => {
            let id = scope.add_named(&plain(&format!("{instance}${name}")), width);
            let signal = &mut scope.signals[id];
            (signal.class, signal.doc, signal.passing) = (class, doc, passing);
            id
        }
    }
}
