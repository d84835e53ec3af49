//! Edge and block profiles from few counters: their placement, their cost, and how the rest is recovered.
//!
//! A *block profile* says how often each block ran, an *edge profile* how often each edge did. Neither needs a
//! counter everywhere, because flow is conserved (Kirchhoff's law): the flow into a block equals the flow out of
//! it. There are three problems, in the notation of the literature *what is profiled (where the counters are)*:
//!
//! | problem | type | what has no counter | optimal |
//! | --- | --- | --- | --- |
//! | Eprof(Ecnt) | [`EdgeCounters`] | a maximal spanning tree of the graph | yes |
//! | Vprof(Ecnt) | [`PrunedEdgeCounters`] | the same, and edges that close cycles without a pipe | a heuristic; any placement is decided |
//! | Vprof(Vcnt) | [`BlockCounters`] | a maximal spanning tree of the graph of ports | yes |
//!
//! Each has [`CounterPlaces`], at which an execution counts ([`Counters`]), and recovers a profile from the counts:
//! an [`EdgeProfile`] or a [`BlockProfile`].
//!
//! # One graph, three placements
//!
//! Figure 4 of the document, with its weights:
//!
//! ```
//! use hpp_paths::counters::{BlockCounters, EdgeCounters, PrunedEdgeCounters};
//! use hpp_paths::graph::{Cfg, Weights};
//! let edges = [
//!     ("a", "b", 3), ("a", "f", 3), ("b", "c", 43), ("b", "e", 10), ("c", "d", 22), ("c", "e", 21), ("d", "e", 22),
//!     ("e", "b", 50), ("e", "f", 3), ("f", "g", 3), ("f", "h", 3), ("g", "EXIT", 3), ("h", "EXIT", 3),
//! ];
//! let cfg = Cfg::from_edges(edges.map(|(from, to, _)| (from, to)))?;
//! let weights = Weights::from_fn(&cfg, |edge| f64::from(edges[edge.index()].2));
//! // Vprof(Vcnt): 53 + 43 + 22 + 2 x 3, in the blocks b, c, d, g and h.
//! let blocks = BlockCounters::optimal(&cfg, &weights);
//! assert_eq!(blocks.places().cost(&weights), 124.0);
//! // Eprof(Ecnt): 22 + 21 + 10 + 3 x 3.
//! let edges = EdgeCounters::optimal(&cfg, &weights);
//! assert_eq!(edges.places().cost(&weights), 62.0);
//! // Vprof(Ecnt): the counter of e -> f is not needed for the blocks.
//! let fewer = PrunedEdgeCounters::heuristic(&cfg, &weights);
//! assert_eq!(fewer.places().cost(&weights), 59.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Early exits
//!
//! A procedure that ends elsewhere than at its exit (`longjmp`, an exception, the end of the program) breaks the law.
//! What is on the activation stack then repairs it: each procedure that ends at block `v` counts an edge `v -> EXIT`,
//! which takes the flow out of `v`. [`Counters::call`] does so by itself; a real program calls
//! [`Counters::exit_early`] from the handler.
//!
//! # Jumps between procedures
//!
//! A jump with a known target, from a block of one procedure to a block of another, is an edge in both graphs: from
//! the block to the exit in the first, from the entry to the block in the second. It counts as a call of the
//! second.
//! Each graph conserves flow, and its placement decides which of them gets a counter:
//!
//! ```
//! use hpp_paths::counters::EdgeCounters;
//! use hpp_paths::graph::{Cfg, EdgeId, Weights};
//! // f jumps from its block b into the midst of g, to d.
//! let f = Cfg::from_edges([("f", "b"), ("f", "c"), ("b", "EXIT"), ("c", "EXIT")])?;
//! let g = Cfg::from_edges([("ENTRY", "g"), ("ENTRY", "d"), ("g", "d"), ("d", "EXIT")])?;
//! let [in_f, in_g] = [&f, &g].map(|cfg| EdgeCounters::optimal(cfg, &Weights::uniform(cfg)));
//! let [mut of_f, mut of_g] = [&in_f, &in_g].map(|counters| counters.places().counters());
//! // A call of f that jumps, one that does not, and a call of g.
//! of_f.call(&[0, 2].map(EdgeId::new))?;
//! of_g.call(&[1, 3].map(EdgeId::new))?;
//! of_f.call(&[1, 3].map(EdgeId::new))?;
//! of_g.call(&[0, 2, 3].map(EdgeId::new))?;
//! let jump = (in_f.profile(&of_f)?.edge(EdgeId::new(2)), in_g.profile(&of_g)?.edge(EdgeId::new(1)));
//! assert_eq!(jump, (1, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Source: Ball and Larus, "Optimally Profiling and Tracing Programs" (1994), section 3; *the document* in this module.
mod block_counters;
mod circulation;
mod edge_counters;
mod places;
mod profile;
mod pruned;

pub use block_counters::BlockCounters;
pub use edge_counters::{EdgeCounters, Undetermined};
pub use places::{CounterPlaces, Counters};
pub use profile::{BlockProfile, EdgeProfile, InconsistentCounts};
pub use pruned::PrunedEdgeCounters;
