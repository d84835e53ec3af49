//! The demonstration program of the boards, built for a memory and against a profiler's own header.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use verilated::tools::command::make;

use crate::error::{FlowError, Result, file_error};
use crate::profiler::Profiler;

/// How full a drain is when the program takes what waits: half, so that more can come until it does.
fn watermark(profiler: &Profiler) -> Option<String> {
    let geometry = &profiler.config.geometry;
    let half = geometry.drain_depth / 2;
    geometry.has_drain().then(|| format!("WATERMARK={half}"))
}

/// Builds the program as `OUT/demo.elf`, beside everything that was generated with the profiler, and returns its path. Those who build in one
/// folder at the same time take turns.
///
/// # Errors
///
/// If the profiler's files cannot be written, or the program is not built (the compiler's messages are in the error).
pub fn demonstration(
    root: &Path,
    memory_words: u32,
    profiler: &Profiler,
    out: &Path,
) -> Result<PathBuf> {
    fs::create_dir_all(out).map_err(file_error(out))?;
    let lock = out.join("lock");
    let turn = File::create(&lock).map_err(file_error(&lock))?;
    turn.lock().map_err(file_error(&lock))?;
    profiler.output.write_to(out)?;
    let output = make(&root.join("fpga/boards/demo"))
        .arg(format!("OUT={}", out.display()))
        .arg(format!("PROFILER={}", out.display()))
        .arg(format!("RAM_BYTES={}", memory_words * 4))
        .args(watermark(profiler))
        .output()
        .map_err(file_error("make"))?;
    if !output.status.success() {
        return Err(FlowError::Program {
            what: "the demonstration",
            message: String::from_utf8_lossy(&output.stderr).trim().to_string(),
        });
    }
    Ok(out.join("demo.elf"))
}
