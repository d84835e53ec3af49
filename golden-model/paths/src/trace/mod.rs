//! Traces: what a program executed, edge by edge, regenerated from few records.
//!
//! An instrumented program writes a *witness* when control takes certain edges; a block with one way out needs none, and
//! neither do most of the others. Given the graphs, the trace tells the way at each *predicate* (a block with several ways out): the next witness is
//! one that this way leads to and no other.
//!
//! ```text
//!   program  --Tracer-->  Trace: witnesses as bits, and notes  --Regeneration-->  the events again
//!            Instrumentation: Witnesses for each procedure
//! ```
//!
//! | type | what it is |
//! | --- | --- |
//! | [`Program`], [`Procedure`] | graphs, and which blocks call |
//! | [`Event`], [`ActivationStack`] | an execution, and the procedures under way in it |
//! | [`Witnesses`] | which edges of a procedure write which value, in how many bits |
//! | [`Instrumentation`] | those of a program |
//! | [`Tracer`], [`Trace`] | the instrumented program and what it writes |
//! | [`Regeneration`] | the execution from its trace |
//!
//! # Which edges
//!
//! Without a witness there may be no directed cycle and no *diamond*, two ways from one block to another. The edges outside of a
//! spanning forest of maximal weight break both, and some more. With several procedures a witness that is read at a predicate must
//! come from the same call of the same procedure. So no way without a witness may lead from a predicate to a call or to
//! the exit (the *blocking* property); the witnesses that see to this are placed first, on the edges out of the last predicate before the
//! call, as far away from it as they can be.
//!
//! *Bit tracing* writes each predicate's outcome in as few bits as tell its ways apart.
//!
//! # Notes
//!
//! What the graphs do not tell and rarely happens is noted beside the witnesses: where computed calls went, and, when procedures
//! end early, what is on the activation stack at this moment.
//!
//! ```
//! use hpp_paths::graph::{Cfg, EdgeId, Weights};
//! use hpp_paths::trace::{Callee, Event, Instrumentation, Procedure, ProcedureId, Program, Regeneration, Tracer, Witnesses};
//! // main calls f in a loop; f branches.
//! let main = Cfg::from_edges([("entry", "loop"), ("loop", "loop"), ("loop", "exit")])?;
//! let f = Cfg::from_edges([("test", "then"), ("test", "exit"), ("then", "exit")])?;
//! let [main_id, f_id] = [0, 1].map(ProcedureId::new);
//! let program = Program::new(
//!     vec![
//!         Procedure::new("main", &main).calling(main.find("loop").unwrap(), Callee::Direct(f_id)),
//!         Procedure::new("f", &f),
//!     ],
//!     main_id,
//! )?;
//! let instrumentation = Instrumentation::optimal(&program, |p| Weights::heuristic(program.procedure(p).flow()));
//! let take = |edge| Event::Take(EdgeId::new(edge));
//! let call_f = |edges: &[usize]| [vec![Event::Call(f_id)], edges.iter().map(|&e| take(e)).collect(), vec![Event::Return]].concat();
//! let execution = [
//!     vec![Event::Call(main_id), take(0)], call_f(&[0, 2]), vec![take(1)], call_f(&[1]), vec![take(2), Event::Return],
//! ].concat();
//! let mut tracer = Tracer::new(&instrumentation);
//! for &event in &execution {
//!     tracer.step(event)?;
//! }
//! let trace = tracer.finish();
//! // One bit for each time control came to a predicate.
//! assert_eq!(trace.bits(), 4);
//! let regenerated: Vec<Event> = Regeneration::new(&instrumentation, &trace).collect::<Result<_, _>>()?;
//! assert_eq!(regenerated, execution);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Source: Ball and Larus, "Optimally Profiling and Tracing Programs" (1994), section 4, and 6.2 for bit tracing; *the document* in this
//! module.
mod activation;
mod blockers;
mod instrumentation;
mod program;
mod regeneration;
mod tracer;
mod values;
mod witnesses;

pub use activation::{Activation, ActivationStack, Event, ExecutionError, Next};
pub use instrumentation::{Instrumentation, NotBlocked};
pub use program::{Callee, NoSuchProcedure, Procedure, ProcedureId, Program};
pub use regeneration::{Regeneration, TraceError};
pub use tracer::{EarlyExit, Note, Trace, Tracer};
pub use witnesses::{Ambiguous, Witnesses};
