//! Verilator's C++ runtime, compiled once for each Verilator, compiler and optimisation level.

use crate::cache::{self, Key};
use crate::compiler::Compiler;
use crate::error::{AtPath, Result};
use crate::tool::Verilator;
use std::fs;
use std::path::PathBuf;

pub(crate) const SHIM_HEADER: &str = include_str!("shim.h");

/// Object files of the named runtime units (`verilated`, `verilated_cov`, ...), in their order.
pub(crate) fn objects(
    verilator: &Verilator,
    compiler: &Compiler,
    units: &[String],
) -> Result<Vec<PathBuf>> {
    units
        .iter()
        .map(|unit| object(verilator, compiler, unit))
        .collect()
}

fn object(verilator: &Verilator, compiler: &Compiler, unit: &str) -> Result<PathBuf> {
    let mut key = Key::new("runtime");
    key.add("unit", unit.as_bytes());
    key.add("verilator", verilator.version().as_bytes());
    key.add(
        "include",
        verilator.include_dir().as_os_str().as_encoded_bytes(),
    );
    key.add("compiler", compiler.fingerprint().as_bytes());
    key.add("header", SHIM_HEADER.as_bytes());
    let folder = cache::entry(&key.name(), |draft| {
        let header = draft.join("shim.h");
        fs::write(&header, SHIM_HEADER).at(&header)?;
        let include = verilator.include_dir();
        let source = include.join(format!("{unit}.cpp"));
        let flags = ["-include".to_string(), header.display().to_string()]
            .into_iter()
            .chain(["-DVM_COVERAGE=1".to_string()])
            .collect::<Vec<_>>();
        let includes = [include.clone(), include.join("vltstd")];
        compiler.object(unit, &source, &draft.join("unit.o"), &includes, &flags)
    })?;
    Ok(folder.join("unit.o"))
}
