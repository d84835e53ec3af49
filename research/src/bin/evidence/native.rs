//! Probes in native programs beside those of GCC and LLVM.

use anyhow::{Context, Result};
use hpp_research::Method;
use hpp_research::method::{Frequencies, Placement};
use hpp_research::native::{Built, Native, PATHS, PROGRAMS};
use std::path::Path;
use verilated::tools::figures::thousands;
use verilated::tools::tool_path;

use crate::document::Document;

/// How often each variant is timed; the shortest time counts.
const TIMES: usize = 7;

/// Seconds that a program runs at least when it is timed.
const SECONDS: f64 = 0.3;

/// What is put into the assembly, with the name of its folder.
const METHODS: [(Method, &str); 5] = [
    (Method::Nothing, "free"),
    (Method::Blocks, "blocks"),
    (Method::Edges(Frequencies::Guessed), "edges"),
    (Method::BallLarus(Placement::Naive, PATHS as usize), "naive"),
    (
        Method::BallLarus(Placement::Optimised, PATHS as usize),
        "paths",
    ),
];

/// What LLVM writes without its runtime.
const LLVM: [(&str, &[&str]); 2] = [
    ("clang-frontend", &["-fprofile-instr-generate"]),
    ("clang-ir", &["-fprofile-generate", "-mllvm", "-disable-vp"]),
];

pub fn fill(document: &Document) -> Result<()> {
    let (mut checked, mut instructions, mut seconds) = (Vec::new(), Vec::new(), Vec::new());
    for program in PROGRAMS {
        let rows = of(program).with_context(|| program.to_owned())?;
        checked.push(rows.checked);
        instructions.push(rows.instructions);
        seconds.push(rows.seconds);
    }
    let head =
        "program | functions | with probes that ran | blocks | edges | paths | paths executed";
    document.table("native-checked", head, &checked)?;
    let head = "program | gcov | LLVM, front end | LLVM, IR | registers free | blocks | edges | \
        paths, naive | paths";
    document.table("native-instructions", head, &instructions)?;
    document.table("native-time", head, &seconds)
}

struct Rows {
    checked: Vec<String>,
    instructions: Vec<String>,
    seconds: Vec<String>,
}

/// A variant, beside which, and the instructions of a run.
struct Variant {
    built: Built,
    base: usize,
    instructions: u64,
}

fn of(program: &str) -> Result<Rows> {
    let native = Native::find(program)?;
    let (gcc, clang) = (Path::new("gcc"), tool_path("clang")?);
    let mut variants = Vec::new();
    let mut add = |built: Built, base: usize, instructions: Option<u64>| -> Result<usize> {
        let instructions = match instructions {
            Some(instructions) => instructions,
            None => built.trace(None)?.instructions,
        };
        variants.push(Variant {
            built,
            base,
            instructions,
        });
        Ok(variants.len() - 1)
    };
    let plain = add(native.compiled("gcc", gcc, &[])?, 0, None)?;
    let llvm = add(native.compiled("clang", &clang, &[])?, 1, None)?;
    add(
        native.compiled("gcov", gcc, &["-fprofile-arcs"])?,
        plain,
        None,
    )?;
    for (key, options) in LLVM {
        let options = [options, &["-DLLVM"]].concat();
        add(native.compiled(key, &clang, &options)?, llvm, None)?;
    }
    let listing = native.listing()?;
    let mut checked = vec![program.to_owned(), listing.functions.len().to_string()];
    for (method, key) in METHODS {
        let (plans, memory) = listing.plan(method, &[], &[])?;
        let built = native.instrumented(key, &listing, &plans, &memory)?;
        let (traced, (different, all)) = built.checked(&listing, &plans)?;
        add(built, plain, Some(traced.instructions))?;
        if key == "blocks" {
            let ran = traced
                .profiles
                .iter()
                .filter(|profile| !profile.paths.is_empty());
            checked.push(ran.count().to_string());
        }
        if ["blocks", "edges", "paths"].contains(&key) {
            checked.push(thousands(different as u64));
        }
        if key == "paths" {
            checked.push(thousands(all));
        }
    }
    let seconds = timed(&variants)?;
    let row = |cell: &dyn Fn(usize, &Variant) -> String| {
        let cells = variants
            .iter()
            .enumerate()
            .skip(2)
            .map(|(at, variant)| cell(at, variant));
        [program.to_owned()].into_iter().chain(cells).collect()
    };
    Ok(Rows {
        checked,
        instructions: row(&|_, variant| {
            let base = variants[variant.base].instructions;
            format!("{:.2}", variant.instructions as f64 / base as f64)
        }),
        seconds: row(&|at, variant| format!("{:.2}", seconds[at] / seconds[variant.base])),
    })
}

/// The shortest of several times of each variant, taken by turns.
fn timed(variants: &[Variant]) -> Result<Vec<f64>> {
    let once = variants[0].built.run(1)?.0.max(1e-4);
    let rounds = (SECONDS / once).ceil() as u32;
    let mut seconds = vec![f64::INFINITY; variants.len()];
    for _ in 0..TIMES {
        for (best, variant) in seconds.iter_mut().zip(variants) {
            *best = best.min(variant.built.run(rounds)?.0);
        }
    }
    Ok(seconds)
}
