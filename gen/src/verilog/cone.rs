//! Cones: the statements that matter to one signal.
//!
//! A rust-hdl kernel is one procedure that drives everything. As one `always @*` block it would make every signal depend on every
//! other, and signals that go through a sub-circuit and come back would look like combinational loops to a tool. So each
//! signal gets an `assign` or a block of its own, with only the statements that assign it. Signals that a kernel reads *between* two of
//! their assignments, such as the `found` of a priority search, share a block with the signals computed from them: there
//! the value in passing is meant, not the final one.

use std::collections::{BTreeMap, BTreeSet};

use super::WriteError;
use super::expr::{Expr, SignalId};
use super::lower::Statement;
use super::scope::{Class, Scope};

/// Signals that are assigned together, with their statements.
#[derive(Debug)]
pub struct Cone {
    pub targets: BTreeSet<SignalId>,
    pub statements: Vec<Statement>,
}

impl Cone {
    /// The value of the cone's only signal, if one unconditional assignment decides all of it.
    pub fn expression(&self) -> Option<&Expr> {
        match self.statements.as_slice() {
            [Statement::Assign { value, .. }] => Some(value),
            _ => None,
        }
    }

    /// Every signal that the cone's statements read.
    pub fn reads(&self) -> BTreeSet<SignalId> {
        let mut flow = Flow::default();
        flow.walk(&self.statements, &mut Vec::new());
        flow.reads.iter().map(|read| read.source).collect()
    }
}

/// One read of `source` on the way to `target`.
struct Read {
    target: SignalId,
    source: SignalId,
    position: usize,
}

/// Positions of assignments and reads, in program order.
#[derive(Default)]
struct Flow {
    position: usize,
    span: BTreeMap<SignalId, (usize, usize)>,
    reads: Vec<Read>,
}

type Tests = Vec<(usize, BTreeSet<SignalId>)>;

impl Flow {
    fn walk(&mut self, statements: &[Statement], tests: &mut Tests) {
        for statement in statements {
            self.position += 1;
            match statement {
                Statement::Assign { target, value, .. } => self.assign(*target, value, tests),
                Statement::If {
                    test,
                    then,
                    otherwise,
                } => {
                    self.test(test, tests);
                    self.walk(then, tests);
                    self.walk(otherwise, tests);
                    tests.pop();
                }
                Statement::Case {
                    test,
                    arms,
                    default,
                } => {
                    self.test(test, tests);
                    arms.iter().for_each(|(_, block)| self.walk(block, tests));
                    self.walk(default, tests);
                    tests.pop();
                }
            }
        }
    }

    fn test(&self, test: &Expr, tests: &mut Tests) {
        let mut reads = BTreeSet::new();
        test.reads(&mut reads);
        tests.push((self.position, reads));
    }

    fn assign(&mut self, target: SignalId, value: &Expr, tests: &Tests) {
        let position = self.position;
        self.span.entry(target).or_insert((position, position)).1 = position;
        let mut sources = BTreeSet::new();
        value.reads(&mut sources);
        let here = std::iter::once((position, &sources));
        for (position, sources) in
            here.chain(tests.iter().map(|(position, sources)| (*position, sources)))
        {
            self.reads.extend(sources.iter().map(|&source| Read {
                target,
                source,
                position,
            }));
        }
    }
}

/// Cuts a module's statements into cones and drops those nobody can see.
///
/// # Errors
/// A signal that depends on itself, that keeps its value on some path, or that nothing drives.
pub fn cones(
    statements: &[Statement],
    scope: &Scope,
    place: &str,
) -> Result<Vec<Cone>, WriteError> {
    let mut flow = Flow::default();
    flow.walk(statements, &mut Vec::new());
    let groups = group(&flow, scope, place)?;
    let mut cones = Vec::new();
    for targets in groups {
        let mut statements = filter(statements, &targets);
        for &target in &targets {
            if definite(&statements, target, scope.signals[target].width).contains(&false) {
                return Err(refuse(
                    scope,
                    place,
                    target,
                    "keeps its value on some path (a latch): assign a default first",
                ));
            }
        }
        if targets.len() == 1 {
            statements = simplify(statements);
        }
        cones.push(Cone {
            targets,
            statements,
        });
    }
    check_driven(&cones, scope, place)?;
    Ok(live(cones, scope))
}

fn refuse(scope: &Scope, place: &str, signal: SignalId, reason: &str) -> WriteError {
    WriteError::Signal {
        place: place.to_string(),
        signal: scope.signals[signal].name.clone(),
        reason: reason.to_string(),
    }
}

/// The sets of signals that must share a block, in order of their first signal.
fn group(flow: &Flow, scope: &Scope, place: &str) -> Result<Vec<BTreeSet<SignalId>>, WriteError> {
    let mut leader: BTreeMap<SignalId, SignalId> = flow.span.keys().map(|&id| (id, id)).collect();
    let latest = |id: SignalId| scope.signals[id].class.reads_latest();
    for read in &flow.reads {
        let Some(&(first, last)) = flow.span.get(&read.source) else {
            continue;
        };
        let in_passing = latest(read.source) && first < read.position && read.position < last;
        if in_passing {
            let (a, b) = (leader[&read.source], leader[&read.target]);
            leader
                .values_mut()
                .filter(|l| **l == a.max(b))
                .for_each(|l| *l = a.min(b));
        }
    }
    for read in &flow.reads {
        let Some(&(first, _)) = flow.span.get(&read.source) else {
            continue;
        };
        let together = leader[&read.source] == leader[&read.target];
        if together && (!latest(read.source) || read.position <= first) {
            return Err(refuse(
                scope,
                place,
                read.target,
                "depends on a value it is only about to get",
            ));
        }
    }
    let mut groups: BTreeMap<SignalId, BTreeSet<SignalId>> = BTreeMap::new();
    for (id, leader) in leader {
        groups.entry(leader).or_default().insert(id);
    }
    Ok(groups.into_values().collect())
}

/// The statements that assign one of `targets`, with the tests around them.
fn filter(statements: &[Statement], targets: &BTreeSet<SignalId>) -> Vec<Statement> {
    statements
        .iter()
        .filter_map(|statement| filter_one(statement, targets))
        .collect()
}

fn filter_one(statement: &Statement, targets: &BTreeSet<SignalId>) -> Option<Statement> {
    match statement {
        Statement::Assign { target, .. } => targets.contains(target).then(|| statement.clone()),
        Statement::If {
            test,
            then,
            otherwise,
        } => {
            let (then, otherwise) = (filter(then, targets), filter(otherwise, targets));
            match (then.is_empty(), otherwise.is_empty()) {
                (true, true) => None,
                (true, false) => Some(Statement::If {
                    test: test.clone().not(),
                    then: otherwise,
                    otherwise: Vec::new(),
                }),
                _ if then == otherwise && then.len() == 1 => then.into_iter().next(),
                _ => Some(Statement::If {
                    test: test.clone(),
                    then,
                    otherwise,
                }),
            }
        }
        Statement::Case {
            test,
            arms,
            default,
        } => {
            let default = filter(default, targets);
            let mut arms: Vec<_> = arms
                .iter()
                .map(|(value, block)| (value.clone(), filter(block, targets)))
                .collect();
            if default.is_empty() {
                arms.retain(|(_, block)| !block.is_empty());
            }
            let test = test.clone();
            (!arms.is_empty() || !default.is_empty()).then_some(Statement::Case {
                test,
                arms,
                default,
            })
        }
    }
}

/// Which bits of `target` are assigned on every path.
fn definite(statements: &[Statement], target: SignalId, width: usize) -> Vec<bool> {
    let mut bits = vec![false; width];
    let mut add = |more: Vec<bool>| {
        bits.iter_mut()
            .zip(more)
            .for_each(|(bit, more)| *bit |= more)
    };
    let both = |a: Vec<bool>, b: Vec<bool>| {
        a.into_iter()
            .zip(b)
            .map(|(a, b)| a && b)
            .collect::<Vec<_>>()
    };
    for statement in statements {
        match statement {
            Statement::Assign {
                target: t,
                low,
                width: w,
                ..
            } => {
                let assigned = |bit| *t == target && (*low..low + w).contains(&bit);
                add((0..width).map(assigned).collect());
            }
            Statement::If {
                then, otherwise, ..
            } => {
                add(both(
                    definite(then, target, width),
                    definite(otherwise, target, width),
                ));
            }
            Statement::Case { arms, default, .. } => {
                let default = definite(default, target, width);
                add(arms.iter().fold(default, |all, (_, block)| {
                    both(all, definite(block, target, width))
                }));
            }
        }
    }
    bits
}

/// Drops what a later unconditional assignment of a whole signal overwrites, and puts fields assigned one by one together.
fn simplify(mut statements: Vec<Statement>) -> Vec<Statement> {
    let reads_itself = |statement: &Statement| {
        let Statement::Assign { target, value, .. } = statement else {
            return true;
        };
        let mut reads = BTreeSet::new();
        value.reads(&mut reads);
        reads.contains(target)
    };
    let covers = |statement: &Statement| {
        matches!(statement, Statement::Assign { low: 0, width, value, .. } if value.width <= *width)
            && !reads_itself(statement)
    };
    let whole_width = statements.iter().map(assigned_top).max().unwrap_or(0);
    let whole = |statement: &Statement| covers(statement) && assigned_top(statement) == whole_width;
    if let Some(last) = statements.iter().rposition(whole) {
        statements.drain(..last);
    }
    if statements.iter().all(|statement| !reads_itself(statement)) && statements.len() > 1 {
        return vec![merge(statements)];
    }
    statements
}

/// One past the highest bit an assignment drives; 0 for other statements.
fn assigned_top(statement: &Statement) -> usize {
    match statement {
        Statement::Assign { low, width, .. } => low + width,
        Statement::If {
            then, otherwise, ..
        } => then
            .iter()
            .chain(otherwise)
            .map(assigned_top)
            .max()
            .unwrap_or(0),
        Statement::Case { arms, default, .. } => {
            let blocks = arms.iter().flat_map(|(_, block)| block);
            blocks.chain(default).map(assigned_top).max().unwrap_or(0)
        }
    }
}

/// Unconditional assignments to parts of one signal as a single one.
fn merge(statements: Vec<Statement>) -> Statement {
    let mut merged = Expr::number(0u32);
    let (mut signal, mut total) = (0, 0);
    for statement in statements {
        if let Statement::Assign {
            target,
            low,
            width,
            value,
        } = statement
        {
            merged = merged.replace_bits(low, width, value);
            signal = target;
            total = total.max(low + width);
        }
    }
    Statement::Assign {
        target: signal,
        low: 0,
        width: total,
        value: merged,
    }
}

fn check_driven(cones: &[Cone], scope: &Scope, place: &str) -> Result<(), WriteError> {
    let driven: BTreeSet<_> = cones
        .iter()
        .flat_map(|cone| cone.targets.iter().copied())
        .collect();
    let needed = cones.iter().flat_map(Cone::reads).collect::<BTreeSet<_>>();
    for (id, signal) in scope.signals.iter().enumerate() {
        let unread_local = signal.class == Class::Local && !needed.contains(&id);
        if signal.class.is_driven_here() && !driven.contains(&id) && !unread_local {
            return Err(refuse(scope, place, id, "is not driven by the kernel"));
        }
    }
    Ok(())
}

/// The cones an output or a sub-circuit depends on.
fn live(cones: Vec<Cone>, scope: &Scope) -> Vec<Cone> {
    let mut wanted: BTreeSet<SignalId> = (0..scope.signals.len())
        .filter(|&id| matches!(scope.signals[id].class, Class::Output | Class::ChildInput))
        .collect();
    loop {
        let before = wanted.len();
        for cone in &cones {
            if !cone.targets.is_disjoint(&wanted) {
                wanted.extend(cone.reads());
            }
        }
        if wanted.len() == before {
            break;
        }
    }
    cones
        .into_iter()
        .filter(|cone| !cone.targets.is_disjoint(&wanted))
        .collect()
}
