//! Time as the thread's processor spends it, which other work on the machine disturbs less than a clock on the wall.

use core::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// The processor time of `rounds` calls.
pub fn thread_time(rounds: u64, mut round: impl FnMut()) -> Duration {
    let now = || {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Duration::try_from(time).expect("a thread's clock does not run backwards")
    };
    let start = now();
    for _ in 0..rounds {
        round();
    }
    now() - start
}
