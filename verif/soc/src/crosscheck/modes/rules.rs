//! What a branch does to its path, in terms of a software profiler.
//!
//! Source: Vaswani's thesis, section 5.2 with tables 5.1 and 5.2; `docs/behaviour.md`.

use hpp_golden::branch::BranchKind;
use hpp_golden::profiler::{BackwardNotTaken, Extension, ResetValues, Rows};

/// What a path is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paths {
    /// From a function's entry or a loop head to a back edge or a return; callees have paths of their own.
    BallLarus(BackwardNotTaken),
    /// The same, and calls end paths too: one path after another, as a whole program path strings them together.
    WholeProgram,
    /// Ball-Larus paths that go on across at most so many back edges.
    AcrossLoops(u8),
    /// Ball-Larus paths that go on through direct calls, at most so many deep.
    AcrossCalls(u8),
}

/// A setting of the control register, and what it makes of paths.
#[derive(Clone, Copy, Debug)]
pub struct Mode {
    /// As it is printed.
    pub name: &'static str,
    /// What a path is.
    pub paths: Paths,
    /// Rows and modes after reset.
    pub reset: ResetValues,
}

impl Mode {
    /// Ball-Larus paths, in one setting of the backward-not-taken bit.
    pub fn ball_larus(backward_not_taken: BackwardNotTaken) -> Self {
        let name = match backward_not_taken {
            BackwardNotTaken::AsForward => "Ball-Larus, as forward",
            BackwardNotTaken::AsBackward => "Ball-Larus, as backward",
        };
        Self::of(name, Paths::BallLarus(backward_not_taken))
    }

    /// Every mode: Ball-Larus rows in both settings of the backward-not-taken bit, the rows of whole program paths, and each of
    /// the two extensions across one boundary.
    pub fn all() -> [Self; 5] {
        [
            Self::ball_larus(BackwardNotTaken::AsForward),
            Self::ball_larus(BackwardNotTaken::AsBackward),
            Self::of("whole program paths", Paths::WholeProgram),
            Self::of("loop extension, 1", Paths::AcrossLoops(1)),
            Self::of("procedure extension, 1", Paths::AcrossCalls(1)),
        ]
    }

    /// The mode of these paths.
    pub fn of(name: &'static str, paths: Paths) -> Self {
        let mut reset = ResetValues {
            enable: true,
            ..ResetValues::default()
        };
        match paths {
            Paths::BallLarus(setting) => reset.backward_not_taken = setting,
            Paths::WholeProgram => reset.rows = Rows::WHOLE_PROGRAM_PATH,
            Paths::AcrossLoops(most) => {
                (reset.extension, reset.max_extension) = (Extension::Loop, most);
            }
            Paths::AcrossCalls(most) => {
                (reset.extension, reset.max_extension) = (Extension::Procedure, most);
            }
        }
        Self { name, paths, reset }
    }
}

/// Where control is on a path: the path goes on from here in one way for each outcome.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// Address of the next instruction.
    pub address: u64,
    /// Back edges the path has crossed, or calls it is inside of.
    pub extension: u8,
    /// Where the calls that it is inside of return to, the innermost last.
    pub returns: Vec<u64>,
}

impl Place {
    /// Where the path of a procedure begins that is entered at this address.
    pub const fn entry(address: u64) -> Self {
        Self {
            address,
            extension: 0,
            returns: Vec::new(),
        }
    }
}

/// What a branch does to the path it is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The path goes on.
    Goes,
    /// The path goes on across a back edge.
    Crosses,
    /// The path goes on in the callee.
    Descends,
    /// The path goes on where its callee was called.
    Ascends,
    /// The path ends, and the next of this procedure begins.
    Ends,
    /// The path waits, while a procedure is entered that has paths of its own.
    Waits,
    /// The path ends, and with it its procedure.
    Leaves,
}

impl Paths {
    /// What a branch does to a path that has extended so far.
    pub fn effect(self, kind: BranchKind, taken: bool, extension: u8) -> Effect {
        match kind {
            BranchKind::Forward => Effect::Goes,
            BranchKind::Backward if !taken && !self.falls_backward() => Effect::Goes,
            BranchKind::Backward => match self {
                Paths::AcrossLoops(most) if extension < most => Effect::Crosses,
                _ => Effect::Ends,
            },
            BranchKind::Indirect => Effect::Ends,
            BranchKind::Call | BranchKind::IndirectCall if self == Paths::WholeProgram => {
                Effect::Ends
            }
            BranchKind::Call => match self {
                Paths::AcrossCalls(most) if extension < most => Effect::Descends,
                _ => Effect::Waits,
            },
            BranchKind::IndirectCall | BranchKind::Trap => Effect::Waits,
            BranchKind::Return if self == Paths::WholeProgram => Effect::Ends,
            BranchKind::Return => match self {
                Paths::AcrossCalls(_) if extension > 0 => Effect::Ascends,
                _ => Effect::Leaves,
            },
            BranchKind::TrapReturn => Effect::Leaves,
        }
    }

    /// Whether a backward branch that is not taken counts as backward.
    const fn falls_backward(self) -> bool {
        matches!(self, Paths::BallLarus(BackwardNotTaken::AsBackward))
    }

    /// Where a path that [ends](Effect::Ends) or is split hands over to the next: a path inside callees stays inside.
    pub fn next(self, place: &Place, target: u64) -> Place {
        match self {
            Paths::AcrossCalls(_) => Place {
                address: target,
                ..place.clone()
            },
            _ => Place::entry(target),
        }
    }
}

impl Effect {
    /// Where a path goes on that does, by a branch to `target` with `next` after it; `None` where it does not go on, or its
    /// callee was entered before the path knew.
    pub fn goes_on(self, place: &Place, target: u64, next: u64) -> Option<Place> {
        let mut place = Place {
            address: target,
            ..place.clone()
        };
        match self {
            Effect::Goes => {}
            Effect::Crosses => place.extension += 1,
            Effect::Descends => {
                place.extension += 1;
                place.returns.push(next);
            }
            Effect::Ascends => {
                place.extension -= 1;
                place.address = place.returns.pop()?;
            }
            Effect::Ends | Effect::Waits | Effect::Leaves => return None,
        }
        Some(place)
    }
}

/// Whether the outcome of a branch is part of the path.
pub const fn is_recorded(kind: BranchKind) -> bool {
    matches!(
        kind,
        BranchKind::Forward | BranchKind::Backward | BranchKind::Indirect
    )
}
