//! What the program says of a profile: whether it is that of the profile, and which paths walk through its code.

use hpp_golden::profiler::Extension;
use hpp_riscv::Doubtful;

use super::{Findings, NAMED, Outside, Unwalked, Walked};
use crate::names::shortened;
use crate::numbers::{number_of, percent, share};
use crate::profile::Profile;
use crate::program::Program;

/// Of paths that are known to be continued by another activation, the share below which the others can be trusted.
const CONTINUED: f64 = 0.01;

/// The share of paths that do not walk above which hardly anything of the program fits.
const MOST: f64 = 0.5;

pub(super) fn other_program(profile: &Profile, program: &Program<'_>, findings: &mut Findings) {
    let Some(ran) = profile.program.as_deref() else {
        let remedy = match program.build_id() {
            Some(_) => "let the firmware print it",
            None => "link with --build-id; hpp trace writes it then, firmware has to print it",
        };
        return findings.note(format!(
                "the profile has no build ID of the program that ran, so whether the ELF file is that one is not known; remedy: {remedy}"
            ),
        );
    };
    match program.build_id() {
        Some(built) if built != ran => findings.critical(format!(
                "the profile is of the program with build ID {ran}, but the ELF file's is {built}: names and lines are another program's"
            ),
        ),
        Some(_) => {}
        None => findings.note(format!(
                "the profile is of the program with build ID {ran}; whether the ELF file, which has none, is that one is not known"
            ),
        ),
    }
}

/// Extensions whose instructions are not known.
pub(super) fn extensions(program: &Program<'_>, findings: &mut Findings) {
    let names = program.image().unknown_extensions().join(", ");
    if !names.is_empty() {
        findings.note(format!(
                "the program uses {names}, which hpp does not know: a path through one of these instructions does not walk"
            ),
        );
    }
    let doubts = program.image().doubts();
    for group in [
        Doubtful::Zcm,
        Doubtful::Branch,
        Doubtful::Loop,
        Doubtful::LoopByRegister,
    ] {
        let mut of = doubts.iter().filter(|doubt| doubt.what == group);
        if let Some(first) = of.next() {
            let place = program.place(first.at);
            let more = match of.count() {
                0 => String::new(),
                more => format!(" (and {more} more)"),
            };
            findings.note(format!("the instruction at {place}{more} is {group}"));
        }
    }
}

pub(super) fn not_walked(
    profile: &Profile,
    program: Option<&Program<'_>>,
    walked: Option<&Walked>,
    findings: &mut Findings,
) {
    let leaving = program.and_then(Program::leaves_without_return);
    if let (None, Some(way), false) = (walked, &leaving, profile.geometry.stack_check) {
        let text = format!(
            "the program can leave a procedure without returning ({way}), and a profiler that does not check returns then continues a path of one \
             activation in another; code for x86-64 is not read, so such paths are not told from right ones: give --stack-check to `hpp trace`"
        );
        return findings.note(text);
    }
    let Some(walked) = walked.filter(|walked| walked.walk < walked.of) else {
        return;
    };
    let Walked { walk, of, lost, .. } = walked;
    let share = format!(
        "only {walk} of {of} paths walk through the program's code; {} of the profile does not ({}): ",
        percent(*lost),
        names(&walked.others)
    );
    if let Some(way) = leaving.filter(|_| is_continued(profile, walked)) {
        let text = format!(
            "{share}the program can leave a procedure without returning ({way}), and a profiler that does not check returns then continues a path \
             of one activation in another; generate the profiler with --stack-check, or give it to `hpp trace`"
        );
        match *lost < CONTINUED {
            true => findings.note(format!("{text}. The other paths can be trusted")),
            false => findings.critical(text),
        }
        return;
    }
    let reasons = match profile.ppcr.extension {
        Extension::Procedure => {
            "they began inside of a call that they extend across, which no path shows, or the ELF file is another program's"
        }
        _ if *lost > MOST => "the ELF file is another program's, most likely",
        _ => {
            "the code is not the one that ran (another ELF file, code that changed at run time), or the profiler is wired wrongly"
        }
    };
    findings.critical(format!("{share}{reasons}"));
}

/// Whether paths that do not walk may each be one that another activation continued: they begin in the program's functions, and most of the profile walks.
fn is_continued(profile: &Profile, walked: &Walked) -> bool {
    let extends = profile.ppcr.extension == Extension::Procedure;
    let begin = walked.others.iter().all(|path| path.function.is_some());
    !profile.geometry.stack_check && !extends && begin && walked.lost <= MOST
}

/// The first few paths, by number and function.
fn names(paths: &[Unwalked]) -> String {
    let name = |path: &Unwalked| match &path.function {
        Some(function) => format!("#{} in {}", path.rank, shortened(function)),
        None => format!("#{}", path.rank),
    };
    let named: Vec<String> = paths.iter().take(NAMED).map(name).collect();
    match paths.len() - named.len() {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

/// Paths outside of the program's code have no names. Of a program with shared libraries they are no fault.
pub(super) fn outside(profile: &Profile, program: &Program<'_>, findings: &mut Findings) {
    let Outside { paths, count } = Outside::of(profile, program);
    if paths == 0 {
        return;
    }
    if paths == profile.counts.len() {
        return findings
            .critical("no path begins in the code of the ELF file: give the program that ran");
    }
    let outside = format!(
        "{} of the profile, {}, begins outside of the ELF file: in ",
        percent(share(count, profile.total())),
        number_of(paths as u64, "path")
    );
    match program.image().loads_libraries() {
        true => findings.note(format!(
                "{outside}shared libraries (link with -static to have them named), or code made at run time"
            ),
        ),
        false => findings.critical(format!(
                "{outside}code made at run time, of the system (a ROM, the kernel's vdso), or another program's"
            ),
        ),
    }
}
