//! Whether a board's profiler is that of a manifest.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use hpp_golden::registers::{GEOMETRY0, GEOMETRY1, GEOMETRY2, GEOMETRY3};
use serde::Deserialize;

/// What of a manifest is of interest.
#[derive(Deserialize)]
pub struct Manifest {
    /// SHA-256 of the profiler's configuration.
    pub configuration_hash: String,
    registers: Vec<Register>,
}

#[derive(Deserialize)]
struct Register {
    name: String,
    #[serde(default)]
    reset: u32,
}

/// Reads a manifest.
pub fn read(file: &Path) -> Result<Manifest> {
    let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    serde_json::from_slice(&bytes).with_context(|| {
        format!(
            "{} is no manifest; it should be the hpp.json that gen-verilog wrote",
            file.display()
        )
    })
}

impl Manifest {
    /// Compares the identification registers with those that were generated.
    pub fn check(&self, found: [u32; 4]) -> Result<()> {
        let mut different = Vec::new();
        for (register, found) in [GEOMETRY0, GEOMETRY1, GEOMETRY2, GEOMETRY3]
            .iter()
            .zip(found)
        {
            let own = self.registers.iter().find(|own| own.name == register.name);
            let expected = own.map_or(0, |own| own.reset);
            for field in register.fields {
                let (found, expected) = (field.get(found), field.get(expected));
                if found != expected {
                    different.push(format!("{} is {found}, not {expected}", field.name));
                }
            }
        }
        if !different.is_empty() {
            bail!(
                "another profiler: {}; give the manifest that it was generated with",
                different.join(", ")
            );
        }
        Ok(())
    }
}
