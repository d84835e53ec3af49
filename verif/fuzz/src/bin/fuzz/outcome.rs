//! The result of a run of the engine, read from its log.

use std::path::PathBuf;

/// What became of a target.
#[derive(Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Inputs tried.
    pub executions: u64,
    /// Of them in a second.
    pub a_second: u64,
    /// Inputs in the working corpus.
    pub inputs: u64,
    /// Edges of the code that the corpus reached before.
    pub coverage_before: u64,
    /// Edges that it reaches.
    pub coverage: u64,
    /// Files with inputs that the target fails on.
    pub crashes: Vec<PathBuf>,
}

impl Outcome {
    /// Reads the engine's log; `None` if it never came to try an input.
    ///
    /// Lines such as `#9 NEW cov: 8 ft: 8 corp: 2/7b exec/s: 4 ...` say how far it is, the first of them what was reached before.
    pub fn new(log: &str, crashes: Vec<PathBuf>) -> Option<Self> {
        let states = || log.lines().filter(|line| line.starts_with('#'));
        let first = states().find(|line| number_after(line, "cov:").is_some())?;
        let last = states().rfind(|line| number_after(line, "cov:").is_some())?;
        let stated = |name: &str| {
            let line = log.lines().find(|line| line.starts_with(name));
            line.and_then(|line| number_after(line, ":"))
        };
        let tried = last[1..].split(|c: char| !c.is_ascii_digit()).next()?;
        Some(Self {
            executions: stated("stat::number_of_executed_units").or(tried.parse().ok())?,
            a_second: stated("stat::average_exec_per_sec").or(number_after(last, "exec/s:"))?,
            inputs: number_after(last, "corp:")?,
            coverage_before: number_after(first, "cov:")?,
            coverage: number_after(last, "cov:")?,
            crashes,
        })
    }
}

/// The number that follows a word of a line.
fn number_after(line: &str, word: &str) -> Option<u64> {
    let (_, after) = line.rsplit_once(word)?;
    let digits = after.trim_start();
    let end = digits.find(|c: char| !c.is_ascii_digit());
    digits[..end.unwrap_or(digits.len())].parse().ok()
}
