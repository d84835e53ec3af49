//! Programs that are stopped when their time is over.

use anyhow::{Context, Result};
use std::process::Child;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The longest between two questions whether a program has ended: of one that has run for long, less often.
const STEP: Duration = Duration::from_millis(20);

/// Waits for a program, for so long at most; whether it ended by itself.
///
/// # Errors
///
/// If it cannot be waited for, or not be stopped.
pub fn wait(child: &mut Child, limit: Duration) -> Result<bool> {
    let start = Instant::now();
    let mut step = STEP / 64;
    while child.try_wait().context("cannot wait for it")?.is_none() {
        if start.elapsed() > limit {
            child.kill().context("cannot stop it")?;
            child.wait().context("cannot stop it")?;
            return Ok(false);
        }
        sleep(step);
        step = STEP.min(2 * step);
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn a_program_is_stopped_when_its_time_is_over() {
        let mut sleeper = Command::new("sleep").arg("60").spawn().expect("a program");
        assert!(!wait(&mut sleeper, Duration::from_millis(1)).expect("it can be stopped"));
        let mut short = Command::new("true").spawn().expect("a program");
        assert!(wait(&mut short, Duration::from_secs(60)).expect("it ends"));
    }
}
