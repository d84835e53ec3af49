//! The engine: built with its instrumentation, run on a working corpus.

use crate::outcome::Outcome;
use crate::working::Working;
use anyhow::{Context, Result, bail, ensure};
use hpp_fuzz::{TARGET_VARIABLE, corpus};
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Command, ExitStatus};
use verilated::tools::project_root;

/// What makes LLVM count the edges that run and show the operands of comparisons. All of it is in stable Rust.
const INSTRUMENTATION: [&str; 6] = [
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    // The linker would throw away the counters of functions that it drops, and leave the table of all.
    "-Clink-dead-code",
];

/// What a target may take for one input, in seconds and megabytes.
const LIMITS: [&str; 2] = ["-timeout=10", "-rss_limit_mb=2048"];

/// What the kept inputs of a target may take in the repository, in bytes of text.
const BUDGET: usize = 96 * 1024;

/// The engine's program.
pub struct Engine {
    program: PathBuf,
}

impl Engine {
    /// Builds it, apart from everything else, since the instrumentation is in all of it.
    pub fn build() -> Result<Self> {
        let root = project_root();
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let host = host()?;
        let status = Command::new(cargo)
            .current_dir(&root)
            .args(["build", "--quiet", "-p", "hpp-fuzz", "--features", "engine"])
            .args(["--bin", "engine", "--profile", "fuzz"])
            // With a target named, build scripts and macros stay as they are.
            .args(["--target", &host, "--target-dir", "target/instrumented"])
            .env("CARGO_ENCODED_RUSTFLAGS", INSTRUMENTATION.join("\u{1f}"))
            .status()
            .context("cannot run cargo")?;
        ensure!(status.success(), "cannot build the engine");
        let program = root.join("target/instrumented").join(host);
        Ok(Self {
            program: program.join("fuzz/engine"),
        })
    }

    /// Breeds inputs for a while.
    pub fn run(&self, working: &Working, seconds: u64) -> Result<Outcome> {
        let mut arguments = vec![
            format!("-max_total_time={seconds}"),
            format!("-max_len={}", working.target.longest),
            format!("-artifact_prefix={}/", working.crashes().display()),
            "-print_final_stats=1".into(),
            working.corpus().display().to_string(),
        ];
        if !working.target.words.is_empty() {
            arguments.push(format!("-dict={}", working.dictionary().display()));
        }
        let status = self.start(working, &arguments)?;
        let log = working.log();
        let text = fs::read(&log).with_context(|| log.display().to_string())?;
        let outcome = Outcome::new(&String::from_utf8_lossy(&text), working.found()?);
        match outcome {
            Some(outcome) if status.success() || !outcome.crashes.is_empty() => Ok(outcome),
            _ => bail!(
                "the engine failed ({status}); it says why in {}",
                log.display()
            ),
        }
    }

    /// Keeps the least set of inputs that reaches as many edges as all of the working corpus, or of a large set a sample.
    pub fn minimise(&self, working: &Working) -> Result<()> {
        let least = working.emptied("least")?;
        let arguments = [
            "-set_cover_merge=1".into(),
            // Edges alone, not how often each is taken: a tenth of the inputs.
            "-use_counters=0".into(),
            format!("-max_len={}", working.target.longest),
            least.display().to_string(),
            working.corpus().display().to_string(),
        ];
        let status = self.start(working, &arguments)?;
        ensure!(
            status.success(),
            "the engine failed; it says why in {}",
            working.log().display()
        );
        let file = corpus::file(working.target.name);
        let inputs = working.inputs(&least)?;
        let kept = corpus::within(&inputs, BUDGET);
        if kept.len() < inputs.len() {
            let (kept, all) = (kept.len(), inputs.len());
            eprintln!("{}: {kept} of {all} inputs kept", working.target.name);
        }
        fs::write(&file, corpus::write(kept))
            .with_context(|| format!("cannot write {}", file.display()))
    }

    fn start(&self, working: &Working, arguments: &[String]) -> Result<ExitStatus> {
        let log = working.log();
        let out = File::create(&log).with_context(|| log.display().to_string())?;
        Command::new(&self.program)
            .env(TARGET_VARIABLE, working.target.name)
            .args(LIMITS)
            .args(arguments)
            .stdout(out.try_clone().context("cannot write the log")?)
            .stderr(out)
            .status()
            .with_context(|| format!("cannot run {}", self.program.display()))
    }
}

/// The platform, as the compiler calls it.
fn host() -> Result<String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc)
        .arg("-vV")
        .output()
        .context("cannot run rustc")?;
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(host.context("rustc does not say its host")?.to_owned())
}
