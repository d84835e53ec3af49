//! The C++ compiler, found by the `cc` crate (so `CXX` and `CXXFLAGS` count) and called directly,
//! because what is wanted is a shared library outside any build script.

use crate::error::{AtPath, Error, Result};
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{LazyLock, Mutex, PoisonError};

/// A C++ compiler at one optimisation level.
pub(crate) struct Compiler {
    tool: cc::Tool,
    version: String,
    optimisation: u32,
}

/// Preprocessor settings that Verilator's makefile would pass.
const SETTINGS: [&str; 8] = [
    "-DVM_SC=0",
    "-DVM_TRACE=0",
    "-DVM_TRACE_FST=0",
    "-DVM_TRACE_SAIF=0",
    "-DVM_TIMING=0",
    "-DVL_TIME_CONTEXT",
    "-fvisibility=hidden",
    "-std=c++17",
];

impl Compiler {
    pub(crate) fn find(optimisation: u32) -> Result<Self> {
        let target = env!("VERILATED_TARGET");
        let mut build = cc::Build::new();
        build
            .cpp(true)
            .target(target)
            .host(target)
            .opt_level(optimisation)
            .debug(false)
            .pic(true);
        build
            .warnings(false)
            .cargo_metadata(false)
            .cargo_output(false)
            .cargo_debug(false);
        build.out_dir(std::env::temp_dir());
        let tool = build.try_get_compiler().map_err(|e| Error::Compiler {
            top: "any design".into(),
            message: format!("no C++ compiler: {e}; install g++ or set CXX"),
        })?;
        let version = version(tool.to_command()).map_err(|reason| Error::Compiler {
            top: "any design".into(),
            message: format!(
                "{}: {reason}; install g++ or set CXX",
                tool.path().display()
            ),
        })?;
        Ok(Self {
            tool,
            version,
            optimisation,
        })
    }

    /// What distinguishes this compiler's output from another's.
    pub(crate) fn fingerprint(&self) -> String {
        format!(
            "{:?} {} {:?} {SETTINGS:?} -O{}",
            self.tool.path(),
            self.version,
            self.tool.args(),
            self.optimisation
        )
    }

    /// Compiles `source` to `object`, with headers from `includes`.
    pub(crate) fn object(
        &self,
        top: &str,
        source: &Path,
        object: &Path,
        includes: &[PathBuf],
        flags: &[String],
    ) -> Result<()> {
        let mut command = self.command(includes, flags);
        command.arg("-c").arg(source).arg("-o").arg(object);
        run(top, command)
    }

    pub(crate) fn shared(&self, top: &str, objects: &[PathBuf], library: &Path) -> Result<()> {
        let mut command = self.tool.to_command();
        command
            .arg("-shared")
            .args(objects)
            .arg("-o")
            .arg(library)
            .arg("-lpthread");
        run(top, command)
    }

    fn command(&self, includes: &[PathBuf], flags: &[String]) -> Command {
        let mut command = self.tool.to_command();
        command.args(SETTINGS);
        // Models in one process must not share the runtime's inline statics.
        if self.tool.is_like_gnu() {
            command.arg("-fno-gnu-unique");
        }
        for folder in includes {
            command.args([OsStr::new("-I"), folder.as_os_str()]);
        }
        command.args(flags);
        command
    }
}

/// What the compiler says of its version: the first line, each program asked once.
fn version(mut command: Command) -> std::result::Result<String, String> {
    static KNOWN: LazyLock<Mutex<HashMap<OsString, String>>> = LazyLock::new(Mutex::default);
    let program = command.get_program().to_os_string();
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(version) = known.get(&program) {
        return Ok(version.clone());
    }
    let output = command.arg("--version").output();
    let output = output.map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(format!("`--version` ended with {}", output.status));
    }
    let said = String::from_utf8_lossy(&output.stdout);
    let version = said.lines().next().unwrap_or_default().to_string();
    known.insert(program, version.clone());
    Ok(version)
}

fn run(top: &str, mut command: Command) -> Result<()> {
    let program = PathBuf::from(command.get_program());
    let output = command.output().at(program)?;
    if output.status.success() {
        return Ok(());
    }
    let message = String::from_utf8_lossy(&output.stderr).trim().to_string();
    Err(Error::Compiler {
        top: top.into(),
        message,
    })
}
