//! Signals that a kernel assigns together: one is computed from an intermediate value of another.

use std::collections::{BTreeMap, BTreeSet};

use crate::verilog::WriteError;
use crate::verilog::tree::expr::{Expr, SignalId};
use crate::verilog::tree::scope::{Scope, refuse};
use crate::verilog::tree::statement::Statement;

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
                Statement::Comment(_) => {}
                Statement::Assign(target, value) => self.assign(*target, value, tests),
                Statement::If(test, ..) | Statement::Case(test, ..) => {
                    self.test(test, tests);
                    let blocks = statement.blocks().into_iter();
                    blocks.for_each(|block| self.walk(block, tests));
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

/// The sets of signals that must share a block, in order of their first signal.
///
/// # Errors
/// A signal that depends on itself.
pub fn groups(
    statements: &[Statement],
    scope: &Scope,
    place: &str,
) -> Result<Vec<BTreeSet<SignalId>>, WriteError> {
    let mut flow = Flow::default();
    flow.walk(statements, &mut Vec::new());
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
    let mut groups: Vec<_> = groups.into_values().collect();
    let first = |group: &BTreeSet<SignalId>| group.iter().map(|id| flow.span[id].0).min();
    groups.sort_by_key(first);
    Ok(groups)
}
