//! A function's code with the heat of its paths: what ran, how often, which way, and on which hot paths.

use std::collections::BTreeSet;

use hpp_riscv::Function;
use hpp_riscv::code::ProgramCode as _;
use serde::Serialize;

use crate::code::{CodeLine, Disassembler};
use crate::counted::Counted;
use crate::heat::Heat;
use crate::numbers::{share, sum};
use crate::profile::Profile;
use crate::program::Program;
use crate::report::Report;
use crate::steps::steps;

/// A function's code.
#[derive(Clone, Debug, Serialize)]
pub struct Annotated {
    /// Its name, demangled.
    pub function: String,
    /// What weights count.
    pub counted: Counted,
    /// Its instructions, by ascending address.
    pub instructions: Vec<AnnotatedInstruction>,
    /// The paths that are marked, by their rank in the profile, hottest first.
    pub marked: Vec<usize>,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnnotatedInstruction {
    /// The instruction and its heat.
    #[serde(flatten)]
    pub code: CodeLine,
    /// Its part of the weight of all instructions of the profile, from 0 to 1; none where events are counted, of which the
    /// instructions of a path have no parts.
    pub share: Option<f64>,
    /// Which of the marked paths run through it, by position.
    pub paths: BTreeSet<usize>,
}

/// Marks and weighs the instructions of a function; `marks` of the hottest paths through it are marked.
pub fn annotate(
    profile: &Profile,
    report: &Report,
    heat: &Heat,
    program: &Program<'_>,
    function: &Function,
    marks: usize,
) -> Annotated {
    let range = function.address..function.end();
    let through: Vec<(usize, BTreeSet<u64>)> = report
        .paths
        .iter()
        .filter_map(|path| {
            let steps = steps(profile, program, &path.descriptor).ok()?;
            let all = steps.iter().flat_map(|step| program.addresses(step.block));
            let here: BTreeSet<u64> = all.filter(|address| range.contains(address)).collect();
            (!here.is_empty()).then_some((path.rank, here))
        })
        .take(marks)
        .collect();
    let total = sum(heat.instructions.values().copied());
    let disassembler = Disassembler::new(program.image());
    let mut instructions = Vec::new();
    let mut address = function.address;
    while address < function.end() {
        // What is marked as data is code if it ran.
        let is_code = |line: &CodeLine| line.weight > 0 || !program.image().is_data(address);
        let line = CodeLine::of(program, &disassembler, heat, address);
        let Some(code) = line.filter(is_code) else {
            address = address.saturating_add(2);
            continue;
        };
        let has = |(at, (_, path)): (usize, &(usize, BTreeSet<u64>))| {
            path.contains(&address).then_some(at)
        };
        instructions.push(AnnotatedInstruction {
            share: (!report.counted.events).then(|| share(code.weight, total)),
            paths: through.iter().enumerate().filter_map(has).collect(),
            code,
        });
        let next = program
            .image()
            .instruction(address)
            .map_or(0, |instruction| instruction.next);
        address = next.max(address.saturating_add(2));
    }
    Annotated {
        function: program.name(function),
        counted: report.counted.clone(),
        instructions,
        marked: through.into_iter().map(|(rank, _)| rank).collect(),
    }
}
