//! A function's code with the heat of its paths: what ran, how often, which way, and on which hot paths.

use std::collections::BTreeSet;

use hpp_riscv::Function;
use hpp_riscv::code::{Instruction, Program as _};
use serde::Serialize;

use crate::code::Disassembler;
use crate::heat::Heat;
use crate::profile::Profile;
use crate::program::{Program, SourceLine, demangled};
use crate::report::{Report, addresses, share};
use crate::steps::steps;

/// A function's code.
#[derive(Clone, Debug, Serialize)]
pub struct Annotated {
    /// Its name, demangled.
    pub function: String,
    /// Its instructions, by ascending address.
    pub instructions: Vec<AnnotatedInstruction>,
    /// The paths that are marked, by their rank in the profile, hottest first.
    pub marked: Vec<usize>,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct AnnotatedInstruction {
    /// Its address.
    pub address: u64,
    /// As an assembler writes it.
    pub text: String,
    /// How often it ran on the profile's paths, or the events along them.
    pub weight: u64,
    /// Its part of the weight of all instructions of the profile, from 0 to 1.
    pub share: f64,
    /// For a conditional branch that ran, the share of taken ones.
    pub taken: Option<f64>,
    /// Which of the marked paths run through it, by position.
    pub paths: BTreeSet<usize>,
    /// Its source line.
    pub source: Option<SourceLine>,
}

/// The instruction, with the name of the function that a call or a jump leads to.
fn text(
    program: &Program<'_>,
    disassembler: &Disassembler,
    bytes: &[u8],
    address: u64,
    instruction: Instruction,
) -> String {
    let target = instruction.transfer.and_then(|transfer| transfer.target);
    let text = disassembler.text(bytes, address, target);
    let functions = program.image().functions();
    let other = target.filter(|&target| functions.at(target) != functions.at(address));
    match other {
        Some(target) => format!("{text} <{}>", program.place(target)),
        None => text,
    }
}

/// Marks and weighs the instructions of a function; `marks` of the hottest paths through it are marked.
#[must_use]
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
            let all = steps.iter().flat_map(|step| addresses(program, step.block));
            let here: BTreeSet<u64> = all.filter(|address| range.contains(address)).collect();
            (!here.is_empty()).then_some((path.rank, here))
        })
        .take(marks)
        .collect();
    let total = heat
        .instructions
        .values()
        .fold(0u64, |sum, &weight| sum.saturating_add(weight));
    let disassembler = Disassembler::new(program.image());
    let mut instructions = Vec::new();
    let mut address = function.address;
    while address < function.end() {
        let Some(instruction) = program.image().instruction(address) else {
            address += 2;
            continue;
        };
        let bytes = program
            .image()
            .bytes(address, instruction.next.saturating_sub(address));
        let weight = heat.instructions.get(&address).copied().unwrap_or(0);
        let has = |(at, (_, path)): (usize, &(usize, BTreeSet<u64>))| {
            path.contains(&address).then_some(at)
        };
        instructions.push(AnnotatedInstruction {
            address,
            text: text(
                program,
                &disassembler,
                bytes.unwrap_or_default(),
                address,
                instruction,
            ),
            weight,
            share: share(weight, total),
            taken: heat.branches.get(&address).map(|outcomes| outcomes.share()),
            paths: through.iter().enumerate().filter_map(has).collect(),
            source: program.source(address),
        });
        address = instruction.next.max(address + 2);
    }
    Annotated {
        function: demangled(&function.name).into_owned(),
        instructions,
        marked: through.into_iter().map(|(rank, _)| rank).collect(),
    }
}
