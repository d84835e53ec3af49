//! Procedures found by following control flow from their entries.
use std::collections::{BTreeMap, BTreeSet};

use hpp_golden::branch::BranchKind;
use hpp_paths::graph::{Acyclic, BlockId, Cfg, EdgeId};
use hpp_paths::interprocedural::{Procedure, ProcedureId, Program};
use hpp_paths::petgraph::graph::DiGraph;

use super::{Body, Ending, Part, Procedures, ProceduresError, Targets, Way};
use crate::code::{Instruction, ProgramCode, Transfer};
use crate::functions::Functions;

/// Whom an edge calls: entries, and whether there may be others.
type Callees = (Vec<u64>, bool);

impl Procedures {
    /// Finds the procedures of a program, for runs that were observed. O(n log n) in the instructions of all procedures.
    ///
    /// # Errors
    ///
    /// If blocks make no graph; that of a procedure always do as far as is known.
    pub fn recover<P: ProgramCode>(
        program: &P,
        functions: &Functions,
        targets: &Targets,
    ) -> Result<Self, ProceduresError> {
        let search = Search {
            program,
            functions,
            targets,
        };
        let mut ids: BTreeMap<u64, ProcedureId> = BTreeMap::new();
        let mut work: Vec<u64> = functions.iter().map(|f| f.address).collect();
        work.retain(|&entry| program.instruction(entry).is_some());
        let mut entries = Vec::new();
        let mut found = Vec::new();
        while let Some(entry) = work.pop() {
            if ids.contains_key(&entry) {
                continue;
            }
            ids.insert(entry, ProcedureId::new(entries.len()));
            entries.push(entry);
            let (body, calls) = search.body(entry)?;
            work.extend(calls.iter().flat_map(|(_, (callees, _))| callees));
            found.push((body, calls));
        }
        let mut procedures = Vec::with_capacity(found.len());
        let mut bodies = Vec::with_capacity(found.len());
        for (body, calls) in found {
            let dag = Acyclic::depth_first(&body.cfg);
            let mut procedure = Procedure::new(search.name(body.entry), dag);
            for (edge, (callees, open)) in calls {
                for callee in callees {
                    procedure = procedure.calling(edge, ids[&callee]);
                }
                if open {
                    procedure = procedure.calling_others(edge);
                }
            }
            procedures.push(procedure);
            bodies.push(body);
        }
        Ok(Procedures {
            program: Program::new(procedures)?,
            bodies,
            entries: ids,
        })
    }
}

/// A way out of a block: where to, which way, and whom it calls.
struct Out {
    /// Another block; `None` for the exit.
    to: Option<u64>,
    way: Way,
    calls: Option<Callees>,
}

struct Search<'a, P> {
    program: &'a P,
    functions: &'a Functions,
    targets: &'a Targets,
}

impl<P: ProgramCode> Search<'_, P> {
    fn name(&self, entry: u64) -> String {
        match self.functions.at(entry) {
            Some(function) if function.address == entry => function.name.clone(),
            Some(function) => format!("{}+{:#x}", function.name, entry - function.address),
            None => format!("{entry:#x}"),
        }
    }

    /// Whether a jump from one address to another stays in its function.
    fn stays(&self, from: u64, to: u64) -> bool {
        self.functions.position(from) == self.functions.position(to)
    }

    /// The blocks reached from an entry: where each begins, and its last instruction.
    fn instructions(&self, entry: u64) -> (BTreeSet<u64>, BTreeMap<u64, Instruction>) {
        let mut leaders = BTreeSet::new();
        let mut seen = BTreeMap::new();
        let mut work = vec![entry];
        while let Some(mut pc) = work.pop() {
            if self.program.instruction(pc).is_none() || !leaders.insert(pc) {
                continue;
            }
            while let (false, Some(instruction)) =
                (seen.contains_key(&pc), self.program.instruction(pc))
            {
                seen.insert(pc, instruction);
                if let Some(transfer) = instruction.transfer {
                    let outs = self.outs(pc, instruction.next, transfer);
                    work.extend(outs.iter().filter_map(|out| out.to));
                    break;
                }
                pc = instruction.next;
            }
        }
        (leaders, seen)
    }

    /// The ways out after the transfer at `pc`.
    fn outs(&self, pc: u64, next: u64, transfer: Transfer) -> Vec<Out> {
        let code = |target: &u64| self.program.instruction(*target).is_some();
        let follows = code(&next);
        let on = |way, calls| Out {
            to: follows.then_some(next),
            way,
            calls,
        };
        match (transfer.kind, transfer.target) {
            (BranchKind::Return | BranchKind::TrapReturn, _) => vec![Out {
                to: None,
                way: Way::Return,
                calls: None,
            }],
            (BranchKind::Call, Some(target)) => {
                let known = code(&target);
                let callees = known.then_some(target).into_iter().collect();
                vec![self.calls(pc, on(Way::Call, Some((callees, !known))))]
            }
            (BranchKind::Call | BranchKind::IndirectCall, _) => {
                let callees = self.targets.calls(next).filter(code).collect();
                vec![self.calls(pc, on(Way::Call, Some((callees, true))))]
            }
            (_, Some(target)) => {
                let mut outs = vec![self.jump(pc, target, Way::Taken(target))];
                if transfer.conditional {
                    outs.push(on(Way::Next, None));
                }
                outs
            }
            (_, None) => self.table(pc, next),
        }
    }

    /// A call at the end of its function does not come back.
    fn calls(&self, pc: u64, out: Out) -> Out {
        Out {
            to: out.to.filter(|&next| self.stays(pc, next)),
            ..out
        }
    }

    fn jump(&self, pc: u64, target: u64, way: Way) -> Out {
        let known = self.program.instruction(target).is_some();
        let stays = known && self.stays(pc, target);
        Out {
            to: stays.then_some(target),
            way,
            calls: (known && !stays).then(|| (vec![target], false)),
        }
    }

    /// The cases of a jump table, and the tail calls of a computed jump.
    fn table(&self, pc: u64, next: u64) -> Vec<Out> {
        let code = |target: &u64| self.program.instruction(*target).is_some();
        let targets = self.targets.jumps(next).filter(code);
        let (cases, callees): (Vec<_>, Vec<_>) = targets.partition(|&to| self.stays(pc, to));
        let elsewhere = (cases.is_empty() || !callees.is_empty()).then_some(Out {
            to: None,
            way: Way::Elsewhere,
            calls: Some((callees, true)),
        });
        let cases = cases.into_iter().map(|to| self.jump(pc, to, Way::Case(to)));
        cases.chain(elsewhere).collect()
    }

    /// The block that begins at an address, and the ways out of it.
    fn part(
        &self,
        start: u64,
        leaders: &BTreeSet<u64>,
        seen: &BTreeMap<u64, Instruction>,
    ) -> (Part, Vec<Out>) {
        let mut pc = start;
        loop {
            let Instruction { next, transfer } = seen[&pc];
            let part = |ending| Part {
                start,
                end: next,
                ending,
            };
            let on = |to| Out {
                to,
                way: Way::Next,
                calls: None,
            };
            match transfer {
                Some(transfer) => {
                    return (part(ending(transfer)), self.outs(pc, next, transfer));
                }
                None if leaders.contains(&next) => {
                    return (part(Ending::Fall), vec![on(Some(next))]);
                }
                None if !seen.contains_key(&next) => return (part(Ending::Dead), vec![on(None)]),
                None => pc = next,
            }
        }
    }

    /// A procedure, and the calls on its edges.
    fn body(&self, entry: u64) -> Result<(Body, Vec<(EdgeId, Callees)>), ProceduresError> {
        let (leaders, seen) = self.instructions(entry);
        let mut graph = DiGraph::new();
        let mut blocks: BTreeMap<u64, BlockId> = BTreeMap::new();
        let mut outs = Vec::new();
        for &start in &leaders {
            let (part, out) = self.part(start, &leaders, &seen);
            blocks.insert(start, graph.add_node(Some(part)));
            outs.push(out);
        }
        let exit = graph.add_node(None);
        let mut calls = Vec::new();
        for (from, out) in leaders.iter().zip(outs) {
            for out in out {
                let to = out.to.map_or(exit, |to| blocks[&to]);
                let edge = graph.add_edge(blocks[from], to, out.way);
                calls.extend(out.calls.map(|callees| (edge, callees)));
            }
        }
        let name = |_, part: &Option<Part>| match part {
            Some(part) => format!("{:#x}", part.start),
            None => crate::graph::EXIT.into(),
        };
        let cfg = Cfg::named(graph, blocks[&entry], exit, name);
        let cfg = cfg.map_err(|error| ProceduresError::Graph {
            procedure: self.name(entry),
            error,
        })?;
        Ok((Body { entry, cfg, blocks }, calls))
    }
}

const fn ending(transfer: Transfer) -> Ending {
    match transfer.kind {
        BranchKind::Call | BranchKind::IndirectCall => Ending::Call,
        BranchKind::Return | BranchKind::TrapReturn => Ending::Return,
        BranchKind::Indirect => Ending::Indirect,
        _ if transfer.conditional => Ending::Branch,
        _ => Ending::Jump,
    }
}
