//! What records do to the path stack, as the control register says.

use crate::branch::BranchKind;
use crate::config::Geometry;
use crate::path::CompletedPath;
use crate::profiler::context::ContextFilter;
use crate::profiler::ppcr::{BackwardNotTaken, Extension, Metric, Ppcr};
use crate::profiler::rows::{Operation, Row};

/// What a record does, as masks to apply without asking.
#[derive(Clone, Copy, Debug, Default)]
pub struct Action {
    /// 1 if an outcome is appended that is taken.
    pub outcome: u64,
    /// 1 if an outcome is appended.
    pub length: u32,
    /// The bits of the record's events that are added.
    pub events: u32,
    pub pops: bool,
    pub pushes: bool,
    /// It pops alone, and is held against the frames.
    pub leaves: bool,
    /// The path goes on instead if its extension counter is below this.
    pub extends_below: u8,
    /// The record takes an extension back if the counter is above 0.
    pub retracts: bool,
}

impl Action {
    fn new(row: Row, taken: bool, events: u32) -> Self {
        let appends = row.has(Operation::Update);
        let adds = appends || row.has(Operation::UpdateCount);
        Self {
            outcome: u64::from(appends && taken),
            length: appends.into(),
            events: if adds { events } else { 0 },
            pops: row.has(Operation::Pop),
            pushes: row.has(Operation::Push),
            leaves: row.has(Operation::Pop) && !row.has(Operation::Push),
            extends_below: 0,
            retracts: false,
        }
    }
}

/// An action for each `2 * kind + taken`.
type Actions = [Action; 2 * BranchKind::COUNT];

/// The actions of a control register, of which the geometry leaves some bits of the events.
fn decode(ppcr: &Ppcr, events: u32) -> Actions {
    core::array::from_fn(|code| {
        let (kind, taken) = (BranchKind::from_code((code >> 1) as u8), code & 1 == 1);
        let kind = match (kind, taken, ppcr.backward_not_taken) {
            (BranchKind::Backward, false, BackwardNotTaken::AsForward) => BranchKind::Forward,
            _ => kind,
        };
        let action = Action::new(ppcr.rows[kind], taken, events);
        match (ppcr.extension, kind) {
            (Extension::Loop, BranchKind::Backward) | (Extension::Procedure, BranchKind::Call) => {
                Action {
                    extends_below: ppcr.max_extension,
                    ..action
                }
            }
            (Extension::Procedure, BranchKind::Return) => Action {
                retracts: true,
                ..action
            },
            _ => action,
        }
    })
}

/// What does not change from one record to the next.
#[derive(Clone, Debug)]
pub struct Rules {
    pub actions: Actions,
    pub start_mask: u64,
    pub event_limit: u32,
    pub max_branches: u32,
    /// Which bits of the extension counter a path hands on to the one that takes its place: all if it stays inside the
    /// same calls, else none.
    pub inherits: u8,
    pub counts_events: bool,
    /// Bits of a start that a path must have to be shown, and what they must be.
    shown: (u64, u64),
}

impl Rules {
    /// The rules of a control register, for a geometry; every context is shown.
    pub fn new(ppcr: &Ppcr, geometry: &Geometry) -> Self {
        Self {
            actions: decode(ppcr, event_mask(geometry)),
            start_mask: Geometry::mask(geometry.start_bits()) & !Geometry::mask(geometry.align),
            event_limit: Geometry::mask(geometry.event_counter_bits) as u32,
            max_branches: geometry.max_branches,
            inherits: inherits(ppcr),
            counts_events: ppcr.metric == Metric::Events,
            shown: (0, 0),
        }
    }

    /// Changes the control register.
    pub fn set_ppcr(&mut self, ppcr: &Ppcr, geometry: &Geometry) {
        *self = Self {
            shown: self.shown,
            ..Self::new(ppcr, geometry)
        };
    }

    /// Changes which contexts' paths are shown.
    pub const fn set_filter(&mut self, filter: ContextFilter, geometry: &Geometry) {
        let ContextFilter { mask, value } = filter;
        self.shown = (geometry.in_context(0, mask), geometry.in_context(0, value));
    }

    /// Whether paths of every context are shown.
    #[inline]
    pub const fn show_all(&self) -> bool {
        self.shown.0 == 0
    }

    /// Whether a path's context is shown.
    #[inline(always)]
    pub const fn shows(&self, path: &CompletedPath) -> bool {
        let (mask, value) = self.shown;
        (path.descriptor.start ^ value) & mask == 0
    }

    /// Moves the paths that are shown to the front, in order; how many they are.
    pub fn keep_shown(&self, paths: &mut [CompletedPath]) -> usize {
        let mut kept = 0;
        for i in 0..paths.len() {
            if self.shows(&paths[i]) {
                paths[kept] = paths[i];
                kept += 1;
            }
        }
        kept
    }
}

fn event_mask(geometry: &Geometry) -> u32 {
    Geometry::mask(geometry.event_bits) as u32
}

/// [`Rules::inherits`].
const fn inherits(ppcr: &Ppcr) -> u8 {
    match ppcr.extension {
        Extension::Procedure => u8::MAX,
        Extension::None | Extension::Loop => 0,
    }
}
