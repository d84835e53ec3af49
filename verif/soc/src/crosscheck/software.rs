//! The software path profiler: it follows a run's branch records through the graphs of a program's functions and adds
//! edge values, as an instrumented program would.
//!
//! It shares the records with the path stack, and the decoder that made them with the graphs, and nothing else, so that one can be checked
//! against the other. Every
//! procedure under way has a frame with the block control is in and the path sum so far. A branch takes an edge of the
//! graph and adds its value; at the end of a path the sum is counted under the function the path began in, and the
//! next path begins with the value of its start. The kind and the target of each record must be those of the block's
//! branch; anything else is an error, because then program, records or graphs do not belong together.
//!
//! Two limits of the hardware are the profiler's too ([`Limits`]): a path that is as long as it may be is split, and
//! with as many procedures under way as there may be, the oldest is forgotten.
//!
//! Source: Ball and Larus, "Efficient Path Profiling", section 3.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;
use thiserror::Error;

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_golden::profiler::BackwardNotTaken;
use hpp_paths::Number;
use hpp_paths::numbering::EdgeValues;
use hpp_riscv::ProgramCode;
use hpp_riscv::{Blocks, Exit, FunctionGraph, Functions, GraphError, Observed, Place, Starts};

/// How the paths of a run are bounded and where they break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    pub max_branches: u32,
    pub depth: usize,
    /// Whether a backward branch that is not taken ends a path.
    pub backward_not_taken: BackwardNotTaken,
}

impl Limits {
    /// Those of a hardware profiler.
    pub const fn of(geometry: &Geometry, backward_not_taken: BackwardNotTaken) -> Self {
        Self {
            max_branches: geometry.max_branches,
            depth: geometry.stack_depth as usize,
            backward_not_taken,
        }
    }

    const fn breaks(&self, record: &BranchRecord) -> bool {
        match record.kind {
            BranchKind::Backward => {
                record.taken || matches!(self.backward_not_taken, BackwardNotTaken::AsBackward)
            }
            BranchKind::Indirect => true,
            _ => false,
        }
    }
}

/// Procedures under way, innermost last; beyond a depth the outermost is forgotten.
#[derive(Clone, Debug)]
struct Frames<T> {
    frames: VecDeque<T>,
    depth: usize,
}

impl<T> Frames<T> {
    fn new(depth: usize) -> Self {
        Self {
            frames: VecDeque::new(),
            depth,
        }
    }

    fn push(&mut self, frame: T) {
        if self.frames.len() == self.depth {
            self.frames.pop_front();
        }
        self.frames.push_back(frame);
    }
}

/// Where the paths of a run begin and are split, for the recovery of graphs that have all of them: the target of the
/// first record, of calls, traps and indirect jumps, of returns that leave the procedure the run began in, and of
/// branches that make a path as long as it may be. Linear.
pub fn observe<'a>(
    records: impl IntoIterator<Item = &'a BranchRecord>,
    limits: &Limits,
) -> Observed {
    let mut run = Observed::default();
    let mut lengths = Frames::new(limits.depth);
    for record in records {
        let begins = match (record.kind, lengths.frames.back_mut()) {
            (_, None) | (BranchKind::Call | BranchKind::IndirectCall | BranchKind::Trap, _) => {
                lengths.push(0);
                true
            }
            (BranchKind::Return | BranchKind::TrapReturn, _) => {
                lengths.frames.pop_back();
                let outermost = lengths.frames.is_empty();
                if outermost {
                    lengths.push(0);
                }
                outermost
            }
            (_, Some(length)) if limits.breaks(record) => {
                *length = 0;
                record.kind == BranchKind::Indirect
            }
            (_, Some(length)) => {
                *length += 1;
                let splits = *length == limits.max_branches;
                if splits {
                    *length = 0;
                    run.splits.insert((record.next, record.taken));
                }
                splits
            }
        };
        if begins {
            run.starts.insert(record.target);
        }
    }
    run
}

#[derive(Clone, Debug)]
pub struct ProfiledFunction {
    pub name: String,
    pub graph: FunctionGraph,
}

/// The graphs of the functions of a program, with every path of one run.
#[derive(Clone, Debug)]
pub struct ProfiledProgram {
    functions: Functions,
    limits: Limits,
    graphs: Vec<Option<ProfiledFunction>>,
}

impl ProfiledProgram {
    /// Recovers the graphs of all functions that have code, for a run that was [observed](observe) under these limits.
    ///
    /// # Errors
    ///
    /// If a function has no graph.
    pub fn recover<P: ProgramCode>(
        program: &P,
        functions: &Functions,
        run: Observed,
        limits: Limits,
    ) -> Result<Self, GraphError> {
        let blocks = Blocks::recover(program, functions, &Starts::Observed(run));
        let graphs = functions.iter().map(|function| {
            if blocks.at(function.address).is_none() {
                return Ok(None);
            }
            let graph =
                FunctionGraph::new(&blocks, functions, function, limits.backward_not_taken)?;
            Ok(Some(ProfiledFunction {
                name: function.name.clone(),
                graph,
            }))
        });
        Ok(Self {
            graphs: graphs.collect::<Result<_, GraphError>>()?,
            functions: functions.clone(),
            limits,
        })
    }

    /// The function at this position among the program's [`Functions`], if it has code.
    pub fn function(&self, position: usize) -> Option<&ProfiledFunction> {
        self.graphs.get(position)?.as_ref()
    }

    /// The limits its paths were observed under.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The position of the function that a path beginning at `address` belongs to.
    pub fn owner(&self, address: u64) -> Option<usize> {
        self.functions.position(address)
    }
}

/// Why a record does not fit the graphs.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Mismatch {
    /// A path begins at a place that is no start of any function.
    #[error("a path begins at {0:#x}, where no function of the program has a start")]
    NoStart(u64),
    /// The block does not end with the record's branch.
    #[error(
        "a {kind} record to {target:#x} arrives in block {block} of `{function}`, which ends with {exit}"
    )]
    Kind {
        kind: BranchKind,
        target: u64,
        function: String,
        block: String,
        exit: Exit,
    },
}

#[derive(Clone, Debug)]
struct Frame {
    function: usize,
    place: Place,
    sum: Number,
}

/// How often paths were counted, by the position of the function and the path sum.
pub type PathCounts = FxHashMap<(usize, Number), u64>;

/// Edge values of each function, by its position. Functions without values have the value 0 on every edge.
pub type Values = [Option<EdgeValues>];

/// The profiler. A step takes time proportional to the blocks it passes.
#[derive(Clone, Debug)]
pub struct SoftwareProfiler<'a> {
    program: &'a ProfiledProgram,
    values: &'a Values,
    stack: Frames<Frame>,
    counts: PathCounts,
}

impl<'a> SoftwareProfiler<'a> {
    /// A profiler that has seen no record.
    pub fn new(program: &'a ProfiledProgram, values: &'a Values) -> Self {
        Self {
            program,
            values,
            stack: Frames::new(program.limits.depth),
            counts: PathCounts::default(),
        }
    }

    /// The counts so far; paths under way are not among them.
    pub fn into_counts(self) -> PathCounts {
        self.counts
    }

    /// Follows one record.
    ///
    /// # Errors
    ///
    /// If the record is not that of the branch control is at.
    pub fn step(&mut self, record: &BranchRecord) -> Result<(), Mismatch> {
        match record.kind {
            _ if self.stack.frames.is_empty() => self.begin(record.target),
            BranchKind::Call | BranchKind::IndirectCall | BranchKind::Trap => {
                self.begin(record.target)
            }
            BranchKind::Forward | BranchKind::Backward | BranchKind::Indirect => {
                if self.branch(record)? {
                    self.stack.frames.pop_back();
                    self.begin(record.target)?;
                }
                Ok(())
            }
            BranchKind::Return | BranchKind::TrapReturn => {
                if !self.branch(record)? {
                    return Err(self.mismatch(record));
                }
                self.stack.frames.pop_back();
                if self.stack.frames.is_empty() {
                    self.begin(record.target)?;
                }
                Ok(())
            }
        }
    }

    /// Pushes the frame of a path that begins at `address`.
    fn begin(&mut self, address: u64) -> Result<(), Mismatch> {
        let no_start = || Mismatch::NoStart(address);
        let position = self.program.owner(address).ok_or_else(no_start)?;
        let function = self.program.function(position).ok_or_else(no_start)?;
        let start = function.graph.starts().get(&address).ok_or_else(no_start)?;
        let block = function.graph.find(address).ok_or_else(no_start)?;
        let sum = match (start, &self.values[position]) {
            (Some(edge), Some(values)) => values.get(*edge).clone(),
            _ => Number::ZERO,
        };
        self.stack.push(Frame {
            function: position,
            place: Place { block, length: 0 },
            sum,
        });
        Ok(())
    }

    /// Takes the top frame over the record's branch; whether its path ended there (it is then counted).
    fn branch(&mut self, record: &BranchRecord) -> Result<bool, Mismatch> {
        while let Some(Exit::Fall) = self.exit() {
            if self.take(None, record)? {
                return Err(self.mismatch(record));
            }
        }
        let outcome = match (record.kind, self.exit()) {
            (kind, Some(Exit::Jump { kind: k, target }))
                if kind == k && record.taken && record.target == target =>
            {
                Some(true)
            }
            (kind, Some(Exit::Branch { kind: k, target }))
                if kind == k && (!record.taken || record.target == target) =>
            {
                Some(record.taken)
            }
            (BranchKind::Indirect, Some(Exit::Computed(BranchKind::Indirect))) => Some(true),
            (kind, Some(Exit::Computed(k))) if kind == k => None,
            _ => return Err(self.mismatch(record)),
        };
        self.take(outcome, record)
    }

    /// How the block of the top frame ends.
    fn exit(&self) -> Option<Exit> {
        let frame = self.stack.frames.back()?;
        let function = self.program.function(frame.function)?;
        function
            .graph
            .code(frame.place.block)
            .map(|block| block.exit)
    }

    /// Takes the top frame over the edge with this outcome; whether its path ended there.
    fn take(&mut self, outcome: Option<bool>, record: &BranchRecord) -> Result<bool, Mismatch> {
        let limit = self.program.limits.max_branches;
        let step = self.stack.frames.back_mut().and_then(|frame| {
            let function = self.program.function(frame.function)?;
            let step = function.graph.take(&mut frame.place, outcome, limit)?;
            if let Some(values) = &self.values[frame.function] {
                frame.sum += values.get(step.edge);
            }
            if step.ends {
                let path = (frame.function, core::mem::take(&mut frame.sum));
                *self.counts.entry(path).or_default() += 1;
            }
            Some(step.ends)
        });
        step.ok_or_else(|| self.mismatch(record))
    }

    fn mismatch(&self, record: &BranchRecord) -> Mismatch {
        let place = self.stack.frames.back().and_then(|frame| {
            let function = self.program.function(frame.function)?;
            let block = function.graph.cfg().name(frame.place.block).into();
            Some((function.name.clone(), block))
        });
        let (function, block) = place.unwrap_or_default();
        Mismatch::Kind {
            kind: record.kind,
            target: record.target,
            function,
            block,
            exit: self.exit().unwrap_or(Exit::Dead),
        }
    }
}
