//! From a design to a netlist, to a placed design, to a bitstream, in a folder of its own.
//!
//! Each step keeps its outcome with a digest of all that went in, comments left out and the tool's version included, so a step whose input has not
//! changed is not run again. The digest is taken away first and written last: a step that was cut short is begun anew, whatever it was before.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use crate::design::{Design, hex};
use crate::device::{Device, PlaceRequest, Placer};
use crate::error::{FlowError, Result, file_error};
use crate::report::PlaceReport;
use crate::stat::{StatReport, Usage};
use crate::tool::{Tool, Toolchain};

/// Where designs are built, and with what.
#[derive(Clone, Debug)]
pub struct Flow {
    pub tools: Toolchain,
    /// The folder that holds a folder for each design and device.
    pub build: PathBuf,
}

#[derive(Clone, Debug)]
pub struct Netlist {
    pub dir: PathBuf,
    /// For what it was made.
    pub device: Device,
    pub usage: Usage,
    digest: String,
}

impl Netlist {
    /// What its device has too little of, judged by the cells alone.
    pub fn lacks(&self) -> Option<String> {
        too_large(&self.usage, &self.device)
    }
}

/// What place and route came to.
#[derive(Clone, Debug)]
pub enum Placed {
    Fits(Box<PlaceReport>),
    /// The device has too little of what is named.
    DoesNotFit(String),
}

impl Flow {
    /// Synthesises the design for the device.
    pub fn synthesise(&self, design: &Design, device: Device) -> Result<Netlist> {
        let dir = self.build.join(&design.name).join(device.key);
        let script = format!(
            "{}{}; tee -q -o stat.json stat -json",
            design.read_commands(),
            device.family.synthesis(&design.top)
        );
        let version = self.tools.version(Tool::Yosys)?;
        let digest = digest(&[&design.digest(), &version, &script]);
        if !is_cached(&dir, "synthesis", &digest) {
            prepare(&dir, design)?;
            forget(&dir, "synthesis")?;
            let arguments = ["-q", "-l", "yosys.log", "-p", &script].map(String::from);
            self.tools
                .run(Tool::Yosys, &dir, "synthesis.out", &arguments)?;
            keep(&dir, "synthesis", &digest, "")?;
        }
        let stat: StatReport = read_report(&dir.join("stat.json"), "yosys")?;
        Ok(Netlist {
            dir,
            device,
            usage: Usage::of(&stat.design.num_cells_by_type),
            digest,
        })
    }

    /// Places and routes a netlist; `constraints` is the text of the pin assignments.
    pub fn place(
        &self,
        netlist: &Netlist,
        seed: u32,
        target_mhz: f64,
        placer: Placer,
        constraints: Option<&str>,
    ) -> Result<Placed> {
        if let Some(reason) = netlist.lacks() {
            return Ok(Placed::DoesNotFit(reason));
        }
        let report = format!("place-{seed}.json");
        let step = format!("place-{seed}");
        if let Some(text) = constraints {
            write(&netlist.dir.join("pins"), text)?;
        }
        let request = PlaceRequest {
            seed,
            target_mhz,
            placer,
            constraints: constraints.map(|_| "pins"),
        };
        let arguments = netlist
            .device
            .place_arguments(&request, "netlist.json", &report);
        let tool = netlist.device.family.place_and_route();
        let digest = digest(&[
            &netlist.digest,
            &self.tools.version(tool)?,
            &arguments.join(" "),
            constraints.unwrap_or(""),
        ]);
        let placed = netlist.dir.join(netlist.device.placed_file(seed));
        let complete = constraints.is_none() || placed.exists();
        let full = format!("{step}-full");
        if let Some(reason) = cached(&netlist.dir, &full, &digest) {
            return Ok(Placed::DoesNotFit(reason));
        }
        if !complete || !is_cached(&netlist.dir, &step, &digest) {
            forget(&netlist.dir, &step)?;
            forget(&netlist.dir, &full)?;
            match self
                .tools
                .run(tool, &netlist.dir, &format!("{step}.log"), &arguments)
            {
                Err(FlowError::ToolFailed { message, .. }) if is_lack_of_room(&message) => {
                    keep(&netlist.dir, &full, &digest, &message)?;
                    return Ok(Placed::DoesNotFit(message));
                }
                other => other?,
            }
            keep(&netlist.dir, &step, &digest, "")?;
        }
        let report: PlaceReport = read_report(&netlist.dir.join(&report), "nextpnr")?;
        Ok(Placed::Fits(Box::new(report)))
    }

    /// Packs what was placed with the seed into a bitstream, which is in its place whole or not at all, and returns its path.
    pub fn pack(&self, netlist: &Netlist, seed: u32, name: &str) -> Result<PathBuf> {
        let bitstream = self.discard(netlist, name)?;
        let (tool, arguments, draft) = netlist.device.pack(seed, &format!("{name}-draft"));
        self.tools.run(tool, &netlist.dir, "pack.log", &arguments)?;
        let draft = netlist.dir.join(draft);
        fs::rename(&draft, &bitstream).map_err(file_error(draft))?;
        Ok(bitstream)
    }

    /// Removes the bitstream of an earlier run, if there is one, and returns its path.
    pub fn discard(&self, netlist: &Netlist, name: &str) -> Result<PathBuf> {
        let (_, _, file) = netlist.device.pack(0, name);
        let bitstream = netlist.dir.join(file);
        remove(&bitstream)?;
        Ok(bitstream)
    }
}

/// What the device has too little of, judged by the netlist alone.
fn too_large(usage: &Usage, device: &Device) -> Option<String> {
    let over = |what: &str, used: u64, available: u32| {
        (used > u64::from(available)).then(|| format!("{used} {what} of {available}"))
    };
    over("LUTs", usage.luts, device.luts)
        .or_else(|| over("block RAMs", usage.block_rams, device.block_rams))
}

/// Whether nextpnr's error says that the device is full: of cells, or of wires.
fn is_lack_of_room(message: &str) -> bool {
    [
        "Unable to place",
        "Unable to find a placement",
        "no BELs remaining",
        "failed to place",
        "Failed to place",
        "more than available",
        "Failed to route",
        "Failed to find a route",
    ]
    .iter()
    .any(|phrase| message.contains(phrase))
}

fn digest(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part);
        hash.update([0]);
    }
    hex(&hash.finalize())
}

fn prepare(dir: &Path, design: &Design) -> Result<()> {
    fs::create_dir_all(dir).map_err(file_error(dir))?;
    for file in &design.files {
        write(&dir.join(&file.name), &file.text)?;
    }
    Ok(())
}

/// The note kept with a step, if it was kept for this very input.
fn cached(dir: &Path, step: &str, digest: &str) -> Option<String> {
    let text = fs::read_to_string(dir.join(format!("{step}.digest"))).ok()?;
    let (cached, note) = text.split_once('\n')?;
    (cached == digest).then(|| note.to_string())
}

fn is_cached(dir: &Path, step: &str, digest: &str) -> bool {
    cached(dir, step, digest).is_some()
}

/// Says that a step is complete, with a note.
fn keep(dir: &Path, step: &str, digest: &str, note: &str) -> Result<()> {
    write(
        &dir.join(format!("{step}.digest")),
        &format!("{digest}\n{note}"),
    )
}

/// Says that what a step wrote is about to be overwritten.
fn forget(dir: &Path, step: &str) -> Result<()> {
    remove(&dir.join(format!("{step}.digest")))
}

fn remove(path: &Path) -> Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(file_error(path)(error)),
        _ => Ok(()),
    }
}

/// Writes a file whole or not at all.
pub fn write(path: &Path, text: &str) -> Result<()> {
    let dir = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(dir).map_err(file_error(path))?;
    file.write_all(text.as_bytes()).map_err(file_error(path))?;
    file.persist(path)
        .map_err(|error| file_error(path)(error.error))?;
    Ok(())
}

/// Reads a text file; the error names it.
pub fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).map_err(file_error(path))
}

fn read_report<T: DeserializeOwned>(path: &Path, tool: &'static str) -> Result<T> {
    serde_json::from_str(&read(path)?).map_err(|error| FlowError::Report {
        path: path.to_path_buf(),
        tool,
        reason: error.to_string(),
    })
}
