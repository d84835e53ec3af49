//! The C++ that is compiled: what Verilator generated, and the shim beside it.

use crate::error::{AtPath, Result};
use crate::header::{Declaration, Direction};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// What gives a model its C interface.
pub(crate) const SHIM: &str = include_str!("shim.cpp");

/// The files directly in a folder, in the order of their names.
pub(crate) fn files_of(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).at(folder)? {
        let path = entry.at(folder)?.path();
        files.extend(path.is_file().then_some(path));
    }
    files.sort();
    Ok(files)
}

/// Writes the shim, its port list, and one unit that includes it and every generated file.
pub(crate) fn write_unit(generated: &Path, ports: &[Declaration]) -> Result<()> {
    let mut unit = String::new();
    for file in files_of(generated)?
        .iter()
        .filter(|f| f.extension().is_some_and(|e| e == "cpp"))
    {
        let name = file
            .file_name()
            .expect("a file of a folder has a name")
            .to_string_lossy();
        let _ = writeln!(unit, "#include \"{name}\"");
    }
    unit.push_str("#include \"shim.cpp\"\n");
    let mut list = String::new();
    for Declaration {
        name,
        member,
        direction,
        width,
    } in ports
    {
        let direction = u32::from(*direction == Direction::Output);
        let name = name.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(
            list,
            "VERILATED_PORT(\"{name}\", {direction}, {width}, {member})"
        );
    }
    let files = [("shim.cpp", SHIM), ("ports.inc", &list), ("all.cpp", &unit)];
    for (name, text) in files {
        let path = generated.join(name);
        fs::write(&path, text).at(&path)?;
    }
    Ok(())
}

/// The runtime units Verilator's own makefile fragment asks for.
pub(crate) fn runtime_units(generated: &Path) -> Result<Vec<String>> {
    let path = generated.join("Vmodel_classes.mk");
    let text = fs::read_to_string(&path).at(&path)?;
    let mut units = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with("VM_GLOBAL_") {
            inside = true;
        } else if inside {
            let unit = line.trim_end_matches('\\').trim();
            inside = !unit.is_empty();
            units.extend(inside.then(|| unit.to_string()));
        }
    }
    Ok(units)
}
