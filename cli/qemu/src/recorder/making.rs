//! Blocks, one by one or by [segments](super::segments).

use hpp_explore::Times;
use hpp_explore::run::Table;
use hpp_explore::states::Edge;
use hpp_golden::profiler::Frames;

use super::effect::{Effect, Signal};
use super::{Batch, Recorder};

/// A recorder that makes a batch, and the table that takes the paths. With `RECORDS` it keeps records.
pub(super) struct Making<'a, T, const RECORDS: bool> {
    pub recorder: &'a mut Recorder,
    pub batch: &'a mut Batch,
    pub table: &'a mut T,
}

/// What a block does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// The state after it.
    pub next: u32,
    /// Whether it makes a record.
    pub has_record: bool,
    pub effect: Effect,
}

impl Recorder {
    pub(super) fn tell_all(&mut self, blocks: &[u32], batch: &mut Batch, table: &mut impl Table) {
        match self.tells_records {
            true => self.make::<true>(blocks, batch, table),
            false => self.make::<false>(blocks, batch, table),
        }
    }

    fn make<const RECORDS: bool>(
        &mut self,
        blocks: &[u32],
        batch: &mut Batch,
        table: &mut impl Table,
    ) {
        let Some(mut segments) = self.segments.take() else {
            return;
        };
        let state = self.state;
        let mut making = Making::<_, RECORDS> {
            recorder: self,
            batch,
            table,
        };
        let state = segments.run(&mut making, state, blocks);
        making.take_in_order();
        self.state = state;
        self.segments = Some(segments);
    }
}

impl<T: Table, const RECORDS: bool> Making<'_, T, RECORDS> {
    /// What a block does in a state, if that is known and has nothing to do with signals.
    pub fn step(&mut self, state: u32, word: u32) -> Option<Step> {
        let states = &mut self.recorder.states;
        let edge = match states.taken_last(state, word) {
            Some(edge) => *edge,
            None => states.edge(state, word)?,
        };
        let effect = match edge.effect {
            Edge::NO_BRANCH | Edge::BRANCH => Effect::NOTHING,
            effect => self.recorder.effects[effect as usize].0,
        };
        let step = Step {
            next: edge.next,
            has_record: edge.effect != Edge::NO_BRANCH,
            effect,
        };
        (effect.signal == Signal::None).then_some(step)
    }

    /// Takes blocks one by one; returns the state after them.
    pub fn walk(&mut self, state: u32, words: &[u32]) -> u32 {
        self.recorder.state = state;
        self.recorder.tell::<RECORDS>(words, self.batch);
        self.recorder.state
    }

    /// Whether the states may have been given other numbers since this was last asked.
    #[inline(always)]
    pub fn renumbered(&mut self) -> bool {
        core::mem::take(&mut self.recorder.renumbered)
    }

    /// Whether returns are held against frames.
    pub fn asks_frames(&self) -> bool {
        self.recorder.frames.is_some()
    }

    /// Whether the record of this number, which pops, leads out of the frame on top, if that is asked.
    #[inline(always)]
    pub fn leads_out(&self, moves: u32) -> bool {
        let recorder = &*self.recorder;
        let fits =
            |frames: &Frames| frames.is_left_by(&recorder.numbering.records()[moves as usize]);
        recorder.frames.as_ref().is_none_or(fits)
    }

    /// A state is to wait, because of the record of this number.
    #[inline(always)]
    pub fn push(&mut self, waits: u32, moves: u32) {
        if let Some(frames) = &mut self.recorder.frames {
            frames.push(&self.recorder.numbering.records()[moves as usize]);
        }
        let overflows = self.recorder.waiting.push(waits);
        self.batch.tally.overflows += u64::from(overflows);
    }

    /// The block of this word follows a return of this number, which [leads out](Self::leads_out). Returns the state after it, given the one to which the return
    /// leads if none waits.
    #[inline(always)]
    pub fn pop(&mut self, state: u32, word: u32, moves: u32) -> u32 {
        if let Some(frames) = &mut self.recorder.frames {
            frames.pop(&self.recorder.numbering.records()[moves as usize]);
        }
        self.recorder.state = state;
        self.recorder.pop(word, &mut self.batch.tally);
        self.recorder.state
    }

    /// Gives the table paths in any order. Returns whether it took them.
    pub fn take_all(&mut self, paths: &[Times]) -> bool {
        self.table.take_all(self.recorder.paths.as_slice(), paths)
    }

    /// Gives the table the paths of the batch in their order.
    pub fn take_in_order(&mut self) {
        let paths = &mut self.batch.paths;
        if !paths.is_empty() {
            (self.table).take_in_order(self.recorder.paths.as_slice(), paths);
            paths.clear();
        }
    }
}
