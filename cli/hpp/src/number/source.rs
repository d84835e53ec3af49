//! Where the graph comes from: a text file, a JSON file, or a function of an ELF file.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use hpp_golden::path::PathDescriptor;
use hpp_golden::profiler::BackwardNotTaken;
use hpp_paths::format::{json, text};
use hpp_paths::graph::{Acyclic, Cfg, DagPath, Leftover, Weights};
use hpp_report::program::{demangled, some};
use hpp_report::{ElfFile, Program};
use hpp_riscv::{Blocks, Doubtful, FunctionGraph, Starts};

use super::{Args, Breaks};
use crate::input;

/// A graph in acyclic form.
pub struct Source {
    /// What it is called: the file, and the function.
    pub name: String,
    /// The function's graph with its code, if it comes from an ELF file.
    pub function: Option<FunctionGraph>,
    pub dag: Acyclic,
    pub breaks: Breaks,
    /// What a reader has to know of its code.
    pub notes: Vec<String>,
    /// How often its edges run: measured if the file says so, else guessed.
    pub weights: Weights,
}

impl Source {
    pub fn read(args: &Args) -> Result<Self> {
        let file = input::shown(&args.graph);
        let bytes = input::bytes(&args.graph)?;
        if bytes.starts_with(b"\x7fELF") {
            let (name, function, notes) =
                function_graph(&ElfFile::new(bytes), args).with_context(|| file.clone())?;
            let source = Self::of_function(format!("{file}: {name}"), function, args);
            return Ok(Self { notes, ..source });
        }
        if let Some(function) = &args.function {
            bail!(
                "{file} is no ELF file, so it has no function `{function}`; leave out --function"
            );
        }
        if args.backward_not_taken.is_some() {
            bail!(
                "{file} is no ELF file, and its edges say themselves what they are; leave out --backward-not-taken"
            );
        }
        let cfg = parse(&args.graph, &bytes).with_context(|| file.clone())?;
        let breaks = args.breaks.unwrap_or(Breaks::DepthFirst);
        let dag = match breaks {
            Breaks::DepthFirst => Acyclic::depth_first(&cfg),
            Breaks::Hardware => {
                Acyclic::recorded(&cfg, Leftover::Refuse).with_context(|| file.clone())?
            }
        };
        Ok(Self {
            name: file,
            function: None,
            notes: Vec::new(),
            dag,
            breaks,
            weights: Weights::measured(&cfg).unwrap_or_else(|| Weights::heuristic(&cfg)),
        })
    }

    fn of_function(name: String, function: FunctionGraph, args: &Args) -> Self {
        let breaks = args.breaks.unwrap_or(Breaks::Hardware);
        Self {
            name,
            dag: match breaks {
                Breaks::DepthFirst => Acyclic::depth_first(function.cfg()),
                Breaks::Hardware => function.dag().clone(),
            },
            weights: Weights::heuristic(function.cfg()),
            notes: Vec::new(),
            function: Some(function),
            breaks,
        }
    }

    /// What the hardware records for a path; `None` unless the graph comes from an ELF file and breaks as the hardware
    /// does.
    pub fn descriptor(&self, path: &DagPath) -> Option<PathDescriptor> {
        let function = self.function.as_ref()?;
        match self.breaks {
            Breaks::Hardware => function.descriptor(path),
            Breaks::DepthFirst => None,
        }
    }
}

/// A graph as JSON if the file is called so or begins with a brace, else as text.
fn parse(path: &Path, bytes: &[u8]) -> Result<Cfg> {
    let Ok(content) = str::from_utf8(bytes) else {
        bail!(
            "neither an ELF file nor text; give a graph as text or JSON, or a linked RISC-V ELF file"
        );
    };
    let named_json = path
        .extension()
        .is_some_and(|extension| extension == "json");
    if named_json || content.trim_start().starts_with('{') {
        let cfg = json::parse(content)?;
        distinct(&cfg, |edge| format!("edge {edge} (from 0)"))?;
        Ok(cfg)
    } else {
        let read = text::Text::parse(content)?;
        distinct(&read.cfg, |edge| {
            format!("line {}", read.expectations[edge].0)
        })?;
        Ok(read.cfg)
    }
}

/// Refuses an edge that is there twice: paths along the two could not be distinguished. `place` says where an edge stands.
fn distinct(cfg: &Cfg, place: impl Fn(usize) -> String) -> Result<()> {
    let mut seen = HashMap::new();
    for edge in cfg.edges() {
        let (from, to) = cfg.ends(edge);
        if let Some(before) = seen.insert((from, to, cfg.edge(edge).outcome), edge.index()) {
            bail!(
                "{}: the edge from `{}` to `{}` is there already, on {}; leave one out, or tell them apart by their \
                 outcomes (taken, not-taken)",
                place(edge.index()),
                cfg.name(from),
                cfg.name(to),
                place(before)
            );
        }
    }
    Ok(())
}

/// The graph of the function that was asked for.
fn function_graph(file: &ElfFile, args: &Args) -> Result<(String, FunctionGraph, Vec<String>)> {
    let program = Program::from_elf(file)?;
    let (image, functions) = (program.image(), program.image().functions());
    let Some(name) = &args.function else {
        bail!(
            "choose one of its functions with --function NAME: {}",
            some(functions, " in all, such as ")
        );
    };
    let function = program.find(name)?;
    let range = function.address..function.end();
    let doubts = image
        .doubts()
        .iter()
        .filter(|doubt| range.contains(&doubt.at));
    let mut notes = Vec::new();
    for doubt in doubts {
        let text = format!("the instruction at {:#x} is {}", doubt.at, doubt.what);
        match doubt.what {
            Doubtful::Branch | Doubtful::Loop => notes.push(text),
            Doubtful::Zcm | Doubtful::LoopByRegister => bail!(text),
        }
    }
    let blocks = Blocks::recover(image, functions, &Starts::Assumed);
    let setting = args.backward_not_taken;
    let setting = setting.unwrap_or(BackwardNotTaken::AsForward);
    let graph = FunctionGraph::new(&blocks, functions, function, setting)?;
    Ok((demangled(&function.name).into_owned(), graph, notes))
}
