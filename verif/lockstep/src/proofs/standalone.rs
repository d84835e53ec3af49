//! Circuits that are not modules of the profiler, each as a module for proofs about it alone.

use anyhow::{Result, bail};
use hpp_gen::Config;
use hpp_gen::verilog::emit;
use hpp_hdl::bus::Apb;
use hpp_hdl::detector::Detector;
use hpp_hdl::harts::HartArbiter;
use hpp_hdl::profiler::Profiler;
use hpp_hdl::table::sequential::WayRow;
use hpp_hdl::table::{PathOfTag, SetIndex, TagLayout, TagOfPath};
use rust_hdl::prelude::Block;

/// The module `hpp_NAME` of a circuit, as in a profiler of this configuration, and the modules in it.
///
/// # Errors
///
/// If no circuit has this name.
pub(super) fn module(name: &str, config: &Config) -> Result<String> {
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
