//! From Verilog sources to a loaded shared library.

use crate::cache::{self, Key};
use crate::compiler::Compiler;
use crate::error::{AtPath, Error, Result};
use crate::header::{self, Declaration};
use crate::library::Design;
use crate::model::COVERAGE;
use crate::runtime;
use crate::tool::Verilator;
use crate::unit::{SHIM, files_of, runtime_units, write_unit};
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone)]
enum Source {
    File(PathBuf),
    Text {
        name: String,
        text: String,
        included: bool,
    },
}

/// What to build: sources, top module and options.
///
/// ```no_run
/// # fn main() -> verilated::Result<()> {
/// let counter = "module counter(input clk, output reg [7:0] q = 0);
///                always @(posedge clk) q <= q + 1;
///                endmodule";
/// let design = verilated::Builder::new("counter").source_text("counter.v", counter).build()?;
/// let mut model = design.model()?;
/// let (clk, q) = (model.input("clk")?, model.output("q")?);
/// model.cycle(clk)?;
/// assert_eq!(model.get(q), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Builder {
    top: String,
    sources: Vec<Source>,
    include_dirs: Vec<PathBuf>,
    defines: Vec<String>,
    parameters: Vec<String>,
    flags: Vec<String>,
    coverage: bool,
    optimisation: u32,
}

impl Builder {
    /// A design whose top module is `top`. C++ is compiled with `-O1`, the shortest time from text to ten million cycles.
    pub fn new(top: impl Into<String>) -> Self {
        Self {
            top: top.into(),
            sources: Vec::new(),
            include_dirs: Vec::new(),
            defines: Vec::new(),
            parameters: Vec::new(),
            flags: Vec::new(),
            coverage: std::env::var_os(COVERAGE).is_some(),
            optimisation: 1,
        }
    }

    pub fn source(mut self, path: impl Into<PathBuf>) -> Self {
        self.sources.push(Source::File(path.into()));
        self
    }

    /// Adds a source held in memory; messages and coverage call it `name`.
    pub fn source_text(mut self, name: impl Into<String>, text: impl Into<String>) -> Self {
        self.sources.push(Source::Text {
            name: name.into(),
            text: text.into(),
            included: false,
        });
        self
    }

    /// Adds a text that sources include by this name.
    pub fn included_text(mut self, name: impl Into<String>, text: impl Into<String>) -> Self {
        self.sources.push(Source::Text {
            name: name.into(),
            text: text.into(),
            included: true,
        });
        self
    }

    /// Adds a folder for `` `include `` files and for modules not found elsewhere.
    pub fn include_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.include_dirs.push(folder.into());
        self
    }

    /// Defines a macro: `NAME` or `NAME=VALUE`.
    pub fn define(mut self, definition: impl AsRef<str>) -> Self {
        self.defines.push(format!("-D{}", definition.as_ref()));
        self
    }

    /// Overrides a parameter of the top module; the value is a Verilog constant.
    pub fn parameter(mut self, name: &str, value: impl std::fmt::Display) -> Self {
        self.parameters.push(format!("-G{name}={value}"));
        self
    }

    /// Passes one argument to Verilator as it is, such as `-Wno-lint`.
    pub fn flag(mut self, argument: impl Into<String>) -> Self {
        self.flags.push(argument.into());
        self
    }

    /// Optimisation level of the C++ compiler, 0 to 3 (default: 1).
    pub fn optimisation(mut self, level: u32) -> Self {
        self.optimisation = level.min(3);
        self
    }

    /// Builds the design, or takes it from the store if nothing that went into it changed.
    pub fn build(&self) -> Result<Design> {
        let verilator = Verilator::find()?;
        let compiler = Compiler::find(self.optimisation)?;
        let name = self.key(&verilator, &compiler)?.name();
        let folder = cache::entry(&name, |draft| self.make(draft, &verilator, &compiler))?;
        Design::load(&self.top, &library_in(&folder), self.coverage)
    }

    fn key(&self, verilator: &Verilator, compiler: &Compiler) -> Result<Key> {
        let mut key = runtime::key("model", verilator, compiler);
        key.add("shim", SHIM.as_bytes());
        for argument in self.arguments() {
            key.add("argument", argument.as_bytes());
        }
        for source in &self.sources {
            match source {
                Source::File(path) => add_file(&mut key, path)?,
                Source::Text {
                    name,
                    text,
                    included,
                } => {
                    key.add("name", name.as_bytes());
                    key.add("text", text.as_bytes());
                    key.add("included", &[u8::from(*included)]);
                }
            }
        }
        for folder in &self.include_dirs {
            for file in files_below(folder)? {
                add_file(&mut key, &file)?;
            }
        }
        Ok(key)
    }

    fn arguments(&self) -> Vec<String> {
        let fixed = [
            "--cc",
            "--prefix",
            "Vmodel",
            "--top-module",
            &self.top,
            "--assert",
        ];
        let mut arguments: Vec<String> = fixed.map(String::from).into();
        if self.coverage {
            arguments.extend(["--coverage-line", "--coverage-toggle"].map(String::from));
        }
        arguments.extend_from_slice(&self.defines);
        arguments.extend_from_slice(&self.parameters);
        arguments.extend_from_slice(&self.flags);
        arguments
    }

    /// Fills `draft` with the library; intermediate files are removed again.
    fn make(&self, draft: &Path, verilator: &Verilator, compiler: &Compiler) -> Result<()> {
        let work = draft.join("work");
        fs::create_dir(&work).at(&work)?;
        self.verilate(&work, verilator)?;
        let generated = work.join("generated");
        let ports = self.ports(&generated)?;
        write_unit(&generated, &ports)?;
        let include = verilator.include_dir();
        let includes = [generated.clone(), include.join("vltstd"), include];
        let mut flags = vec![format!("-DVM_COVERAGE={}", u8::from(self.coverage))];
        let headers = runtime::headers(verilator, compiler, &flags)?;
        flags.extend(["-include".into(), headers.display().to_string()]);
        let object = work.join("model.o");
        compiler.object(
            &self.top,
            &generated.join("all.cpp"),
            &object,
            &includes,
            &flags,
        )?;
        let mut objects = vec![object];
        let units = runtime_units(&generated)?;
        objects.extend(runtime::objects(verilator, &Compiler::find(1)?, &units)?);
        compiler.shared(&self.top, &objects, &library_in(draft))?;
        fs::remove_dir_all(&work).at(&work)
    }

    /// Runs Verilator in `work`; its output is in `work/generated`.
    fn verilate(&self, work: &Path, verilator: &Verilator) -> Result<()> {
        let mut command = verilator.command();
        command
            .current_dir(work)
            .args(self.arguments())
            .args(["--Mdir", "generated"]);
        for folder in &self.include_dirs {
            command.arg("-y").arg(folder.canonicalize().at(folder)?);
        }
        for source in &self.sources {
            match source {
                Source::File(path) => command.arg(path.canonicalize().at(path)?),
                Source::Text {
                    name,
                    text,
                    included,
                } => {
                    fs::write(work.join(name), text).at(name)?;
                    command.args((!included).then_some(name))
                }
            };
        }
        let output = command.output().at(command.get_program())?;
        if output.status.success() {
            return Ok(());
        }
        let message = String::from_utf8_lossy(&output.stderr).trim().to_string();
        Err(Error::Verilog {
            top: self.top.clone(),
            message,
        })
    }

    fn ports(&self, generated: &Path) -> Result<Vec<Declaration>> {
        let path = generated.join("Vmodel.h");
        header::ports(&self.top, &fs::read_to_string(&path).at(&path)?)
    }
}

fn library_in(folder: &Path) -> PathBuf {
    folder.join(format!("model{}", std::env::consts::DLL_SUFFIX))
}

fn add_file(key: &mut Key, path: &Path) -> Result<()> {
    key.add("path", path.as_os_str().as_encoded_bytes());
    key.add("file", &fs::read(path).at(path)?);
    Ok(())
}

/// The files in a folder and in those within it: `` `include "part/name.vh" `` reaches them all.
fn files_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = files_of(folder)?;
    for entry in fs::read_dir(folder).at(folder)? {
        let entry = entry.at(folder)?;
        // A link may lead back.
        if entry.file_type().at(folder)?.is_dir() {
            files.extend(files_below(&entry.path())?);
        }
    }
    files.sort();
    Ok(files)
}
