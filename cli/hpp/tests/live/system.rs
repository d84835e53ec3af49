//! A system with the golden model's registers at an address, whose core may run while somebody looks at it.

use std::sync::atomic::{AtomicI64, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard};

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_golden::profiler::{Profiler, ResetValues};

pub const BASE: u32 = 0x2000_0000;

/// The system. Its parts are shared with what answers for it.
#[derive(Clone)]
pub struct System {
    profiler: Arc<Mutex<Profiler>>,
    /// Accesses until the way to it breaks.
    left: Arc<AtomicI64>,
}

impl System {
    /// A profiler with nine paths in a table, running and lossy.
    pub fn new() -> Self {
        Self::of(&Geometry::default())
    }

    pub fn of(geometry: &Geometry) -> Self {
        let reset = ResetValues {
            lossy: true,
            ..ResetValues::enabled()
        };
        let profiler = Profiler::new(geometry, &reset).expect("a legal configuration");
        let system = Self {
            profiler: Arc::new(Mutex::new(profiler)),
            left: Arc::new(AtomicI64::new(i64::MAX)),
        };
        system.run(100);
        system
    }

    pub fn breaks_after(self, accesses: i64) -> Self {
        self.left.store(accesses, SeqCst);
        self
    }

    pub fn profiler(&self) -> MutexGuard<'_, Profiler> {
        self.profiler.lock().expect("no test has failed")
    }

    pub fn run(&self, branches: u64) {
        let mut profiler = self.profiler();
        for round in 0..branches {
            let target = 0x100 + 4 * (round % 9);
            profiler.profile(&BranchRecord::new(BranchKind::Backward, true, target, 0));
        }
    }

    pub fn answers(&self) -> bool {
        self.left.fetch_sub(1, SeqCst) > 0
    }

    fn offset(&self, address: u32) -> Option<u32> {
        let space = self.profiler().geometry().address_space();
        let offset = address.checked_sub(BASE)?;
        (offset < space && offset.is_multiple_of(4)).then_some(offset)
    }

    pub fn read(&self, address: u32) -> Option<u32> {
        let offset = self.offset(address)?;
        Some(self.profiler().read(offset))
    }

    pub fn write(&self, address: u32, word: u32) -> Option<()> {
        let offset = self.offset(address)?;
        self.profiler().write(offset, word);
        Some(())
    }
}
