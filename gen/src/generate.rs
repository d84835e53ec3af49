//! From a configuration to every file an integrator needs.

use hpp_hdl::Bus;
use hpp_hdl::drain::DrainWriter;
use hpp_hdl::tiny::TinyProfiler;
use hpp_hdl::top::top;
use rust_hdl::prelude::Block;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use thiserror::Error;

use crate::bind::{Bind, BindError, directive};
use crate::config::{Config, ConfigError};
use crate::manifest::Manifest;
use crate::names::can_say;
use crate::svd::svd;
use crate::testbench::Testbench;
use crate::texts::render;
use crate::verilog::{ResetStyle, WriteError, emit_with};

/// Everything that was generated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// Text of each file, by its name.
    pub files: BTreeMap<String, String>,
    /// What was generated, for programs.
    pub manifest: Manifest,
}

/// Why nothing could be generated.
#[derive(Debug, Error)]
pub enum GenerateError {
    /// The configuration is impossible.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The profiler cannot be bound into the module.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// VHDL is asked for, and has no such name.
    #[error(
        "prefix = \"{0}\" is no name of VHDL, for which --vhdl asks; allowed: a small letter, then small letters, digits and single \
         underscores, none at the end, and no reserved word"
    )]
    Vhdl(String),
    /// A circuit could not be written as Verilog: a defect of this program.
    #[error("the circuits cannot be written as Verilog")]
    Write(#[from] WriteError),
    /// A template could not be filled: a defect of this program.
    #[error("a template cannot be filled")]
    Template(#[from] minijinja::Error),
    /// The registers could not be described: a defect of this program.
    #[error("the registers cannot be described")]
    Svd(#[from] svd_rs::SvdError),
}

/// A file or folder that could not be put into its place, and what the system says.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Debug, Error)]
#[error("cannot write {}", path.display())]
pub struct OutputError {
    pub path: PathBuf,
    pub source: std::io::Error,
}

/// What is generated besides, and how.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extras<'a> {
    /// A file for each module, named after it, and a list of the files, in place of one file with all modules.
    pub split: bool,
    /// A directive that binds the profiler into a module.
    pub bind: Option<&'a Bind>,
    /// A component declaration for designs in VHDL.
    pub vhdl: bool,
    /// How registers are reset.
    pub reset: ResetStyle,
}

/// Generates a profiler, its Verilog in one file. The same configuration gives the same bytes.
///
/// # Errors
/// A configuration that is impossible; every other error is a defect of this program.
pub fn generate(config: &Config) -> Result<Output, GenerateError> {
    generate_with(config, &Extras::default())
}

/// Generates a profiler, and what is asked for besides.
///
/// # Errors
/// As [`generate`]; if inputs of a bound profiler have no connection; if VHDL has no such name.
pub fn generate_with(config: &Config, extras: &Extras<'_>) -> Result<Output, GenerateError> {
    config.validate()?;
    if extras.vhdl && !can_say(&config.prefix) {
        return Err(GenerateError::Vhdl(config.prefix.clone()));
    }
    let interfaces = (config.ingress, config.bus);
    let (geometry, reset) = (config.effective_geometry(), config.effective_reset());
    let top = match geometry.is_tiny() {
        true => Box::new(TinyProfiler::new(&geometry)),
        false => top(interfaces, &geometry, &reset, &config.ports),
    };
    let writer = geometry.has_drain().then(|| DrainWriter::new(&geometry));
    package(config, top.as_ref(), writer, extras)
}

/// Writes `top` and what goes with it.
fn package(
    config: &Config,
    top: &dyn Block,
    writer: Option<DrainWriter>,
    extras: &Extras<'_>,
) -> Result<Output, GenerateError> {
    let (prefix, split) = (&config.prefix, extras.split);
    let written = emit_with(top, prefix, extras.reset)?;
    let bound = extras.bind;
    let bound = bound.map(|bind| directive(bind, config, &written.ports));
    let bound = bound.transpose()?;
    let writer_name = format!("{prefix}_drain_writer");
    let writer = writer.map(|writer| emit_with(&writer, &writer_name, extras.reset));
    let writer = writer.transpose()?;
    let with_registers = config.bus != Bus::None;
    let (modules, texts) = match split {
        false => (&written.modules[..1], std::slice::from_ref(&written.text)),
        true => (&written.modules[..], &written.files[..]),
    };
    let sources: Vec<String> = modules.iter().map(|module| format!("{module}.v")).collect();
    let mut manifest = Manifest::new(config, &written, sources)?;
    let head = head(&manifest);
    let mut files: BTreeMap<String, String> = manifest
        .verilog
        .iter()
        .zip(texts)
        .map(|(name, text)| (name.clone(), format!("{head}{text}")))
        .collect();
    if let Some(text) = bound {
        files.insert(format!("{prefix}_bind.sv"), format!("{head}{text}"));
    }
    if let Some(writer) = writer {
        let text = format!("{head}{}", writer.text);
        files.insert(format!("{prefix}_drain_writer.v"), text);
    }
    if split {
        files.insert(format!("{prefix}.f"), manifest.verilog.join("\n") + "\n");
    }
    // The templates ask which of these there are.
    manifest.files = files.keys().cloned().collect();
    let testbench = Testbench::new(config).expect("the configuration has been checked");
    for (suffix, text) in render(&manifest, &testbench, extras.vhdl)? {
        files.insert(format!("{prefix}{suffix}"), text);
    }
    if with_registers {
        files.insert(format!("{prefix}.svd"), svd(&manifest)?);
    }
    let name = format!("{prefix}.json");
    files.insert(name.clone(), String::new());
    manifest.files = files.keys().cloned().collect();
    let json = serde_json::to_string_pretty(&manifest)
        .expect("a manifest is numbers, names and lists of them");
    files.insert(name, json + "\n");
    Ok(Output { files, manifest })
}

/// What a Verilog file opens with: where it comes from.
fn head(manifest: &Manifest) -> String {
    format!(
        "// Hardware path profiler `{}`, generated by {} {}.\n\
         // Configuration (SHA-256): {}\n\
         // SPDX-License-Identifier: MIT OR Apache-2.0\n",
        manifest.top, manifest.generator, manifest.version, manifest.configuration_hash
    )
}

impl Output {
    /// The Verilog: all of it, or if it was split the top module's file.
    #[must_use]
    pub fn verilog(&self) -> &str {
        &self.files[&format!("{}.v", self.manifest.top)]
    }

    /// Puts every file into `folder`, which is made if it is not there. Each file appears whole or not at all: it is written
    /// beside its place and then renamed. Returns the files that a manifest in the folder lists under the same prefix and this run
    /// does not write; they stay.
    ///
    /// # Errors
    /// [`OutputError`] for the first file that cannot be written.
    pub fn write_to(&self, folder: &Path) -> Result<Vec<PathBuf>, OutputError> {
        let at = |path: &Path| {
            let path = path.to_path_buf();
            move |source| OutputError { path, source }
        };
        std::fs::create_dir_all(folder).map_err(at(folder))?;
        let stale = self.stale(folder);
        let draft = tempfile::tempdir_in(folder).map_err(at(folder))?;
        for (name, text) in &self.files {
            std::fs::write(draft.path().join(name), text).map_err(at(&folder.join(name)))?;
        }
        for name in self.files.keys() {
            let path = folder.join(name);
            std::fs::rename(draft.path().join(name), &path).map_err(at(&path))?;
        }
        Ok(stale)
    }

    /// The files of an earlier run that this one does not replace.
    fn stale(&self, folder: &Path) -> Vec<PathBuf> {
        let manifest = std::fs::read(folder.join(format!("{}.json", self.manifest.top)));
        let earlier: serde_json::Value = manifest
            .ok()
            .and_then(|text| serde_json::from_slice(&text).ok())
            .unwrap_or_default();
        let names = earlier["files"].as_array().into_iter().flatten();
        let names = names.filter_map(serde_json::Value::as_str);
        names
            .filter(|name| !self.files.contains_key(*name))
            .map(|name| folder.join(name))
            .filter(|path| path.exists())
            .collect()
    }
}
