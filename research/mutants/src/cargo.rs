//! Cargo in a copy of the workspace: what it builds, and what the compiler complains of.

use crate::child_process::group_dies_with_parent;
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::fs;
use std::ops::Range;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// How a package is built.
#[derive(Debug, Clone)]
pub struct Cargo {
    /// The workspace.
    pub root: PathBuf,
    /// The package.
    pub package: String,
    /// Where what is built goes.
    pub target: PathBuf,
    /// Whether it is built for a single mutant, and so better soon than fast.
    pub soon: bool,
}

/// A test executable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Executable {
    /// The name of its target: that of the library, or of a file in `tests`.
    pub name: String,
    /// The program.
    pub program: PathBuf,
}

/// A part of the workspace that the compiler complains of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// What it says.
    pub message: String,
    /// Its number, such as `E0015`.
    pub code: String,
    /// Files, from the root, with bytes; those that it is about come first.
    pub places: Vec<(String, Range<usize>)>,
}

/// What became of a build.
#[derive(Debug)]
pub enum Build {
    /// The test executables, quickest to be named first.
    Done(Vec<Executable>),
    /// Errors.
    Refused(Vec<Complaint>),
}

/// rustdoc keeps the programs that it makes of examples only for those who are told not to rely on it.
const KEEPING: &str = "#!/bin/sh
RUSTC_BOOTSTRAP=1 exec rustdoc \"$@\" -Z unstable-options --persist-doctests \"$EXAMPLES\"
";

/// A crate of a package: its root file, from that of the workspace.
pub type CrateRoot = String;

impl Cargo {
    /// Builds the tests.
    ///
    /// # Errors
    ///
    /// If cargo fails for another reason than an error in the code.
    pub fn build(&self) -> Result<Build> {
        let output = self.run("test", &["--no-run", "--tests", "--message-format", "json"])?;
        let messages = messages(&output)?;
        if output.status.success() {
            return Ok(Build::Done(
                messages.iter().filter_map(Message::executable).collect(),
            ));
        }
        let complaints = self.complaints(&messages, &output)?;
        Ok(Build::Refused(complaints))
    }

    /// Builds the examples in the documentation as programs, in a folder of their own, and runs them; what they said if one failed.
    ///
    /// # Errors
    ///
    /// If cargo or the folder cannot be used.
    pub fn examples(&self, folder: &Path) -> Result<Result<Vec<PathBuf>, String>> {
        let place = || format!("{}", folder.display());
        if folder.exists() {
            fs::remove_dir_all(folder).with_context(place)?;
        }
        fs::create_dir_all(folder).with_context(place)?;
        let rustdoc = folder.join("rustdoc");
        fs::write(&rustdoc, KEEPING).with_context(place)?;
        fs::set_permissions(&rustdoc, fs::Permissions::from_mode(0o755)).with_context(place)?;
        let mut cargo = self.command("test");
        let cargo = cargo.arg("--doc").env("RUSTDOC", &rustdoc);
        let output = cargo
            .env("EXAMPLES", folder)
            .output()
            .context("cannot run cargo")?;
        if !output.status.success() {
            return Ok(Err(String::from_utf8_lossy(&output.stdout).into_owned()));
        }
        let mut programs = Vec::new();
        for entry in fs::read_dir(folder).with_context(place)? {
            let program = entry.with_context(place)?.path().join("rust_out");
            if program.is_file() {
                programs.push(program);
            }
        }
        programs.sort();
        Ok(Ok(programs))
    }

    /// Whether the package compiles, its tests aside.
    ///
    /// # Errors
    ///
    /// If cargo fails for another reason than an error in the code.
    pub fn checks(&self) -> Result<bool> {
        let output = self.run("check", &["--message-format", "json"])?;
        if output.status.success() {
            return Ok(true);
        }
        self.complaints(&messages(&output)?, &output)?;
        Ok(false)
    }

    /// The roots of the package's crates, its tests and examples aside.
    ///
    /// # Errors
    ///
    /// If there is no such package.
    pub fn crates(&self) -> Result<Vec<CrateRoot>> {
        let output = group_dies_with_parent("cargo")
            .args(["metadata", "--no-deps", "--format-version", "1"])
            .current_dir(&self.root)
            .output()
            .context("cannot run cargo")?;
        let metadata: Metadata = serde_json::from_slice(&output.stdout)
            .with_context(|| String::from_utf8_lossy(&output.stderr).into_owned())?;
        let package = metadata
            .packages
            .into_iter()
            .find(|package| package.name == self.package)
            .with_context(|| format!("no package `{}` in the workspace", self.package))?;
        let kinds = ["lib", "bin", "proc-macro"];
        let own = |target: &Target| {
            target
                .kind
                .iter()
                .any(|kind| kinds.contains(&kind.as_str()))
        };
        let root = self.root.canonicalize().context("the workspace")?;
        let paths = package.targets.into_iter().filter(own);
        let from_root = paths.map(|target| relative(&root, &target.src_path));
        from_root.collect()
    }

    /// A command of cargo in the workspace, with the profile of mutants.
    pub fn command(&self, command: &str) -> Command {
        let mut cargo = group_dies_with_parent("cargo");
        cargo
            .args([command, "--quiet", "--profile", "mutants", "--package"])
            .arg(&self.package)
            .arg("--target-dir")
            .arg(&self.target)
            .current_dir(&self.root)
            .env("RUSTFLAGS", "--cap-lints=warn")
            .env_remove("CARGO_ENCODED_RUSTFLAGS");
        if self.soon {
            cargo.env("CARGO_PROFILE_MUTANTS_OPT_LEVEL", "1");
        }
        cargo
    }

    fn run(&self, command: &str, arguments: &[&str]) -> Result<Output> {
        let mut cargo = self.command(command);
        cargo.args(arguments).output().context("cannot run cargo")
    }

    fn complaints(&self, messages: &[Message], output: &Output) -> Result<Vec<Complaint>> {
        let complaints: Vec<_> = messages.iter().filter_map(Message::complaint).collect();
        if complaints.is_empty() {
            let said = String::from_utf8_lossy(&output.stderr);
            bail!(
                "cargo does not build `{}`: {}",
                self.package,
                said.trim_end()
            );
        }
        Ok(complaints)
    }
}

fn relative(root: &Path, path: &Path) -> Result<String> {
    let path = path.strip_prefix(root).context("a crate elsewhere")?;
    Ok(path.to_str().context("a path that is no text")?.to_owned())
}

fn messages(output: &Output) -> Result<Vec<Message>> {
    let lines = output.stdout.split(|&byte| byte == b'\n');
    let lines = lines.filter(|line| line.first() == Some(&b'{'));
    lines
        .map(|line| serde_json::from_slice(line).context("a message of cargo is not as known"))
        .collect()
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    targets: Vec<Target>,
}

#[derive(Deserialize)]
struct Target {
    #[serde(default)]
    name: String,
    #[serde(default)]
    kind: Vec<String>,
    src_path: PathBuf,
}

#[derive(Deserialize)]
struct Message {
    target: Option<Target>,
    executable: Option<PathBuf>,
    profile: Option<Profile>,
    message: Option<Diagnostic>,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
}

#[derive(Deserialize)]
struct Diagnostic {
    level: String,
    message: String,
    code: Option<Code>,
    spans: Vec<Span>,
    #[serde(default)]
    children: Vec<Diagnostic>,
}

#[derive(Deserialize)]
struct Code {
    code: String,
}

#[derive(Deserialize, Clone)]
struct Span {
    file_name: String,
    byte_start: usize,
    byte_end: usize,
    is_primary: bool,
    expansion: Option<Box<Expansion>>,
}

#[derive(Deserialize, Clone)]
struct Expansion {
    span: Span,
}

impl Span {
    /// Where it stands in the text, what macros made of it aside.
    fn place(&self) -> (String, Range<usize>) {
        match &self.expansion {
            Some(expansion) => expansion.span.place(),
            None => (self.file_name.clone(), self.byte_start..self.byte_end),
        }
    }
}

impl Message {
    fn executable(&self) -> Option<Executable> {
        let program = self.executable.clone()?;
        let name = self.target.as_ref()?.name.clone();
        let tests = self.profile.as_ref()?.test;
        tests.then_some(Executable { name, program })
    }

    fn complaint(&self) -> Option<Complaint> {
        let diagnostic = self.message.as_ref()?;
        let is_error = diagnostic.level.starts_with("error") && !diagnostic.spans.is_empty();
        is_error.then(|| diagnostic.complaint())
    }
}

impl Diagnostic {
    fn complaint(&self) -> Complaint {
        let (first, second): (Vec<&Span>, Vec<&Span>) =
            self.spans.iter().partition(|span| span.is_primary);
        let notes = self.children.iter().flat_map(|child| &child.spans);
        let spans = first.into_iter().chain(second).chain(notes);
        Complaint {
            message: self.message.clone(),
            code: self
                .code
                .as_ref()
                .map_or_else(String::new, |code| code.code.clone()),
            places: spans.map(Span::place).collect(),
        }
    }
}
