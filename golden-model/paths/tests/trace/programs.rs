//! Random programs with calls, and executions of them.
use hpp_paths::graph::{BlockId, Cfg, Weights};
use hpp_paths::trace::{
    Activation, ActivationStack, Callee, Event, Next, Procedure, ProcedureId, Program,
};
use proptest::prelude::*;

use crate::random_graphs::graph;

/// Most procedures under way; at more, procedures end early.
const DEPTH: usize = 12;

/// Call sites of a procedure: the block, and the callee unless it is computed.
type Sites = Vec<(prop::sample::Index, Option<prop::sample::Index>)>;

fn sites() -> impl Strategy<Value = Sites> {
    let callee = prop::option::weighted(0.7, any::<prop::sample::Index>());
    prop::collection::vec((any::<prop::sample::Index>(), callee), 0..4)
}

/// Programs of several procedures; each may call any, itself too, from any block, several times from one.
pub fn program() -> impl Strategy<Value = Program> {
    prop::collection::vec((graph(1..9), sites()), 1..5).prop_map(|procedures| {
        let count = procedures.len();
        let procedure = |(name, (cfg, sites)): (usize, (Cfg, Sites))| {
            let mut procedure = Procedure::new(name.to_string(), &cfg);
            for (block, callee) in sites {
                let block = BlockId::new(block.index(cfg.blocks().len()));
                let callee = callee.map_or(Callee::Computed, |callee| {
                    Callee::Direct(ProcedureId::new(callee.index(count)))
                });
                procedure = procedure.calling(block, callee);
            }
            procedure
        };
        let procedures = procedures.into_iter().enumerate().map(procedure).collect();
        Program::new(procedures, ProcedureId::new(0)).expect("all callees are there")
    })
}

/// Any weights for any procedure: nobody knows how often edges run.
pub fn weights(program: &Program, values: &[f64]) -> impl Fn(ProcedureId) -> Weights {
    let flows: Vec<_> = program
        .procedures()
        .iter()
        .map(|p| p.flow().clone())
        .collect();
    let values = values.to_vec();
    move |procedure| {
        let at = |edge: usize| values[(edge + 7 * procedure.index()) % values.len()];
        Weights::from_fn(&flows[procedure.index()], |edge| at(edge.index()))
    }
}

/// An execution by these choices: which edge control takes, what is called, and now and then that procedures end early. Ends with the program, or stops where the
/// choices are used up.
pub fn execute(program: &Program, choices: &[u8]) -> Vec<Event> {
    let mut stack = ActivationStack::new(program);
    let mut events = Vec::new();
    for &choice in choices {
        let Some(event) = event(program, &stack, usize::from(choice)) else {
            return events;
        };
        stack.apply(event).expect("what comes next can be done");
        events.push(event);
    }
    if stack.next() != Next::End {
        events.push(Event::Stop);
    }
    events
}

fn event(program: &Program, stack: &ActivationStack<'_>, choice: usize) -> Option<Event> {
    let under_way = stack.activations();
    if under_way.len() > DEPTH || (!under_way.is_empty() && choice == 255) {
        let kept = 1 + choice % under_way.len();
        let &Activation { procedure, .. } = &under_way[kept - 1];
        let blocks = program.procedure(procedure).flow().blocks().len();
        let landing = BlockId::new(choice / 3 % blocks);
        return Some(Event::Escape { kept, landing });
    }
    Some(match stack.next() {
        Next::Call(Callee::Direct(callee)) => Event::Call(callee),
        Next::Call(Callee::Computed) => {
            Event::Call(ProcedureId::new(choice % program.procedures().len()))
        }
        Next::Take(edges) => Event::Take(edges[choice % edges.len()]),
        Next::Return => Event::Return,
        Next::End => return None,
    })
}
