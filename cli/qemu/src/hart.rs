//! What the thread on a hart does: it notes which block begins, and hands blocks over.

use core::ffi::c_void;
use core::ptr::null_mut;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64};

use crate::consumer::{BLOCKS, Blocks, Consumer, no_blocks};
use crate::recorder::SPACES;

/// Whether records are taken: not in child processes.
pub(crate) static RECORDING: AtomicBool = AtomicBool::new(false);
/// Whether a hart came to the limit.
pub(crate) static LIMITED: AtomicBool = AtomicBool::new(false);

/// The argument of the plugin's callback for a block, packed into a pointer so that the callback reads no memory for it.
pub(crate) struct Begun {
    /// Whether the block is user code of a whole machine.
    pub is_user: bool,
    /// How many instructions count when it begins.
    pub instructions: u32,
    pub word: u32,
}

impl Begun {
    pub(crate) const fn pack(&self) -> *mut c_void {
        // One bit that is always 1, so that QEMU loads all of it in the same way.
        let word = (self.is_user as usize) << 63
            | 1 << 62
            | (self.instructions as usize) << 32
            | self.word as usize;
        core::ptr::without_provenance_mut(word)
    }

    pub(crate) fn unpack(word: *mut c_void) -> Self {
        let word = word.addr();
        Self {
            is_user: word >> 63 == 1,
            instructions: (word >> 32) as u32 & !(3 << 30),
            word: word as u32,
        }
    }
}

/// What the callback of each block writes, in a cache line of its own for each hart. Only the hart's thread writes it.
#[repr(align(64))]
pub(crate) struct Notes {
    /// Where the number of the next block goes.
    next: AtomicPtr<u32>,
    /// Instructions of the blocks that began, where there is a limit and in whole machines. Elsewhere the model adds them up.
    instructions: AtomicU64,
    /// The number of instructions at which to check the limit.
    limit: AtomicU64,
}

impl Notes {
    /// Without a buffer yet.
    pub(crate) const fn new() -> Self {
        Self {
            next: AtomicPtr::new(null_mut()),
            instructions: AtomicU64::new(0),
            limit: AtomicU64::new(0),
        }
    }

    /// Where the place of the next word is.
    pub(crate) const fn next(&self) -> *mut *mut u32 {
        self.next.as_ptr()
    }

    /// Until the hart is set up: blocks are noted in the last place of a buffer that nobody reads, so the first one fills it.
    pub(crate) fn lead_nowhere(&self, nowhere: *mut Blocks) {
        self.instructions.store(0, Relaxed);
        let last = nowhere.cast::<u32>().wrapping_add(BLOCKS - 1);
        self.next.store(last, Relaxed);
    }

    /// Notes a block that begins; returns whether the buffer is full.
    /// Safety: [`next`](Self::next) must be set, and the buffer be replaced once it is full.
    #[inline(always)]
    pub(crate) unsafe fn note(&self, begun: *mut c_void) -> bool {
        let (begun, next) = (begun.addr(), self.next.load(Relaxed));
        // SAFETY: as promised. The buffer that nobody reads is shared by all harts.
        unsafe { AtomicU32::from_ptr(next) }.store(begun as u32, Relaxed);
        let next = next.wrapping_add(1);
        self.next.store(next, Relaxed);
        next.addr() % size_of::<Blocks>() == 0
    }

    /// The same, and counts its instructions; returns also whether the limit was reached.
    /// Safety: As above.
    #[inline(always)]
    pub(crate) unsafe fn note_within(&self, begun: *mut c_void) -> bool {
        let instructions = self.instructions.load(Relaxed);
        let counted = u64::from(Begun::unpack(begun).instructions);
        self.instructions.store(instructions + counted, Relaxed);
        // SAFETY: as promised.
        (instructions >= self.limit.load(Relaxed)) | unsafe { self.note(begun) }
    }
}

/// What the thread on a hart alone touches.
pub(crate) struct Hart {
    notes: &'static Notes,
    /// Blocks that began since the last batch for the consumer.
    blocks: *mut Blocks,
    /// How often blocks were handed over.
    times: AtomicU64,
    consumer: Consumer,
    /// Whether user code of a whole machine runs, and the context that it had last.
    in_user: bool,
    space: u8,
    /// The number of instructions at which to check the limit.
    limit: u64,
}

impl Hart {
    /// A hart on which nothing has run.
    pub(crate) fn new(consumer: Consumer, limit: Option<u64>, notes: &'static Notes) -> Self {
        let blocks = Box::into_raw(no_blocks());
        notes.next.store(blocks.cast(), Relaxed);
        notes.instructions.store(0, Relaxed);
        notes.limit.store(limit.unwrap_or(u64::MAX), Relaxed);
        Self {
            notes,
            blocks,
            times: AtomicU64::new(0),
            consumer,
            in_user: false,
            space: 0,
            limit: limit.unwrap_or(u64::MAX),
        }
    }

    /// From now on this hart belongs to a child process.
    pub(crate) fn forget(&mut self) {
        self.limit = 0;
    }

    /// A block begins, perhaps after the limit.
    #[inline(always)]
    pub(crate) fn begin(&mut self, begun: &Begun) {
        let retired = self.notes.instructions.load(Relaxed);
        let word = Begun {
            is_user: false,
            ..*begun
        }
        .pack();
        // SAFETY: the buffer is this thread's until it is handed over.
        if unsafe { self.notes.note_within(word) } {
            self.pause(retired);
        }
    }

    /// The block that began filled the buffer, or is after the limit.
    pub(crate) fn is_full(&mut self, begun: &Begun) {
        self.pause(
            self.instructions()
                .saturating_sub(begun.instructions.into()),
        );
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
                    word: SPACES + u32::from(space),
                });
            }
        }
        self.in_user = begun.is_user;
        self.begin(begun);
    }

    /// Hands the full buffer over, or ends the program if the limit is reached. A child process
    /// forgets its blocks.
    #[cold]
    #[inline(never)]
    pub(crate) fn pause(&mut self, retired: u64) {
        if !RECORDING.load(Relaxed) {
            self.notes.next.store(self.blocks.cast(), Relaxed);
        } else if retired < self.limit {
            self.hand_over();
        } else {
            self.notes.instructions.store(retired, Relaxed);
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
            (self.consumer).send(unsafe { Box::from_raw(self.blocks) }, self.instructions())
        {
            let _ = Box::into_raw(blocks);
            self.consumer.wait();
        }
        self.blocks = Box::into_raw(empty);
        self.notes.next.store(self.blocks.cast(), Relaxed);
        self.times.fetch_add(1, Release);
    }

    fn instructions(&self) -> u64 {
        self.notes.instructions.load(Relaxed)
    }

    /// The blocks that were not handed over, given how many buffers the consumer got, and the number of instructions. Only once the thread has ended.
    pub(crate) fn rest(&self, times: u64) -> (&[u32], u64) {
        let count = match times > self.times.load(Acquire) {
            true => 0,
            false => (self.notes.next.load(Relaxed).addr() - self.blocks.addr()) / size_of::<u32>(),
        };
        // SAFETY: nobody else has them.
        (unsafe { &(&*self.blocks).0[..count] }, self.instructions())
    }
}
