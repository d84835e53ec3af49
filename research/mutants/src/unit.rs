//! Single tests: which mutants they reach, how long they take, whether one notices a mutant.

use crate::cargo::{Cargo, Executable};
use crate::child_process::dies_with_parent;
use crate::schema::{CHOSEN, REACHED};
use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use wait_timeout::ChildExt;

/// Address space of a test, in KiB, since a mutant may ask for ever more memory; the second for tests that run tools which ask for much.
const MEMORY: [u64; 2] = [8 << 20, 32 << 20];

/// What a test is run as.
#[derive(Debug, Clone)]
pub enum What {
    /// A test function of an executable.
    Function {
        /// The executable.
        program: PathBuf,
        /// Its name there.
        test: String,
        /// The package's folder.
        folder: PathBuf,
    },
    /// Examples in the documentation that were made one program.
    Examples {
        /// The program.
        program: PathBuf,
        /// The package's folder.
        folder: PathBuf,
    },
}

/// A test.
#[derive(Debug, Clone)]
pub struct Unit {
    /// Executable and function.
    pub name: String,
    /// What is run.
    pub what: What,
    /// How long it takes without a mutant.
    pub takes: Duration,
    /// The address space that it may have, in KiB.
    pub memory: u64,
    /// The mutants that it reaches.
    pub reaches: BTreeSet<u32>,
}

/// What was measured of tests, by their names.
pub type Measures = BTreeMap<String, Measure>;

/// What was measured of a test.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Measure {
    takes: Duration,
    memory: u64,
    reaches: BTreeSet<u32>,
}

/// How a test ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// It passed.
    Passed,
    /// It failed.
    Failed,
    /// It was stopped.
    Stopped,
}

/// The tests of executables, those that are ignored aside.
///
/// # Errors
///
/// If one cannot be run.
pub fn units(executables: &[Executable], folder: &Path) -> Result<Vec<Unit>> {
    let mut units = Vec::new();
    for Executable { name, program } in executables {
        let ignored = tests(program, folder, &["--ignored"])?;
        for test in tests(program, folder, &[])? {
            if !ignored.contains(&test) {
                let name = format!("{name} {test}");
                let (program, folder) = (program.clone(), folder.to_owned());
                units.push(Unit::new(
                    name,
                    What::Function {
                        program,
                        test,
                        folder,
                    },
                ));
            }
        }
    }
    Ok(units)
}

/// The examples in the documentation, built in a folder `place`.
///
/// # Errors
///
/// If they cannot be built, or one fails.
pub fn examples(cargo: &Cargo, place: &Path, folder: &Path) -> Result<Vec<Unit>> {
    let programs = match cargo.examples(place)? {
        Ok(programs) => programs.into_iter(),
        Err(said) => bail!("an example fails without a mutant: {}", said.trim_end()),
    };
    let unit = |program: PathBuf| {
        let name = program.parent().and_then(Path::file_name);
        let name = name.map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let folder = folder.to_owned();
        Unit::new(
            format!("documentation {name}"),
            What::Examples { program, folder },
        )
    };
    Ok(programs.map(unit).collect())
}

fn tests(program: &Path, folder: &Path, more: &[&str]) -> Result<Vec<String>> {
    let mut command = Command::new(program);
    command.args(["--list", "--format", "terse"]).args(more);
    let output = command.current_dir(folder).output();
    let output = output.with_context(|| format!("cannot run {}", program.display()))?;
    let lines = String::from_utf8_lossy(&output.stdout).into_owned();
    let tests = lines.lines().filter_map(|line| line.strip_suffix(": test"));
    Ok(tests.map(str::to_owned).collect())
}

impl Unit {
    /// A test that has not been run.
    pub fn new(name: String, what: What) -> Self {
        Self {
            name,
            what,
            takes: Duration::ZERO,
            memory: MEMORY[0],
            reaches: BTreeSet::new(),
        }
    }

    /// What was measured of it.
    pub fn measured(&self) -> Measure {
        Measure {
            takes: self.takes,
            memory: self.memory,
            reaches: self.reaches.clone(),
        }
    }

    /// The same as if it had been measured.
    pub fn recall(&mut self, measure: &Measure) {
        (self.takes, self.memory) = (measure.takes, measure.memory);
        self.reaches.clone_from(&measure.reaches);
    }

    /// Runs it twice without a mutant, and keeps what it reaches and how long it takes when nobody writes that down.
    ///
    /// # Errors
    ///
    /// If it fails, or cannot be run.
    pub fn measure(&mut self) -> Result<()> {
        let folder = tempfile::tempdir().context("no folder for what is reached")?;
        let reached = folder.path().join("reached");
        let variable = (REACHED, reached.as_os_str());
        if self.passes(variable).is_err() {
            self.memory = MEMORY[1];
            self.passes(variable)?;
        }
        // Without a file none is reached.
        let numbers = fs::read_to_string(&reached).unwrap_or_default();
        let number = |line: &str| {
            line.parse()
                .with_context(|| format!("`{line}` is no mutant"))
        };
        self.reaches = numbers.lines().map(number).collect::<Result<_>>()?;
        let start = Instant::now();
        self.passes((CHOSEN, "0".as_ref()))?;
        self.takes = start.elapsed();
        Ok(())
    }

    fn passes(&self, variable: (&str, &OsStr)) -> Result<()> {
        // A model that was compiled before would make it look quicker than with a mutant.
        let models = tempfile::tempdir().context("no folder for models")?;
        let variables = [variable, ("HPP_VERILATED_CACHE", models.path().as_os_str())];
        match self.run(&variables, LONGEST)? {
            End::Passed => Ok(()),
            end => bail!("`{}` fails without a mutant: {end:?}", self.name),
        }
    }

    /// Runs it with a mutant.
    ///
    /// # Errors
    ///
    /// If it cannot be run.
    pub fn meets(&self, mutant: u32) -> Result<End> {
        let number = mutant.to_string();
        self.run(&[(CHOSEN, number.as_ref())], self.limit())
    }

    /// Time on a processor, which other programs do not take away: so many seconds, and some times what it took.
    fn limit(&self) -> Duration {
        let seconds = 3.0 + 5.0 * self.takes.as_secs_f64();
        Duration::from_secs(seconds.ceil() as u64)
    }

    fn run(&self, variables: &[(&str, &OsStr)], limit: Duration) -> Result<End> {
        let mut command = self.command(limit);
        command
            .envs(variables.iter().copied())
            // The same cases each time, and nothing left behind.
            .env("PROPTEST_RNG_SEED", "1")
            .env("PROPTEST_MAX_SHRINK_ITERS", "0")
            .env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "true")
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let mut child = command.spawn().context("cannot run a test")?;
        // What waits for something else takes no time on a processor.
        let ended = child.wait_timeout(4 * limit + Duration::from_secs(20));
        let Some(status) = ended.context("cannot wait for a test")? else {
            child.kill().context("cannot stop a test")?;
            child.wait().context("cannot wait for a test")?;
            return Ok(End::Stopped);
        };
        Ok(match (status.success(), status.signal()) {
            (true, _) => End::Passed,
            (false, Some(KILLED | OUT_OF_TIME)) => End::Stopped,
            (false, _) => End::Failed,
        })
    }

    fn command(&self, limit: Duration) -> Command {
        let mut command = dies_with_parent("sh");
        command
            .args(["-c", "ulimit -t $0; ulimit -v $1; shift; exec \"$@\""])
            .arg(limit.as_secs().to_string())
            .arg(self.memory.to_string());
        match &self.what {
            What::Function {
                program,
                test,
                folder,
            } => {
                command
                    .arg(program)
                    .args(["--exact", test, "--test-threads", "1"])
                    .current_dir(folder)
                    .env("CARGO_MANIFEST_DIR", folder);
            }
            What::Examples { program, folder } => {
                command
                    .arg(program)
                    .current_dir(folder)
                    // It runs itself for each example.
                    .env("RUSTDOC_DOCTEST_BIN_PATH", program);
            }
        }
        command
    }
}

/// A test that takes longer without a mutant is no test of a mutant.
const LONGEST: Duration = Duration::from_secs(3600);

/// The signals by which a process ends whose time is over.
const KILLED: i32 = 9;
const OUT_OF_TIME: i32 = 24;
