//! Traces: what a program executed, edge by edge, regenerated from few records.
//!
//! An instrumented program writes a *witness* when control takes certain edges. A block with one way out needs
//! none, and neither do most others. With the graphs, the trace determines the way taken at each *predicate* (a
//! block with several ways out): only that way leads to the next witness.
//!
//! ```text
//!   program  --Tracer-->  Trace: witnesses as bits, and notes  --Regeneration-->  the steps again
//!            Instrumentation: Witnesses for each procedure
//! ```
//!
//! | type | what it is |
//! | --- | --- |
//! | [`Program`](crate::interprocedural::Program) | graphs of procedures, and which edges call |
//! | [`Step`], [`ActivationStack`] | an execution, and the procedures under way in it |
//! | [`Witnesses`] | which edges of a procedure write which value, in how many bits |
//! | [`Instrumentation`] | those of a program |
//! | [`Tracer`], [`Trace`] | the instrumented program and what it writes |
//! | [`Regeneration`] | the execution from its trace |
//! | [`bytes`] | traces as bytes |
//!
//! # Which edges
//!
//! Without a witness there may be no directed cycle and no *diamond*, two ways from one block to another. The edges
//! outside of a spanning forest of maximal weight break both, and some more. With several procedures a witness that
//! is read at a predicate must come from the same call of the same procedure. So no way without a witness may lead
//! from a predicate to a call or to the exit (the *blocking* property). The witnesses for this are placed first, on
//! the edges out of the last predicate before the call, as far from the call as possible.
//!
//! *Bit tracing* writes each predicate's outcome in as few bits as distinguish its ways.
//!
//! # Notes
//!
//! Notes record what graphs and witnesses do not determine: the callee of a call that has several, and the
//! activation stack when procedures end early.
//!
//! ```
//! use hpp_paths::graph::{Acyclic, Cfg, EdgeId, Weights};
//! use hpp_paths::interprocedural::{Event, Procedure, ProcedureId, Program};
//! use hpp_paths::trace::{Instrumentation, Regeneration, Step, Tracer};
//! // main calls f in a loop, on the edge from call to test; f branches.
//! let main = Cfg::from_edges([("entry", "call"), ("call", "test"), ("test", "call"), ("test", "exit")])?;
//! let f = Cfg::from_edges([("test", "then"), ("test", "exit"), ("then", "exit")])?;
//! let [main_id, callee] = [0, 1].map(ProcedureId::new);
//! let site = EdgeId::new(1);
//! let program = Program::new(vec![
//!     Procedure::new("main", Acyclic::depth_first(&main)).calling(site, callee),
//!     Procedure::new("f", Acyclic::depth_first(&f)),
//! ])?;
//! let weights = |id| Weights::heuristic(program.procedure(id).dag().flow());
//! let instrumentation = Instrumentation::optimal(&program, weights);
//! let take = |edge| Event::Take(EdgeId::new(edge));
//! let execution = [
//!     take(0), Event::Call { site, callee }, take(0), take(2), Event::Return,
//!     take(2), Event::Call { site, callee }, take(1), Event::Return, take(3), Event::Return,
//! ].map(Step::from);
//! let trace = Tracer::trace(&instrumentation, main_id, execution)?;
//! // One bit for each time control came to a block with two ways out.
//! assert_eq!(trace.bits(), 4);
//! let regenerated: Vec<Step> = Regeneration::new(&instrumentation, &trace).collect::<Result<_, _>>()?;
//! assert_eq!(regenerated, execution);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Source: Ball and Larus, "Optimally Profiling and Tracing Programs" (1994), section 4, and 6.2 for bit tracing;
//! *the document* in this module.
mod activation;
pub mod bytes;
mod instrumentation;
mod regeneration;
mod tracer;
mod values;
mod witnesses;

pub use activation::{Activation, ActivationStack, ExecutionError, Next, Step};
pub use bytes::TraceBytesError;
pub use instrumentation::{Instrumentation, NotBlocked};
pub use regeneration::{Regeneration, TraceError};
pub use tracer::{EarlyExit, Note, Trace, Tracer};
pub use witnesses::{Ambiguous, Witnesses};
