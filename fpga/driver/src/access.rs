/// Reads and writes registers by their byte offsets.
pub trait Access {
    /// Reads a register.
    fn read(&mut self, offset: u32) -> u32;

    /// Writes all bytes of a register.
    fn write(&mut self, offset: u32, value: u32);

    /// Reads a register once for each of `words`. A slow link sends one request for all.
    fn read_all(&mut self, offset: u32, words: &mut [u32]) {
        words.fill_with(|| self.read(offset));
    }
}

/// Registers in the address space.
#[derive(Debug)]
pub struct Mmio {
    base: usize,
}

impl Mmio {
    /// The registers at a base address.
    ///
    /// # Safety
    ///
    /// A profiler's registers are at the address as long as this lives, and nothing else accesses them.
    #[must_use]
    pub const unsafe fn new(base: usize) -> Self {
        Self { base }
    }

    fn register(&self, offset: u32) -> *mut u32 {
        (self.base + offset as usize) as *mut u32
    }
}

impl Access for Mmio {
    fn read(&mut self, offset: u32) -> u32 {
        // SAFETY: as promised to `new`.
        unsafe { self.register(offset).read_volatile() }
    }

    fn write(&mut self, offset: u32, value: u32) {
        // SAFETY: as promised to `new`.
        unsafe { self.register(offset).write_volatile(value) }
    }
}
