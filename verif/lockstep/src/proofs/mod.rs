//! Properties of the emitted Verilog, proved without a bound.
//!
//! A file of `hdl/proofs` holds the properties of one circuit as SystemVerilog assertions, and says in comments what it is
//! about and which damage to the circuit it must notice ([`Property`]). Yosys makes a transition system of the
//! circuit with the assertions in it, and an SMT solver is asked twice ([`attempt`]):
//!
//! ```text
//!   base:       can an assertion fail in the first steps after reset?
//!   induction:  can it fail after so many steps, from any state, in which none did?
//! ```
//!
//! Two times no: it never fails, however long the circuit runs.

mod property;
mod run;
mod standalone;

pub use property::{Damage, Place, Property, PropertyError};
pub use run::{Verdict, attempt, attempt_damaged, first_steps, is_noticed};

use std::path::Path;

use anyhow::{Context, Result};
use hpp_gen::Config;

/// The properties of the project, by name.
///
/// # Errors
///
/// If a file cannot be read, or does not say what it is about.
pub fn all(root: &Path) -> Result<Vec<Property>> {
    let folder = root.join("hdl/proofs");
    let context = || format!("cannot read {}", folder.display());
    let mut properties = Vec::new();
    for entry in std::fs::read_dir(&folder).with_context(context)? {
        let path = entry.with_context(context)?.path();
        if path.extension().is_some_and(|extension| extension == "sv") {
            properties.push(read(&path).with_context(|| path.display().to_string())?);
        }
    }
    properties.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(properties)
}

/// The property of a file, with what it includes.
fn read(path: &Path) -> Result<Property> {
    let text = std::fs::read_to_string(path).context("cannot be read")?;
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let text = property::with_included(&text, &|file| {
        std::fs::read_to_string(path.with_file_name(file))
            .with_context(|| format!("cannot read {file}, which it includes"))
    })?;
    Ok(Property::parse(&name, &text)?)
}

/// The Verilog of the circuit that a property is about.
///
/// # Errors
///
/// If its configuration is none, or it names a circuit that cannot be there.
pub fn circuit(property: &Property) -> Result<String> {
    let config = Config::from_toml(&property.configuration, Path::new(&property.name))?;
    let whole = |name: &String| property.place == Place::Inside(format!("hpp_{name}"));
    if let Some(name) = property.circuits.iter().find(|name| whole(name)) {
        return standalone::module(name, &config);
    }
    let mut verilog = hpp_gen::generate(&config)?.verilog().to_string();
    for name in &property.circuits {
        verilog += &standalone::module(name, &config)?;
    }
    Ok(verilog)
}
