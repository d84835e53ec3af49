//! Interprocedural path profiling: paths that go on through calls.
//!
//! A [`Program`] is procedures, each a graph some of whose edges are calls. A [`Supergraph`] is a procedure with the
//! procedures it calls inlined to a depth, so that a path across calls is a path of one graph, which every numbering
//! of this crate takes. Truncation keeps what matters when it has too many of them, and preferential numbering makes the
//! numbers of those that matter small.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`program`] | procedures, calls, the events of a run |
//! | [`inlining`] | which calls are inlined |
//! | [`supergraph`] | a procedure with its callees inlined |
//! | [`supergraphs`] | those of all procedures of a program |
//! | [`run`], [`error`] | a run followed through supergraphs; why events are not a run |
//! | [`profile`] | how often each path ran, exactly |
//! | [`segments`](mod@segments) | path segments of a whole program path |
//!
//! From Vaswani's thesis, section 3.4. Its pipeline, step by step: the calls that runs made are observed
//! ([`Inlining::observed`]) and inlined ([`Supergraphs::build`]); what the same runs take in the supergraphs
//! ([`PathProfile`]) is interesting; [`Supergraph::truncated`] leaves those paths whole; and
//! [`Preferential`](crate::numbering::Preferential) numbers them. [`residual`](crate::residual) does all of it.
pub mod error;
pub mod inlining;
pub mod profile;
pub mod program;
pub mod run;
pub mod segments;
pub mod supergraph;
pub mod supergraphs;

pub use error::{Misuse, RunError};
pub use inlining::Inlining;
pub use profile::PathProfile;
pub use program::{Call, Event, Procedure, ProcedureId, Program, ProgramError};
pub use run::{Follower, Observer, Windows};
pub use segments::{Token, segments};
pub use supergraph::{Context, Link, Supergraph};
pub use supergraphs::Supergraphs;
