//! What all models have in common, made once for each Verilator and compiler: the runtime, which is not where a model spends its time, at one
//! level of optimisation, and the headers, which take longer to read than most models to compile.

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

/// What depends on these.
pub(crate) fn key(kind: &str, verilator: &Verilator, compiler: &Compiler) -> Key {
    let mut key = Key::new(kind);
    key.add("verilator", verilator.version().as_bytes());
    let include = verilator.include_dir();
    key.add("include", include.as_os_str().as_encoded_bytes());
    key.add("compiler", compiler.fingerprint().as_bytes());
    key.add("header", SHIM_HEADER.as_bytes());
    key
}

/// The header that comes before every model, beside its compiled form, which the compiler takes in its place.
pub(crate) fn headers(
    verilator: &Verilator,
    compiler: &Compiler,
    flags: &[String],
) -> Result<PathBuf> {
    let mut key = key("headers", verilator, compiler);
    key.add("flags", flags.concat().as_bytes());
    let folder = cache::entry(&key.name(), |draft| {
        let header = draft.join("headers.h");
        let text = format!("{SHIM_HEADER}#include \"verilated.h\"\n");
        fs::write(&header, text).at(&header)?;
        let mut flags = flags.to_vec();
        flags.extend(["-x", "c++-header"].map(String::from));
        let includes = [verilator.include_dir()];
        let compiled = draft.join("headers.h.gch");
        compiler.object("verilated.h", &header, &compiled, &includes, &flags)
    })?;
    Ok(folder.join("headers.h"))
}

fn object(verilator: &Verilator, compiler: &Compiler, unit: &str) -> Result<PathBuf> {
    let mut key = key("runtime", verilator, compiler);
    key.add("unit", unit.as_bytes());
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
