//! Circuits that are not modules of the profiler, each as a module for proofs about it alone.

use anyhow::{Result, bail};
use hpp_gen::verilog::emit;
use hpp_golden::config::Geometry;
use hpp_hdl::bus::Apb;
use hpp_hdl::table::sequential::WayRow;
use hpp_hdl::table::{PathOfTag, SetIndex, TagLayout, TagOfPath};
use rust_hdl::prelude::Block;

/// The module `hpp_NAME` of a circuit, as in a profiler of this geometry.
///
/// # Errors
///
/// If no circuit has this name.
pub(super) fn module(name: &str, geometry: &Geometry) -> Result<String> {
    let layout = TagLayout::new(geometry);
    let circuit: Box<dyn Block> = match name {
        "apb" => Box::new(Apb::new(geometry.address_bits())),
        "path_of_tag" => Box::new(PathOfTag::new(&layout)),
        "set_index" => Box::new(SetIndex::new(geometry)),
        "tag_of_path" => Box::new(TagOfPath::new(&layout)),
        "way_row" => Box::new(WayRow::new(geometry.set_bits())),
        _ => bail!("`circuit {name}`: no circuit of this name can be had as a module"),
    };
    Ok(emit(circuit.as_ref(), &format!("hpp_{name}"))?.text)
}
