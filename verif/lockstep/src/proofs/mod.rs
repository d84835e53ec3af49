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

pub use property::{Damage, Place, Property, PropertyError};
pub use run::{Verdict, attempt, attempt_damaged, first_steps, is_noticed};

use std::path::Path;

use anyhow::{Context, Result, bail};
use hpp_gen::Config;
use hpp_gen::verilog::emit;
use hpp_hdl::bus::Apb;
use hpp_hdl::detector::Detector;
use hpp_hdl::harts::HartArbiter;
use hpp_hdl::profiler::Profiler;
use hpp_hdl::table::sequential::WayRow;
use hpp_hdl::table::{PathOfTag, SetIndex, TagLayout, TagOfPath};
use rust_hdl::prelude::Block;
use verilated::tools::project_root;

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
    let whole = |name: &String| match &property.place {
        Place::Inside(module) => module.trim_start_matches("hpp_") == name,
        Place::Around => false,
    };
    if let Some(name) = property.circuits.iter().find(|name| whole(name)) {
        return standalone(name, &config);
    }
    let mut verilog = hpp_gen::generate(&config)?.verilog().to_string();
    for name in &property.circuits {
        verilog += &standalone(name, &config)?;
    }
    Ok(verilog)
}

/// The module `hpp_NAME` of a circuit, as in a profiler of this configuration, and the modules in it.
///
/// # Errors
///
/// If no circuit has this name.
fn standalone(name: &str, config: &Config) -> Result<String> {
    if name == "path_crossing" {
        return Ok(format!("\n{}", module_of_the_page(name)));
    }
    let geometry = &config.geometry;
    let layout = TagLayout::new(geometry);
    let circuit: Box<dyn Block> = match name {
        "apb" => Box::new(Apb::new(geometry.address_bits())),
        "detector" => Box::new(Detector::new(geometry, false)),
        "hart_arbiter" => Box::new(HartArbiter::new(geometry)),
        "path_of_tag" => Box::new(PathOfTag::new(&layout)),
        "profiler" => Box::new(Profiler::new(geometry, &config.reset)),
        "set_index" => Box::new(SetIndex::new(geometry)),
        "tag_of_path" => Box::new(TagOfPath::new(&layout)),
        "way_row" => Box::new(WayRow::new(geometry.set_bits())),
        _ => bail!("`circuit {name}`: no circuit of this name can be had as a module"),
    };
    let text = emit(circuit.as_ref(), &format!("hpp_{name}"))?.text;
    Ok(text.replace(&format!("hpp_{name}_"), "hpp_"))
}

/// The module of this name in docs/adapters.md.
///
/// # Panics
///
/// If the page has none.
pub fn module_of_the_page(name: &str) -> String {
    let page = std::fs::read_to_string(project_root().join("docs/adapters.md"));
    let page = page.expect("the page is there").replace('\r', "");
    let mut blocks = page.split("```verilog\n").skip(1);
    let begins = format!("module {name} ");
    let block = blocks.find(|block| block.starts_with(&begins));
    let block = block.and_then(|block| block.split_once("```"));
    block
        .unwrap_or_else(|| panic!("no module {name} in the page"))
        .0
        .into()
}
