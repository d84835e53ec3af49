//! From sources to a program with probes.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use hpp_fpga::core::Core;
use object::{Object, ObjectSection, ObjectSymbol};
use rustc_hash::FxHashMap;

use crate::FREE;
use crate::code::{COUNTERS, Code, begin, runtime};
use crate::counter_memory::Memory;
use crate::exact::{Followed, Places};
use crate::listing::{Listing, write};
use crate::plan::Plan;
use crate::rewrite::block_of;
use hpp_soc::make_firmware;
use verilated::tools::project_root;

/// Paths of a function that a register tells apart; functions with more are truncated.
const PATHS: u64 = 1 << 31;

/// The assembly of a program for a core.
pub struct Sources {
    program: String,
    core: Core,
    /// Whether the registers of probes are free.
    pub free: bool,
    pub listing: Listing,
}

/// A program that is built.
pub struct Assembled {
    pub elf: PathBuf,
    /// The functions and blocks at an address.
    pub places: Places,
    pub code: u64,
    pub counters: u64,
}

impl Sources {
    /// Compiles a program to the assembly of a core; `free` keeps the registers of probes free.
    ///
    /// # Errors
    ///
    /// If a tool is missing, the compiler fails, or what it wrote is not understood.
    pub fn compile(program: &str, core: Core, free: bool) -> Result<Self> {
        let folder = folder(program, core, if free { "free" } else { "plain" });
        make_firmware(
            &format!("{program}.assembly"),
            &options(core, free, &folder),
        )?;
        Ok(Sources {
            program: program.into(),
            core,
            free,
            listing: Listing::read(&folder.join(program), PATHS)?,
        })
    }

    /// Builds the program with these plans, one for each function. `key` names its folder.
    ///
    /// # Errors
    ///
    /// If it does not assemble or link, or a file cannot be written.
    pub fn assemble(&self, key: &str, plans: &[Plan], memory: &Memory) -> Result<Assembled> {
        let folder = folder(&self.program, self.core, key);
        let assembly = folder.join("assembly");
        // Without counters nothing is put in, and no register need be free.
        let begin = match memory.is_used() {
            true => begin(),
            false => Code::new(),
        };
        self.listing.write(&assembly, plans, &begin)?;
        self.make(&folder, &assembly, memory)
    }

    fn make(&self, folder: &Path, assembly: &Path, memory: &Memory) -> Result<Assembled> {
        write(&assembly.join("runtime.s"), &runtime(&memory.0))?;
        let mut options = options(self.core, self.free, folder);
        options.push(format!("ASSEMBLY={}", assembly.display()));
        make_firmware(&self.program, &options)?;
        let elf = folder.join(format!("{}.elf", self.program));
        Assembled::read(elf, &self.listing.functions)
    }
}

/// The variables given to the Makefile.
fn options(core: Core, free: bool, folder: &Path) -> Vec<String> {
    let mut options = vec![
        format!("ISA={}", core.about().isa),
        format!("OUT={}", folder.display()),
    ];
    if core.about().devices != 0 {
        options.push(format!("DEVICES={:#x}", core.about().devices));
    }
    options.extend(free.then(|| format!("FREE={FREE}")));
    options
}

fn folder(program: &str, core: Core, key: &str) -> PathBuf {
    let name = format!("{program}-{}-{key}", core.about().key);
    project_root().join("build/instrument").join(name)
}

impl Assembled {
    pub(crate) fn read(elf: PathBuf, functions: &[Followed]) -> Result<Self> {
        let bytes = fs::read(&elf).with_context(|| format!("cannot read {}", elf.display()))?;
        let file = object::File::parse(&*bytes)?;
        let symbols: FxHashMap<&str, u64> = file
            .symbols()
            .filter_map(|symbol| Some((symbol.name().ok()?, symbol.address())))
            .collect();
        let mut places = Places::default();
        for (name, &address) in &symbols {
            let Some((function, at)) = block_of(name) else {
                continue;
            };
            let followed = functions
                .get(function)
                .context("a symbol of another program")?;
            let block = followed.function.blocks.get(at);
            // A block without an instruction is never arrived at.
            if block.is_some_and(|block| block.end > block.body) {
                places.entry(address).or_default().push((function, at));
            }
        }
        let end = format!("{COUNTERS}_end");
        let address = |name: &str| {
            symbols
                .get(name)
                .copied()
                .with_context(|| format!("no `{name}`"))
        };
        let counters = address(&end)? - address(COUNTERS)?;
        let text = file.section_by_name(".text").context("no section .text")?;
        Ok(Assembled {
            places,
            code: text.size(),
            counters,
            elf,
        })
    }
}
