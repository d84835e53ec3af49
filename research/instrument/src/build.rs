//! From sources to a program with probes.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use hpp_fpga::core::Core;
use hpp_paths::graph::DagPath;
use hpp_paths::numbering::BallLarus;
use object::{Object, ObjectSection, ObjectSymbol};
use rustc_hash::FxHashMap;

use crate::FREE;
use crate::assembly::functions;
use crate::code::{COUNTERS, Code, begin, runtime};
use crate::counter_memory::Memory;
use crate::exact::{Followed, Profile};
use crate::graph::graph;
use crate::method::Method;
use crate::plan::{Plan, numbered};
use crate::rewrite::{Planned, rewrite, symbol};
use hpp_soc::make_firmware;
use hpp_tools::project_root;

/// The assembly of a program, with its functions.
pub struct Sources {
    program: String,
    core: Core,
    /// Whether the registers of probes are free.
    pub free: bool,
    /// Names of files and their text.
    files: Vec<(String, String)>,
    /// The functions of all files, in order.
    pub functions: Vec<Followed>,
    /// Their numberings.
    pub numberings: Vec<BallLarus>,
}

/// A program that is built.
pub struct Assembled {
    /// Its ELF file.
    pub elf: PathBuf,
    /// The function and block at an address.
    pub places: FxHashMap<u64, (usize, usize)>,
    /// Bytes of code.
    pub code: u64,
    /// Bytes of counters.
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
        let mut options = vec![isa(core), format!("OUT={}", folder.display())];
        options.extend(free.then(|| format!("FREE={FREE}")));
        make_firmware(&format!("{program}.assembly"), &options)?;
        let listing = folder.join(program);
        let entries =
            fs::read_dir(&listing).with_context(|| format!("cannot read {}", listing.display()))?;
        let mut files = Vec::new();
        for entry in entries {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "s") {
                let name = path
                    .file_name()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into_owned();
                let text = fs::read_to_string(&path)
                    .with_context(|| format!("cannot read {}", path.display()))?;
                files.push((name, text));
            }
        }
        files.sort();
        let mut sources = Sources {
            program: program.into(),
            core,
            free,
            files,
            functions: Vec::new(),
            numberings: Vec::new(),
        };
        sources.cut()?;
        Ok(sources)
    }

    /// Finds the functions and numbers their paths.
    fn cut(&mut self) -> Result<()> {
        for (name, text) in &self.files {
            let lines: Vec<&str> = text.lines().collect();
            for function in functions(&lines).with_context(|| name.clone())? {
                let place = || format!("{name}: function `{}`", function.name);
                let cfg = graph(&function).with_context(place)?;
                let numbering = numbered(&cfg).with_context(place)?;
                let dag = numbering.dag().clone();
                self.numberings.push(numbering);
                self.functions.push(Followed { function, cfg, dag });
            }
        }
        Ok(())
    }

    /// A plan for each function, and the counters of all. `before` is the exact profile of another run and `hot` some of its paths, by
    /// function, where a method wants them.
    ///
    /// # Errors
    ///
    /// If numbers do not fit.
    pub fn plan(
        &self,
        method: Method,
        before: &[Profile],
        hot: &[Vec<DagPath>],
    ) -> Result<(Vec<Plan>, Memory)> {
        let (mut memory, nothing) = (Memory::default(), Profile::default());
        let plan = |(at, numbering): (usize, &BallLarus)| {
            let profile = before.get(at).unwrap_or(&nothing);
            let hot = hot.get(at).map_or(&[][..], Vec::as_slice);
            Plan::new(method, numbering, profile, hot, &mut memory)
        };
        let plans = self.numberings.iter().enumerate().map(plan);
        Ok((plans.collect::<Result<_>>()?, memory))
    }

    /// Builds the program with these plans, one for each function. `key` names its folder.
    ///
    /// # Errors
    ///
    /// If it does not assemble or link, or a file cannot be written.
    pub fn assemble(&self, key: &str, plans: &[Plan], memory: &Memory) -> Result<Assembled> {
        let folder = folder(&self.program, self.core, key);
        let assembly = folder.join("assembly");
        fs::create_dir_all(&assembly)
            .with_context(|| format!("cannot make {}", assembly.display()))?;
        // Without counters nothing is put in, and no register need be free.
        let begin = match memory.is_used() {
            true => begin(),
            false => Code::new(),
        };
        let mut position = 0;
        for (name, text) in &self.files {
            let lines: Vec<&str> = text.lines().collect();
            let count = functions(&lines)?.len();
            let planned: Vec<_> = (position..position + count)
                .map(|position| Planned {
                    function: &self.functions[position].function,
                    cfg: &self.functions[position].cfg,
                    plan: &plans[position],
                    position,
                })
                .collect();
            write(&assembly.join(name), &rewrite(&lines, &planned, &begin))?;
            position += count;
        }
        write(&assembly.join("runtime.s"), &runtime(&memory.0))?;
        let mut options = vec![
            isa(self.core),
            format!("OUT={}", folder.display()),
            format!("ASSEMBLY={}", assembly.display()),
        ];
        options.extend(self.free.then(|| format!("FREE={FREE}")));
        make_firmware(&self.program, &options)?;
        Assembled::read(
            folder.join(format!("{}.elf", self.program)),
            &self.functions,
        )
    }
}

impl Assembled {
    fn read(elf: PathBuf, functions: &[Followed]) -> Result<Self> {
        let bytes = fs::read(&elf).with_context(|| format!("cannot read {}", elf.display()))?;
        let file = object::File::parse(&*bytes)?;
        let symbols: FxHashMap<&str, u64> = file
            .symbols()
            .filter_map(|symbol| Some((symbol.name().ok()?, symbol.address())))
            .collect();
        let mut places = FxHashMap::default();
        for (position, followed) in functions.iter().enumerate() {
            let blocks = followed.function.blocks.iter().enumerate();
            // A block without an instruction is never arrived at.
            for (block, _) in blocks.filter(|(_, block)| block.end > block.body) {
                // What the linker left out never runs.
                if let Some(&address) = symbols.get(&*symbol(position, block)) {
                    places.insert(address, (position, block));
                }
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

/// What a core implements, for the Makefile.
fn isa(core: Core) -> String {
    format!("ISA={}", core.isa())
}

fn folder(program: &str, core: Core, key: &str) -> PathBuf {
    let name = format!("{program}-{}-{key}", core.key());
    project_root().join("build/instrument").join(name)
}

/// Writes a file unless it is there and the same, so that nothing is built anew.
fn write(path: &Path, text: &str) -> Result<()> {
    if fs::read_to_string(path).is_ok_and(|there| there == text) {
        return Ok(());
    }
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
