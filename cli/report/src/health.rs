//! Whether a profile can be trusted, and what it does not show: the health registers in words.

use hpp_golden::profiler::{ContextFilter, Extension, Metric};
use hpp_golden::registers::{Counter, ERRORS};
use serde::Serialize;

use crate::names::shortened;
use crate::profile::{Missing, Profile};
use crate::program::Program;
use crate::report::share;

/// What the registers and the walk of the paths say of a profile.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Health {
    /// Whether the profile can be trusted: no finding is critical.
    pub trusted: bool,
    /// What a reader has to know, the critical first.
    pub findings: Vec<Finding>,
}

/// One thing that a reader has to know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Whether paths or counts are wrong or missing because of it.
    pub critical: bool,
    /// What it is, and what to do.
    pub text: String,
}

/// How many paths walk through the program's code, and which do not.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Walked {
    /// Paths that walk.
    pub walk: usize,
    /// All paths.
    pub of: usize,
    /// The share of the profile's weight on paths that do not walk, from 0 to 1.
    pub lost: f64,
    /// Paths that do not walk.
    pub others: Vec<Unwalked>,
}

/// A path that does not walk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unwalked {
    /// Its place in the order, from 1.
    pub rank: usize,
    /// The function that it begins in.
    pub function: Option<String>,
}

/// Of paths that are known to be continued by another activation, the share below which the others can be trusted.
const CONTINUED: f64 = 0.01;

/// Paths that a finding names.
const NAMED: usize = 5;

impl Health {
    /// Judges a profile; `walked` says how many paths walk, if there is a program.
    #[must_use]
    pub fn of(profile: &Profile, program: Option<&Program<'_>>, walked: Option<&Walked>) -> Self {
        let mut findings = Vec::new();
        nothing(profile, &mut findings);
        other_program(profile, program, &mut findings);
        if let Some(text) = program.and_then(Program::unread) {
            note(&mut findings, text);
        }
        if let Some(program) = program {
            extensions(program, &mut findings);
        }
        not_walked(profile, program, walked, &mut findings);
        if walked.is_none() {
            outside(profile, program, &mut findings);
        }
        errors(profile, &mut findings);
        counters(profile, &mut findings);
        findings.sort_by_key(|finding| !finding.critical);
        Self {
            trusted: findings.iter().all(|finding| !finding.critical),
            findings,
        }
    }
}

fn critical(findings: &mut Vec<Finding>, text: impl Into<String>) {
    let text = text.into();
    findings.push(Finding {
        critical: true,
        text,
    });
}

fn note(findings: &mut Vec<Finding>, text: impl Into<String>) {
    let text = text.into();
    findings.push(Finding {
        critical: false,
        text,
    });
}

/// `1 path`, `2 paths`; thousands apart.
#[must_use]
pub fn number_of(count: u64, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {what}{plural}", thousands(count))
}

/// A number with a comma before every third digit from the right.
#[must_use]
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn nothing(profile: &Profile, findings: &mut Vec<Finding>) {
    if profile.counter(Counter::Records) == 0 {
        let text = "no branch record came in: was the profiler enabled (CONTROL.ENABLE), and are the core's retirements connected?";
        critical(findings, text);
    } else if profile.counter(Counter::Paths) == 0 {
        critical(findings, "no path was completed while the profiler counted");
    } else if profile.counts.is_empty() {
        critical(
            findings,
            "paths were completed, but the table is empty: was it frozen, or cleared after the run?",
        );
    }
}

fn other_program(profile: &Profile, program: Option<&Program<'_>>, findings: &mut Vec<Finding>) {
    let (Some(ran), Some(program)) = (profile.program.as_deref(), program) else {
        return;
    };
    match program.build_id() {
        Some(built) if built != ran => critical(
            findings,
            format!(
                "the profile is of the program with build ID {ran}, but the ELF file's is {built}: names and lines are another program's"
            ),
        ),
        Some(_) => {}
        None => note(
            findings,
            format!(
                "the profile is of the program with build ID {ran}; whether the ELF file, which has none, is that one is not known"
            ),
        ),
    }
}

/// Extensions whose instructions are not known.
fn extensions(program: &Program<'_>, findings: &mut Vec<Finding>) {
    let names = program.image().unknown_extensions().join(", ");
    if !names.is_empty() {
        note(
            findings,
            format!(
                "the program says that it uses {names}, which is not known here: a path that one of its instructions lies on does not walk"
            ),
        );
    }
}

fn not_walked(
    profile: &Profile,
    program: Option<&Program<'_>>,
    walked: Option<&Walked>,
    findings: &mut Vec<Finding>,
) {
    let Some(walked) = walked.filter(|walked| walked.walk < walked.of) else {
        return;
    };
    let Walked { walk, of, lost, .. } = walked;
    let told = format!(
        "only {walk} of {of} walk through the program's code; {:.1} % of the profile does not, {}: ",
        100.0 * lost,
        names(&walked.others)
    );
    let continued = program.filter(|_| is_continued(profile, walked));
    if let Some(way) = continued.and_then(Program::leaves_without_return) {
        let text = format!(
            "{told}the program can leave a procedure without returning ({way}), and a profiler that does not check returns then continues a path \
             of one activation in another; generate the profiler with --stack-check, or give it to `hpp trace`"
        );
        match *lost < CONTINUED {
            true => note(findings, format!("{text}. The other paths can be trusted")),
            false => critical(findings, text),
        }
        return;
    }
    let inside = match profile.ppcr.extension {
        Extension::Procedure => {
            "paths that began inside of a call that they extend across, which no path tells, "
        }
        _ => "",
    };
    critical(
        findings,
        format!(
            "{told}{inside}another ELF file, code it does not hold (a ROM, a shared library, code made at run time), or a fault in how \
             the profiler is wired"
        ),
    );
}

/// Whether paths that do not walk may each be one that another activation continued: they begin in the program's functions.
fn is_continued(profile: &Profile, walked: &Walked) -> bool {
    let extends = profile.ppcr.extension == Extension::Procedure;
    let begin = walked.others.iter().all(|path| path.function.is_some());
    !profile.geometry.stack_check && !extends && begin
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

/// Of a program whose code is not read it is no fault when paths begin elsewhere, but they have no names.
fn outside(profile: &Profile, program: Option<&Program<'_>>, findings: &mut Vec<Finding>) {
    let Some(program) = program else {
        return;
    };
    let functions = program.image().functions();
    let (mut paths, mut count) = (0, 0u64);
    for (path, &counted) in &profile.counts {
        if functions.at(path.start).is_none() {
            paths += 1;
            count = count.saturating_add(counted);
        }
    }
    if paths > 0 {
        let text = format!(
            "{:.1} % of the profile, {}, begins in no function of the ELF file: in shared libraries (link with -static to have them named), code \
             without symbols, or code made at run time",
            100.0 * share(count, profile.total()),
            number_of(paths, "path")
        );
        note(findings, text);
    }
}

/// The sticky errors. One that is not named here is shown by its description.
fn errors(profile: &Profile, findings: &mut Vec<Finding>) {
    let known = ERRORS
        .fields
        .iter()
        .fold(0, |bits, field| bits | field.mask());
    if profile.errors & !known != 0 {
        let text = format!(
            "ERRORS has bits that are not known here, {:#x}: use the `hpp` that came with the profiler",
            profile.errors & !known
        );
        critical(findings, text);
    }
    for field in ERRORS
        .fields
        .iter()
        .filter(|field| field.get(profile.errors) != 0)
    {
        match field.name {
            "ILLEGAL_ROW" => critical(
                findings,
                "software asked for a row of PPCR_ROWS that the hardware refuses; the row before it was in force",
            ),
            "ACCUMULATOR_SATURATED" => critical(
                findings,
                format!(
                    "a count did not fit into an accumulator of {} bits: the hottest paths count too little; profile a shorter run",
                    profile.geometry.accumulator_bits
                ),
            ),
            "EVENT_COUNTER_SATURATED" if profile.ppcr.metric == Metric::Executions => {}
            "EVENT_COUNTER_SATURATED" => critical(
                findings,
                format!(
                    "the events of a path did not fit into a counter of {} bits: long paths count too little; generate the \
                     profiler with a greater event-counter-bits",
                    profile.geometry.event_counter_bits
                ),
            ),
            "FAULT" => critical(
                findings,
                "a bit of the profiler has flipped: any count may be wrong; reset the profiler and profile again",
            ),
            // The counters say how many.
            "DRAIN_LOST" if profile.missing.is_some_and(|missing| missing.lost > 0) => {}
            "RECORDS_LOST" if profile.counter(Counter::LostRecords) > 0 => {}
            _ => critical(findings, format!("{}: {}", field.name, field.description)),
        }
    }
}

fn counters(profile: &Profile, findings: &mut Vec<Finding>) {
    let count = |counter| profile.counter(counter);
    let lost = count(Counter::LostRecords);
    if lost > 0 {
        let text = format!(
            "{} lost: the paths around them are missing (no path is wrong); let the core wait, or take a greater queue",
            number_of(lost, "branch record")
        );
        critical(findings, text);
    }
    match &profile.missing {
        Some(missing) => drained(profile, missing, findings),
        None => held(profile, findings),
    }
    contexts(profile, findings);
    if profile.repairs > 0 {
        let text = format!(
            "{} not to the caller (longjmp, an exception, another stack): the paths under way in what was left are missing (no path is \
             wrong)",
            number_of(profile.repairs, "return")
        );
        note(findings, text);
    }
    for (counter, what, meaning) in [
        (
            Counter::Replacements,
            "replacement",
            match profile.missing {
                Some(_) => "paths that left the table went into the drain with their counts",
                None => "paths that left the table took their counts with them",
            },
        ),
        (
            Counter::Overflows,
            "overflow",
            "calls went deeper than the path stack; the paths of the outermost callers are cut there",
        ),
        (
            Counter::Underflows,
            "underflow",
            "returns beyond the stack's first entry; what follows them began in the middle",
        ),
        (
            Counter::Splits,
            "split",
            "paths longer than a descriptor; their parts are counted apart",
        ),
    ] {
        if count(counter) > 0 {
            note(
                findings,
                format!("{}: {meaning}", number_of(count(counter), what)),
            );
        }
    }
}

/// Whose paths these are.
fn contexts(profile: &Profile, findings: &mut Vec<Finding>) {
    let ContextFilter { mask, value } = profile.filter;
    if mask != 0 {
        let text = format!(
            "only the paths of contexts that are {:#x} in the bits {mask:#x} were counted (CONTEXT)",
            value & mask
        );
        note(findings, text);
    }
    let all: u64 = profile.contexts.values().sum();
    if profile.contexts.len() > 1 {
        let share = |(context, count): (&u8, &u64)| {
            format!("{context} ({:.1} %)", 100.0 * *count as f64 / all as f64)
        };
        let shares: Vec<String> = profile.contexts.iter().map(share).collect();
        let kept = match profile.total() == all {
            true => "; they are added up by address, --context shows one",
            false => "; one is shown",
        };
        note(
            findings,
            format!("paths of contexts {}{kept}", shares.join(", ")),
        );
    }
}

/// What left the table and is not here.
fn drained(profile: &Profile, missing: &Missing, findings: &mut Vec<Finding>) {
    if missing.lost > 0 {
        let text = format!(
            "{} lost on the way out of the table, which had counted {}: let the core wait (DRAIN_CONTROL.HOLD), empty the drain sooner, or take \
             a greater one",
            number_of(missing.lost, "entry").replace("entrys", "entries"),
            thousands(missing.lost_count)
        );
        critical(findings, text);
    }
    if missing.waiting > 0 {
        let text = format!(
            "{} still waited in the drain when the profile was printed: what they had counted is missing; empty the drain first",
            number_of(missing.waiting, "entry").replace("entrys", "entries")
        );
        critical(findings, text);
    }
    let total = profile.total();
    match profile.completed() {
        Some(completed) if total == completed => note(
            findings,
            format!(
                "the profile is exact: it has all {}",
                number_of(total, "completed path")
            ),
        ),
        Some(completed) if missing.lost + missing.waiting == 0 => note(
            findings,
            format!(
                "it counts {}, the counters {}: paths completed while the table was frozen or being emptied, or the counters were cleared at \
                 another time{}",
                number_of(total, "path"),
                number_of(completed, "completed path"),
                wrapped(profile)
            ),
        ),
        _ => {}
    }
}

/// What counters that are narrower than others may have done besides.
fn wrapped(profile: &Profile) -> String {
    match profile.geometry.counter_bits {
        64 => String::new(),
        bits => format!(", or went on from 0, as counters of {bits} bits do"),
    }
}

/// How much of all that completed the table holds.
fn held(profile: &Profile, findings: &mut Vec<Finding>) {
    let total = profile.total();
    match profile.completed() {
        Some(completed) if total > completed => note(
            findings,
            format!(
                "the table counts {} and the counters only {}: they were cleared at different times{}",
                number_of(total, "path"),
                number_of(completed, "completed path"),
                wrapped(profile)
            ),
        ),
        Some(completed) if completed > 0 && 2 * total < completed => note(
            findings,
            format!(
                "the table holds only {:.1} % of all completed paths: the program has more hot paths than the table has entries",
                100.0 * total as f64 / completed as f64
            ),
        ),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_easy_to_read() {
        assert_eq!(number_of(1, "path"), "1 path");
        assert_eq!(number_of(1_234_567, "path"), "1,234,567 paths");
        assert_eq!(thousands(999), "999");
    }
}
