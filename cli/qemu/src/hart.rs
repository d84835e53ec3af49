//! What the thread on a hart does: it notes which block begins, and hands blocks over.

use core::ffi::c_void;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicBool, AtomicU64};

use crate::consumer::{BLOCKS, Blocks, Consumer, no_blocks};
use crate::recorder::SPACES;

/// Whether records are taken: not in child processes.
pub(crate) static RECORDING: AtomicBool = AtomicBool::new(false);
/// Whether a hart came to the limit.
pub(crate) static LIMITED: AtomicBool = AtomicBool::new(false);
/// Whether the program asked to be replaced by another one. If it is, nothing comes after that.
pub(crate) static REPLACING: AtomicBool = AtomicBool::new(false);

/// The argument of the plugin's callback for a block: a pointer's worth, so that it need not look anywhere.
pub(crate) struct Begun {
    /// Whether it is user code of a whole machine.
    pub is_user: bool,
    /// How many instructions it has.
    pub instructions: u32,
    pub number: u32,
}

impl Begun {
    pub(crate) const fn pack(&self) -> *mut c_void {
        let word = (self.is_user as usize) << 63
            | (self.instructions as usize) << 32
            | self.number as usize;
        core::ptr::without_provenance_mut(word)
    }

    pub(crate) fn unpack(word: *mut c_void) -> Self {
        let word = word.addr();
        Self {
            is_user: word >> 63 == 1,
            instructions: (word >> 32) as u32 & !(1 << 31),
            number: word as u32,
        }
    }
}

/// What the thread on a hart alone touches.
pub(crate) struct Hart {
    /// Blocks that began since the last batch for the consumer, and how many.
    blocks: *mut Blocks,
    count: usize,
    /// How often blocks were handed over.
    times: AtomicU64,
    /// Instructions of the blocks that began.
    instructions: u64,
    consumer: Consumer,
    /// Whether user code of a whole machine runs, and the context that it had last.
    in_user: bool,
    space: u8,
    /// Instructions after which it is looked whether to stop.
    limit: u64,
}

impl Hart {
    /// One on which nothing has run.
    pub(crate) fn new(consumer: Consumer, limit: Option<u64>) -> Self {
        Self {
            blocks: Box::into_raw(no_blocks()),
            count: 0,
            times: AtomicU64::new(0),
            instructions: 0,
            consumer,
            in_user: false,
            space: 0,
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
        // SAFETY: they are this thread's until they are handed over.
        unsafe { (*self.blocks)[count % BLOCKS] = begun.number };
        self.count = count + 1;
        if (count == BLOCKS - 1) | (retired >= self.limit) {
            self.pause(retired);
        }
    }

    /// A block of a whole machine begins; user code that follows other code has the context that is asked for.
    #[inline(always)]
    pub(crate) fn begin_in_machine(&mut self, begun: &Begun, context: impl FnOnce() -> u8) {
        if begun.is_user && !self.in_user {
            let space = context();
            if core::mem::replace(&mut self.space, space) != space {
                self.begin(&Begun {
                    is_user: true,
                    instructions: 0,
                    number: SPACES + u32::from(space),
                });
            }
        }
        self.in_user = begun.is_user;
        self.begin(begun);
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
            LIMITED.store(true, Relaxed);
            // SAFETY: ends the process at once; what the guest has not written yet stays unwritten.
            unsafe { libc::_exit(0) }
        }
    }

    /// Waits while the consumer is busy. Whenever the process ends, blocks are either with the consumer or [here](Self::rest).
    fn hand_over(&mut self) {
        let empty = self.consumer.empty();
        // SAFETY: the pointer is given another value once the consumer has them; if it has no room, they stay this thread's.
        while let Err(blocks) =
            (self.consumer).send(unsafe { Box::from_raw(self.blocks) }, self.instructions)
        {
            let _ = Box::into_raw(blocks);
            self.consumer.wait();
        }
        self.blocks = Box::into_raw(empty);
        self.count = 0;
        self.times.fetch_add(1, Release);
    }

    /// Blocks that were not handed over to a consumer that got some so often, and all instructions. To be asked when the thread has ended.
    pub(crate) fn rest(&self, times: u64) -> (&[u32], u64) {
        let count = match times > self.times.load(Acquire) {
            true => 0,
            false => self.count.min(BLOCKS),
        };
        // SAFETY: nobody else has them.
        (unsafe { &(&*self.blocks)[..count] }, self.instructions)
    }
}
