//! The assembly of a program, with its functions and their numberings.

use std::fs;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result};
use hpp_paths::graph::DagPath;
use hpp_paths::numbering::BallLarus;

use crate::assembly::functions;
use crate::code::Code;
use crate::counter_memory::Memory;
use crate::exact::{Followed, Profile};
use crate::graph::graph;
use crate::inlining::inlined;
use crate::isa::Isa;
use crate::method::Method;
use crate::plan::{Plan, numbered};
use crate::rewrite::{Planned, rewrite};
use crate::superblocks::{Copies, emit};

/// The files of a program.
pub struct Listing {
    isa: &'static Isa,
    /// Names of files and their text.
    files: Vec<(String, String)>,
    /// The functions of all files, in order.
    pub functions: Vec<Followed>,
    /// Their numberings.
    pub numberings: Vec<BallLarus>,
}

impl Listing {
    /// No files.
    pub const fn new(isa: &'static Isa) -> Self {
        Listing {
            isa,
            files: Vec::new(),
            functions: Vec::new(),
            numberings: Vec::new(),
        }
    }

    /// The files `.s` in a folder, functions cut down to so many paths.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, or is not understood.
    pub fn read(isa: &'static Isa, folder: &Path, paths: u64) -> Result<Self> {
        let entries =
            fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
        let mut files = Vec::new();
        for entry in entries {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "s") {
                let name = path.file_name().unwrap_or_default();
                let text = fs::read_to_string(&path)
                    .with_context(|| format!("cannot read {}", path.display()))?;
                files.push((name.to_string_lossy().into_owned(), text));
            }
        }
        files.sort();
        let mut listing = Listing::new(isa);
        listing.files = files;
        listing.cut(paths)?;
        Ok(listing)
    }

    /// Finds the functions and numbers their paths.
    fn cut(&mut self, paths: u64) -> Result<()> {
        for (name, text) in &self.files {
            let lines: Vec<&str> = text.lines().collect();
            for function in functions(&lines).with_context(|| name.clone())? {
                let place = || format!("{name}: function `{}`", function.name);
                let cfg = graph(&function).with_context(place)?;
                let numbering = numbered(&cfg, paths).with_context(place)?;
                let dag = numbering.dag().clone();
                self.numberings.push(numbering);
                self.functions.push(Followed { function, cfg, dag });
            }
        }
        Ok(())
    }

    /// The same program with calls inlined, one call deep: those that ran, by the profiles of its functions. And how many they are.
    ///
    /// # Errors
    ///
    /// If the program is then not understood.
    pub fn inlined(&self, ran: &[Profile], paths: u64) -> Result<(Self, usize)> {
        let (text, calls) = inlined(&self.files, |function, block| {
            ran[function].blocks[block] > 0
        })?;
        let mut listing = Listing::new(self.isa);
        // Each source has its file; the first one has everything.
        let names = self.files.iter().map(|(name, _)| name.clone());
        listing.files = names
            .zip([text].into_iter().chain(std::iter::repeat(String::new())))
            .collect();
        listing.cut(paths)?;
        Ok((listing, calls))
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
            Plan::new(self.isa, method, numbering, profile, hot, &mut memory)
        };
        let plans = self.numberings.iter().enumerate().map(plan);
        Ok((plans.collect::<Result<_>>()?, memory))
    }

    /// Writes the files with these plans, one for each function, to a folder. `main` begins with this code.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn write(&self, folder: &Path, plans: &[Plan], begin: &Code) -> Result<()> {
        self.write_each(folder, |lines, positions| {
            let planned: Vec<_> = positions
                .map(|position| Planned {
                    function: &self.functions[position].function,
                    cfg: &self.functions[position].cfg,
                    plan: &plans[position],
                    position,
                })
                .collect();
            Ok(rewrite(self.isa, lines, &planned, begin))
        })
    }

    /// Writes the files, of RISC-V, with the functions laid out anew to a folder.
    ///
    /// # Errors
    ///
    /// If a function cannot be laid out, or a file cannot be written.
    pub fn write_superblocks(&self, folder: &Path, copies: &[Copies]) -> Result<()> {
        self.write_each(folder, |lines, positions| {
            let function = |at: usize| (&self.functions[at].function, &copies[at], at);
            Ok(emit(lines, &positions.map(function).collect::<Vec<_>>())?)
        })
    }

    /// Writes what is made of each file's lines and the positions of its functions.
    fn write_each(
        &self,
        folder: &Path,
        made: impl Fn(&[&str], Range<usize>) -> Result<String>,
    ) -> Result<()> {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let mut position = 0;
        for (name, text) in &self.files {
            let lines: Vec<&str> = text.lines().collect();
            let end = position + functions(&lines)?.len();
            let text = made(&lines, position..end).with_context(|| name.clone())?;
            write(&folder.join(name), &text)?;
            position = end;
        }
        Ok(())
    }
}

/// Writes a file unless it is there and the same, so that nothing is built anew.
pub(crate) fn write(path: &Path, text: &str) -> Result<()> {
    if fs::read_to_string(path).is_ok_and(|there| there == text) {
        return Ok(());
    }
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}
