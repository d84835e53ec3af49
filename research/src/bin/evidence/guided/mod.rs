//! What a profile is worth: programs that clang compiles with the profile that the hardware took of them.
//!
//! A program is compiled by clang, runs on the simulated PicoRV32 with the profiler, and prints its table. `hpp export` makes
//! LLVM's sample profile of it, and clang compiles the program again. The same from a smaller table, from one that holds
//! every path, and from calls alone. Counts are per source line there, so clang learns of a path what the counts of its
//! blocks say.

mod compile;
mod run;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use hpp_soc::{PROGRAMS, ProfilerSources, Soc};
use verilated::tools::figures::thousands;
use verilated::tools::project_root;

use crate::document::Document;
use compile::compile;
use run::{TABLES, run};

/// What a program is compiled with, beside nothing.
const PROFILES: [&str; 4] = ["calls", "128", "512", "complete"];

/// Cycles and bytes of one program.
#[derive(Clone, Copy)]
struct Measured {
    cycles: u64,
    code: u64,
}

pub fn fill(document: &Document) -> Result<()> {
    let sources = ProfilerSources::generate()?;
    let soc = Soc::build(Some(&sources.verilog))?;
    let (mut rows, mut beside) = (Vec::new(), Vec::new());
    for program in PROGRAMS {
        let (plain, guided) = measure(&soc, program)?;
        let relative = |measured: &Measured, of: fn(&Measured) -> u64| {
            100.0 * (of(measured) as f64 / of(&plain) as f64 - 1.0)
        };
        let [_, _, _, complete] = guided;
        let tables = guided[1..3].iter().map(|measured| {
            let ratio = measured.cycles as f64 / complete.cycles as f64;
            format!("{:+.2} %", 100.0 * (ratio - 1.0))
        });
        beside.push([program.to_owned()].into_iter().chain(tables).collect());
        let cycles: Vec<f64> = guided.iter().map(|m| relative(m, |m| m.cycles)).collect();
        let mut row = vec![program.to_owned(), thousands(plain.cycles)];
        row.extend(cycles.iter().map(|change| format!("{change:+.2} %")));
        row.push(thousands(plain.code));
        row.extend(
            guided
                .iter()
                .map(|m| format!("{:+.1} %", relative(m, |m| m.code))),
        );
        rows.push(row);
    }
    let head =
        "program | cycles | calls | 128 | 512 | complete | bytes | calls | 128 | 512 | complete";
    document.table("guided-cycles", head, &rows)?;
    document.table("guided-complete", "program | 128 | 512", &beside)
}

/// Compiles a program without a profile and with each, and runs them.
fn measure(soc: &Soc, program: &str) -> Result<(Measured, [Measured; PROFILES.len()])> {
    let folder = project_root().join("build/guided").join(program);
    let plain = compile(program, &folder.join("plain"), None)?;
    let (measured, dumps) = run(soc, &plain)?;
    let plain_measured = Measured {
        cycles: measured,
        code: compile::code(&plain)?,
    };
    for ((name, _), dump) in TABLES.iter().zip(dumps) {
        let text = folder.join(format!("{name}.txt"));
        fs::write(&text, dump).with_context(|| format!("cannot write {}", text.display()))?;
        export(&text, &plain, &profile(&folder, name))?;
    }
    calls(&profile(&folder, "complete"), &profile(&folder, "calls"))?;
    let mut guided = [plain_measured; PROFILES.len()];
    for (measured, name) in guided.iter_mut().zip(PROFILES) {
        let elf = compile(program, &folder.join(name), Some(&profile(&folder, name)))?;
        let (cycles, _) = run(soc, &elf)?;
        let code = compile::code(&elf)?;
        *measured = Measured { cycles, code };
    }
    Ok((plain_measured, guided))
}

fn profile(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.afdo"))
}

/// What `hpp export` makes of a dump.
fn export(dump: &Path, elf: &Path, profile: &Path) -> Result<()> {
    let hpp = std::env::current_exe()
        .context("this program has no path")?
        .with_file_name("hpp");
    let output = Command::new(&hpp)
        .args(["export", "--format", "autofdo", "--elf"])
        .arg(elf)
        .arg("--output")
        .arg(profile)
        .arg(dump)
        .output()
        .with_context(|| {
            format!(
                "cannot run {}; build it: cargo build --release",
                hpp.display()
            )
        })?;
    ensure!(
        output.status.success(),
        "hpp export of {}: {}",
        dump.display(),
        String::from_utf8_lossy(&output.stderr).trim()
    );
    Ok(())
}

/// Of a sample profile how often functions were entered, and nothing of their lines: what a profile of functions knows.
fn calls(complete: &Path, calls: &Path) -> Result<()> {
    let text = fs::read_to_string(complete)
        .with_context(|| format!("cannot read {}", complete.display()))?;
    let lines = text.lines().filter(|line| !line.starts_with(' '));
    let text: String = lines.map(|line| format!("{line}\n")).collect();
    fs::write(calls, text).with_context(|| format!("cannot write {}", calls.display()))
}
