//! Random programs with calls, and executions of them.
use hpp_paths::graph::{Acyclic, BlockId, Cfg, EdgeId, Weights};
use hpp_paths::interprocedural::{Event, Procedure, ProcedureId, Program};
use hpp_paths::trace::{Activation, ActivationStack, Next, Step};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::random_graphs::graph;

/// Most procedures under way; at more, procedures end early.
const DEPTH: usize = 12;

/// Where every program begins.
pub fn start() -> ProcedureId {
    ProcedureId::new(0)
}

/// Calls of a procedure: the edge, a callee, and whether there may be others.
type Calls = Vec<(Index, Index, bool)>;

fn calls() -> impl Strategy<Value = Calls> {
    let call = (any::<Index>(), any::<Index>(), prop::bool::weighted(0.3));
    prop::collection::vec(call, 0..5)
}

/// Programs of several procedures; each may call any, itself too, on any edge.
pub fn program() -> impl Strategy<Value = Program> {
    prop::collection::vec((graph(1..9), calls()), 1..5).prop_map(|procedures| {
        let count = procedures.len();
        let procedure = |(name, (cfg, calls)): (usize, (Cfg, Calls))| {
            let mut procedure = Procedure::new(name.to_string(), Acyclic::depth_first(&cfg));
            let edges = cfg.edges().len();
            for (edge, callee, open) in calls.into_iter().filter(|_| edges > 0) {
                let site = EdgeId::new(edge.index(edges));
                procedure = procedure.calling(site, ProcedureId::new(callee.index(count)));
                if open {
                    procedure = procedure.calling_others(site);
                }
            }
            procedure
        };
        let procedures = procedures.into_iter().enumerate().map(procedure);
        Program::new(procedures.collect()).expect("all callees are there")
    })
}

/// Any weights for any procedure: nobody knows how often edges run.
pub fn weights(program: &Program, values: &[f64]) -> impl Fn(ProcedureId) -> Weights {
    let (program, values) = (program.clone(), values.to_vec());
    move |id| {
        let at = |edge: EdgeId| values[(edge.index() + 7 * id.index()) % values.len()];
        Weights::from_fn(program.procedure(id).dag().flow(), at)
    }
}

/// An execution by these choices: which edge control takes, what is called, and now and then that procedures end
/// early. Ends with the program, or stops where the choices are used up.
pub fn execute(program: &Program, choices: &[u8]) -> Vec<Step> {
    let mut stack = ActivationStack::enter(program, start());
    let mut steps = Vec::new();
    for &choice in choices {
        let Some(step) = step(program, &stack, usize::from(choice)) else {
            return steps;
        };
        stack.apply(step).expect("what comes next can be done");
        steps.push(step);
    }
    if stack.next() != Next::End {
        steps.push(Step::Stop);
    }
    steps
}

fn step(program: &Program, stack: &ActivationStack<'_>, choice: usize) -> Option<Step> {
    let under_way = stack.activations();
    let &Activation { procedure, .. } = stack.top()?;
    if under_way.len() > DEPTH || choice == 255 {
        let kept = 1 + choice % under_way.len();
        let flow = program
            .procedure(under_way[kept - 1].procedure)
            .dag()
            .flow();
        let landing = BlockId::new(choice / 3 % flow.blocks().len());
        return Some(Step::Escape { kept, landing });
    }
    let event = match stack.next() {
        Next::Edge(edges) => {
            let edge = edges[choice % edges.len()];
            match program.procedure(procedure).call(edge) {
                None => Event::Take(edge),
                Some(call) => {
                    let callee = match call.open {
                        true => ProcedureId::new(choice % program.ids().len()),
                        false => call.callees[choice / 2 % call.callees.len()],
                    };
                    Event::Call { site: edge, callee }
                }
            }
        }
        Next::Return => Event::Return,
        Next::End => return None,
    };
    Some(event.into())
}
