//! The assembly of a program, with its functions and their numberings.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use hpp_paths::graph::DagPath;
use hpp_paths::numbering::BallLarus;

use crate::assembly::functions;
use crate::code::Code;
use crate::counter_memory::Memory;
use crate::exact::{Followed, Profile};
use crate::graph::graph;
use crate::method::Method;
use crate::plan::{Plan, numbered};
use crate::rewrite::{Planned, rewrite};

/// The files of a program.
pub struct Listing {
    /// Names of files and their text.
    files: Vec<(String, String)>,
    /// The functions of all files, in order.
    pub functions: Vec<Followed>,
    pub numberings: Vec<BallLarus>,
}

impl Listing {
    /// The files `.s` in a folder, functions cut down to so many paths.
    ///
    /// # Errors
    ///
    /// If a file cannot be read, or is not understood.
    pub fn read(folder: &Path, paths: u64) -> Result<Self> {
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
        let (mut followed, mut numberings) = (Vec::new(), Vec::new());
        for (name, text) in &files {
            let lines: Vec<&str> = text.lines().collect();
            for function in functions(&lines).with_context(|| name.clone())? {
                let place = || format!("{name}: function `{}`", function.name);
                let cfg = graph(&function).with_context(place)?;
                let numbering = numbered(&cfg, paths).with_context(place)?;
                let dag = numbering.dag().clone();
                numberings.push(numbering);
                followed.push(Followed { function, cfg, dag });
            }
        }
        Ok(Self {
            files,
            functions: followed,
            numberings,
        })
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

    /// Writes the files with these plans, one for each function, to a folder. `main` begins with this code.
    ///
    /// # Errors
    ///
    /// If a file cannot be written.
    pub fn write(&self, folder: &Path, plans: &[Plan], begin: &Code) -> Result<()> {
        fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let mut position = 0;
        for (name, text) in &self.files {
            let lines: Vec<&str> = text.lines().collect();
            let end = position + functions(&lines)?.len();
            let planned: Vec<_> = (position..end)
                .map(|position| Planned {
                    function: &self.functions[position].function,
                    cfg: &self.functions[position].cfg,
                    plan: &plans[position],
                    position,
                })
                .collect();
            write(&folder.join(name), &rewrite(&lines, &planned, begin))?;
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
