//! What the thread on a hart does: it notes which block begins, and hands blocks over.

use core::ffi::{c_uint, c_void};
use core::sync::atomic::Ordering::Relaxed;
use std::sync::PoisonError;

use crate::consumer::{BLOCKS, Blocks, Consumer, no_blocks};
use crate::plugin::{ENDING, PLUGIN, Plugin, RECORDING};
use crate::session::Ended;

/// What the plugin's callback is told of a block: a pointer's worth, so that it need not look anywhere.
pub(crate) struct Begun {
    /// How many instructions it has.
    pub instructions: u32,
    /// Its number.
    pub number: u32,
}

impl Begun {
    pub(crate) const fn pack(&self) -> *mut c_void {
        let word = (self.instructions as usize) << 32 | self.number as usize;
        core::ptr::without_provenance_mut(word)
    }

    pub(crate) fn unpack(word: *mut c_void) -> Self {
        let word = word.addr();
        Self {
            instructions: (word >> 32) as u32,
            number: word as u32,
        }
    }
}

/// What the thread on a hart alone touches.
pub(crate) struct Hart {
    number: c_uint,
    /// Blocks that began since the consumer was told, and how many.
    blocks: Box<Blocks>,
    count: usize,
    /// Instructions of the blocks that began.
    instructions: u64,
    consumer: Consumer,
    /// Instructions after which it is looked whether to stop.
    limit: u64,
}

impl Hart {
    /// One on which nothing has run.
    pub(crate) fn new(number: c_uint, consumer: Consumer, limit: Option<u64>) -> Self {
        Self {
            number,
            blocks: no_blocks(),
            count: 0,
            instructions: 0,
            consumer,
            limit: limit.unwrap_or(u64::MAX),
        }
    }

    /// From now on it is that of a child process.
    pub(crate) fn forget(&mut self) {
        self.limit = 0;
    }

    /// A block begins.
    #[inline(always)]
    pub(crate) fn begin(&mut self, begun: &Begun) {
        let (retired, count) = (self.instructions, self.count);
        self.instructions = retired + u64::from(begun.instructions);
        self.blocks[count % BLOCKS] = begun.number;
        self.count = count + 1;
        if (count == BLOCKS - 1) | (retired >= self.limit) {
            self.pause(retired);
        }
    }

    /// There is no room for more blocks, or so many instructions have retired that the program ends before this one. A child process
    /// forgets its blocks.
    #[cold]
    #[inline(never)]
    fn pause(&mut self, retired: u64) {
        if !RECORDING.load(Relaxed) {
            self.count = 0;
        } else if retired < self.limit {
            self.hand_over();
        } else {
            self.instructions = retired;
            self.stop();
        }
    }

    fn hand_over(&mut self) {
        let empty = self.consumer.empty();
        let blocks = core::mem::replace(&mut self.blocks, empty);
        let count = core::mem::take(&mut self.count);
        self.consumer.send(blocks, count, self.instructions);
    }

    fn stop(&mut self) -> ! {
        // Who ends it keeps the lock until the process has ended; others that come to the limit meanwhile wait for that.
        let _ending = ENDING.lock().unwrap_or_else(PoisonError::into_inner);
        if RECORDING.swap(false, Relaxed)
            && let Some(plugin) = PLUGIN.get()
        {
            self.end(plugin, Ended::Limit);
            plugin.end_others(self.number, &Ended::Limit);
        }
        // SAFETY: ends the process at once; what the guest has not written yet stays unwritten.
        unsafe { libc::_exit(0) }
    }

    /// The recording ends; more may follow.
    pub(crate) fn end(&mut self, plugin: &Plugin, ended: Ended) {
        self.hand_over();
        let summary = plugin.summary(ended, Some(self.instructions));
        self.consumer.line().end(summary);
    }
}
