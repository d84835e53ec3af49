//! A run followed through supergraphs.
//!
//! A supergraph is followed from each call that is not inlined: its path goes on through the calls that are. With
//! [`Windows::Tiled`] that is all, as when a compiler inlines: each step of the run lies in one path, and how far a path
//! sees into callees hangs on where the last supergraph began. With [`Windows::Every`] every call begins one as well:
//! `depth + 1` are followed at a time, and each procedure's calls are seen as deep as any other's. This is the
//! thesis's second scheme (section 3.4.5), a procedure that is shared with one counter for each of its contexts.
use super::error::{Misuse, RunError};
use super::program::{Event, ProcedureId, Program};
use super::supergraph::Supergraph;
use super::supergraphs::Supergraphs;
use crate::graph::{Control, Crossing, DagEdgeId, EdgeId};

/// Which calls begin to be followed in a supergraph of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Windows {
    /// Those that are not inlined.
    Tiled,
    /// All.
    Every,
}

/// What is done along the paths of a run. Graphs are named by their procedures.
pub trait Observer {
    /// What is kept of a path under way.
    type Register;

    /// A path begins at the entry of a graph.
    fn begin(&mut self, graph: ProcedureId) -> Self::Register;

    /// It takes an edge.
    fn take(&mut self, graph: ProcedureId, register: &mut Self::Register, edge: DagEdgeId);

    /// It ends.
    fn end(&mut self, graph: ProcedureId, register: Self::Register);

    /// The run stops while it is under way.
    fn stop(&mut self, graph: ProcedureId, register: Self::Register);
}

struct Frame<'a, R> {
    graph: &'a Supergraph,
    control: Control<'a>,
    /// The copies control is in, innermost last.
    copies: Vec<usize>,
    register: Option<R>,
}

struct Activation {
    procedure: ProcedureId,
    /// The frames that follow it, the outermost first.
    frames: Vec<usize>,
    site: Option<EdgeId>,
}

/// Follows a run, and tells an observer of its paths.
pub struct Follower<'a, O: Observer> {
    program: &'a Program,
    graphs: &'a Supergraphs,
    windows: Windows,
    observer: O,
    frames: Vec<Frame<'a, O::Register>>,
    active: Vec<Activation>,
    position: u64,
}

impl<'a, O: Observer> Follower<'a, O> {
    /// Control at the entry of a procedure, with the supergraphs of this program.
    ///
    /// # Panics
    ///
    /// If the program has no such procedure.
    pub fn enter(
        program: &'a Program,
        graphs: &'a Supergraphs,
        windows: Windows,
        start: ProcedureId,
        observer: O,
    ) -> Self {
        let mut follower = Follower {
            program,
            graphs,
            windows,
            observer,
            frames: Vec::new(),
            active: Vec::new(),
            position: 0,
        };
        follower.activate(start, Vec::new());
        follower
    }

    /// Follows one event. O(frames that follow the procedure): one when tiled, at most `depth + 1` else.
    ///
    /// # Errors
    ///
    /// If the event cannot be the next of a run.
    pub fn step(&mut self, event: Event) -> Result<(), RunError> {
        match event {
            Event::Take(edge) => self.take(edge)?,
            Event::Call { site, callee } => self.call(site, callee)?,
            Event::Return => self.leave()?,
        }
        self.position += 1;
        Ok(())
    }

    /// Follows all events, and ends.
    ///
    /// # Errors
    ///
    /// At the first that cannot be the next of a run.
    pub fn run(mut self, events: impl IntoIterator<Item = Event>) -> Result<O, RunError> {
        events.into_iter().try_for_each(|event| self.step(event))?;
        Ok(self.finish())
    }

    /// The run stops here.
    pub fn finish(mut self) -> O {
        for Frame {
            graph, register, ..
        } in self.frames
        {
            let register = register.expect(UNDER_WAY);
            self.observer.stop(graph.root(), register);
        }
        self.observer
    }

    fn active(&self) -> Result<&Activation, RunError> {
        let position = self.position;
        self.active.last().ok_or(RunError::Ended { position })
    }

    fn name(&self, procedure: ProcedureId) -> String {
        self.program.procedure(procedure).name().into()
    }

    /// Begins a procedure that these frames have entered.
    fn activate(&mut self, procedure: ProcedureId, mut frames: Vec<usize>) {
        if frames.is_empty() || self.windows == Windows::Every {
            frames.push(self.frames.len());
            let graph = self.graphs.of(procedure);
            self.frames.push(Frame {
                graph,
                control: Control::enter(graph.dag()),
                copies: vec![0],
                register: Some(self.observer.begin(procedure)),
            });
        }
        self.active.push(Activation {
            procedure,
            frames,
            site: None,
        });
    }

    fn take(&mut self, edge: EdgeId) -> Result<(), RunError> {
        let procedure = self.active()?.procedure;
        if self.program.procedure(procedure).call(edge).is_some() {
            return Err(self.misused(procedure, edge, Misuse::Call));
        }
        let frames = self.active()?.frames.clone();
        for frame in frames {
            self.over(frame, procedure, edge)?;
        }
        Ok(())
    }

    fn call(&mut self, site: EdgeId, callee: ProcedureId) -> Result<(), RunError> {
        let caller = self.active()?.procedure;
        let known = callee.index() < self.program.ids().len();
        let call = self.program.procedure(caller).call(site);
        let call = call.filter(|_| known);
        if !call.is_some_and(|call| call.open || call.callees.contains(&callee)) {
            return Err(self.misused(caller, site, Misuse::NotCalled));
        }
        let mut along = Vec::new();
        for frame in self.active()?.frames.clone() {
            let Frame { graph, copies, .. } = &self.frames[frame];
            if let Some(to) = graph.inlined(*top(copies), site, callee) {
                self.cross(frame, caller, to.enter)?;
                self.frames[frame].copies.push(to.copy);
                along.push(frame);
            }
        }
        if let Some(active) = self.active.last_mut() {
            active.site = Some(site);
        }
        self.activate(callee, along);
        Ok(())
    }

    fn leave(&mut self) -> Result<(), RunError> {
        let Activation {
            procedure, frames, ..
        } = self.active()?;
        let procedure = *procedure;
        let exit = |frame: &Frame<'_, _>| {
            let &(_, block) = frame.graph.cfg().block(frame.control.block());
            block == self.program.procedure(procedure).dag().exit()
        };
        if !frames.iter().all(|&frame| exit(&self.frames[frame])) {
            return Err(RunError::Return {
                position: self.position,
                procedure: self.name(procedure),
            });
        }
        let ended = self
            .active
            .pop()
            .map(|active| active.frames)
            .unwrap_or_default();
        let caller = self.active.last_mut();
        let caller = caller.map(|a| (a.procedure, a.site.take(), a.frames.clone()));
        for &frame in ended.iter().rev() {
            if self.frames[frame].copies.len() == 1 {
                let register = self.frames.pop().and_then(|frame| frame.register);
                register
                    .into_iter()
                    .for_each(|r| self.observer.end(procedure, r));
            }
        }
        let Some((caller, Some(site), frames)) = caller else {
            return Ok(());
        };
        for frame in frames {
            if ended.contains(&frame) {
                self.frames[frame].copies.pop();
                let Frame { graph, copies, .. } = &self.frames[frame];
                let back = graph.inlined(*top(copies), site, procedure);
                self.cross(frame, caller, back.expect("it was entered").leave)?;
            } else {
                self.over(frame, caller, site)?;
            }
        }
        Ok(())
    }

    /// Takes a frame over an edge of the procedure it is in.
    fn over(&mut self, frame: usize, procedure: ProcedureId, edge: EdgeId) -> Result<(), RunError> {
        let Frame { graph, copies, .. } = &self.frames[frame];
        let own = graph.own(*top(copies), edge);
        let own = own.ok_or_else(|| self.misused(procedure, edge, Misuse::Missing))?;
        self.cross(frame, procedure, own)
    }

    /// Takes a frame over an edge of its supergraph.
    fn cross(&mut self, at: usize, procedure: ProcedureId, edge: EdgeId) -> Result<(), RunError> {
        let frame = &mut self.frames[at];
        let root = frame.graph.root();
        let crossing = match frame.control.take(edge) {
            Ok(crossing) => crossing,
            Err(error) => {
                return Err(RunError::Edge {
                    position: self.position,
                    procedure: self.name(procedure),
                    error,
                });
            }
        };
        let register = frame.register.as_mut().expect(UNDER_WAY);
        match crossing {
            Crossing::Inside(edge) => self.observer.take(root, register, edge),
            Crossing::Break { stop, start } => {
                self.observer.take(root, register, stop);
                let ended = frame.register.take().expect(UNDER_WAY);
                self.observer.end(root, ended);
                let mut register = self.observer.begin(root);
                if let Some(start) = start {
                    self.observer.take(root, &mut register, start);
                }
                frame.register = Some(register);
            }
        }
        Ok(())
    }

    fn misused(&self, procedure: ProcedureId, edge: EdgeId, wrong: Misuse) -> RunError {
        RunError::Misused {
            position: self.position,
            procedure: self.name(procedure),
            edge: edge.index(),
            wrong,
        }
    }
}

const UNDER_WAY: &str = "a path is under way in every frame";

fn top(copies: &[usize]) -> &usize {
    copies
        .last()
        .expect("a frame is in at least its first copy")
}
