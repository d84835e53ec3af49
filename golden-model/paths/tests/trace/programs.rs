//! Random programs with calls, and executions of them.
use hpp_paths::graph::{BlockId, EdgeId, Weights};
use hpp_paths::interprocedural::{Event, ProcedureId, Program};
use hpp_paths::trace::{Activation, ActivationStack, Next, Step};
use proptest::prelude::*;

/// Most procedures under way; at more, procedures end early.
const DEPTH: usize = 12;

pub fn start() -> ProcedureId {
    ProcedureId::new(0)
}

pub fn program() -> impl Strategy<Value = Program> {
    crate::random_calls::program(1..9)
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
        let remaining = 1 + choice % under_way.len();
        let landed = program.procedure(under_way[remaining - 1].procedure);
        let flow = landed.dag().flow();
        let landing = BlockId::new(choice / 3 % flow.blocks().len());
        return Some(Step::Escape { remaining, landing });
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
