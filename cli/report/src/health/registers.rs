//! What the registers say of a profile: its sticky errors and its counters.

use std::cmp::Reverse;

use hpp_golden::profiler::{ContextFilter, Metric};
use hpp_golden::registers::{Counter, ERRORS};

use super::{Findings, NAMED};
use crate::numbers::{number_of, thousands};
use crate::profile::{Missing, Profile};
use crate::program::Program;

pub(super) fn nothing(profile: &Profile, findings: &mut Findings) {
    if profile.counter(Counter::Records) == 0 {
        findings.critical(
            "no branch record came in: was the profiler enabled (CONTROL.ENABLE), and are the core's retirements connected?",
        );
    } else if profile.counter(Counter::Paths) == 0 {
        findings.critical("no path was completed while the profiler counted");
    } else if profile.counts.is_empty() {
        findings.critical(
            "paths were completed, but the table is empty: was it frozen, or cleared after the run?",
        );
    }
}

/// The sticky errors. One that is not named here is shown by its description.
pub(super) fn errors(profile: &Profile, findings: &mut Findings) {
    let fields = ERRORS.fields.iter();
    let unknown = fields.fold(profile.errors, |left, field| left & !field.mask());
    if unknown != 0 {
        findings.critical(format!(
            "ERRORS has bits that are not known here, {unknown:#x}: use the `hpp` that came with the profiler"
        ));
    }
    let is_set = |field: &&hpp_golden::registers::Field| field.get(profile.errors) != 0;
    for field in ERRORS.fields.iter().filter(is_set) {
        match field.name {
            "ILLEGAL_ROW" => findings.critical(
                "software wrote a row of PPCR_ROWS that the hardware refuses; the earlier row stayed in force",
            ),
            "ACCUMULATOR_SATURATED" => findings.critical(format!(
                "a count did not fit into an accumulator {} wide: the hottest paths count too little; profile a shorter run",
                number_of(profile.geometry.accumulator_bits.into(), "bit")
            )),
            "EVENT_COUNTER_SATURATED" if profile.ppcr.metric == Metric::Executions => {}
            "EVENT_COUNTER_SATURATED" => findings.critical(format!(
                "the events of a path did not fit into a counter {} wide: long paths count too little; generate the \
                 profiler with a greater event-counter-bits",
                number_of(profile.geometry.event_counter_bits.into(), "bit")
            )),
            // The counters say how many.
            "DRAIN_LOST" if profile.missing.is_some_and(|missing| missing.lost > 0) => {}
            "RECORDS_LOST" if profile.counter(Counter::LostRecords) > 0 => {}
            _ => findings.critical(format!("{}: {}", field.name, field.description)),
        }
    }
}

pub(super) fn counters(profile: &Profile, program: Option<&Program<'_>>, findings: &mut Findings) {
    let count = |counter| profile.counter(counter);
    let lost = count(Counter::LostRecords);
    if lost > 0 {
        findings.critical(format!(
            "{} lost: the paths around them are missing (no path is wrong); let the core wait, or generate the profiler with a deeper queue",
            number_of(lost, "branch record")
        ));
    }
    match &profile.missing {
        Some(missing) => drained(profile, missing, findings),
        None => held(profile, findings),
    }
    contexts(profile, findings);
    if profile.repairs > 0 {
        findings.note(format!(
            "{} not to the caller (longjmp, an exception, another stack): paths in progress in procedures that were left are missing (no path \
            is wrong)",
            number_of(profile.repairs, "return")
        ));
    }
    let replaced = match profile.missing {
        Some(_) => "the evicted paths went into the drain with their counts",
        None => "the counts of evicted paths are lost",
    };
    let left = program.filter(|_| !profile.geometry.stack_check);
    let way = left.and_then(Program::leaves_without_return);
    let left = way.as_ref().map_or(String::new(), |way| {
        format!(
            ", or procedures were left without a return ({way}) and their entries stayed there (--stack-check removes these)"
        )
    });
    let deep = format!(
        "calls went deeper than the path stack{left}; the paths of the outermost callers are cut there"
    );
    let switched = way.as_ref().map_or(String::new(), |way| {
        format!(", or on a stack that was switched ({way})")
    });
    let early = format!(
        "returns from procedures whose calls the path stack does not hold: made before the profiler started, dropped in an overflow{switched}; the paths \
         after them begin inside their callers"
    );
    for (counter, what, meaning) in [
        (Counter::Replacements, "replacement", replaced),
        (Counter::Overflows, "overflow", &*deep),
        (Counter::Underflows, "underflow", &*early),
        (
            Counter::Splits,
            "split",
            "paths longer than a descriptor; their parts are counted separately",
        ),
    ] {
        // The function in which a run begins may return once.
        let usual = match counter {
            Counter::Underflows => profile.runs as u64,
            _ => 0,
        };
        if count(counter) > usual {
            let number = number_of(count(counter), what);
            findings.note(format!("{number}: {meaning}"));
        }
    }
}

/// Whose paths these are.
fn contexts(profile: &Profile, findings: &mut Findings) {
    let ContextFilter { mask, value } = profile.filter;
    if mask != 0 {
        findings.note(format!(
            "only the paths of contexts that are {:#x} in the bits {mask:#x} were counted (CONTEXT)",
            value & mask
        ));
    }
    let all: u64 = profile.contexts.values().sum();
    if profile.contexts.len() > 1 {
        let low = profile.geometry.of_hart().context_bits;
        let harts = profile.geometry.harts > 1;
        let share = |(context, count): (&u8, &u64)| {
            let share = 100.0 * *count as f64 / all as f64;
            match harts {
                false => format!("{context} ({share:.1} %)"),
                true => format!("{context} (hart {}, {share:.1} %)", context >> low),
            }
        };
        let mut contexts: Vec<(&u8, &u64)> = profile.contexts.iter().collect();
        contexts.sort_by_key(|(_, count)| Reverse(**count));
        let mut shares: Vec<String> = contexts.iter().take(NAMED).copied().map(share).collect();
        if contexts.len() > NAMED {
            shares.push(format!("{} more", contexts.len() - NAMED));
        }
        let kept = match profile.total() == all {
            true if harts => "; they are added up by address, --hart and --context show one",
            true => "; they are added up by address, --context shows one",
            false => "; one is shown",
        };
        findings.note(format!("paths of contexts {}{kept}", shares.join(", ")));
    }
}

/// What left the table and is not here.
fn drained(profile: &Profile, missing: &Missing, findings: &mut Findings) {
    if missing.lost > 0 {
        findings.critical(format!(
            "{} lost because the drain was full, with counts of {} in all: let the core wait (DRAIN_CONTROL.HOLD), empty the drain sooner, or \
            generate the profiler with a deeper one",
            number_of(missing.lost, "entry").replace("entrys", "entries"),
            thousands(missing.lost_count)
        ));
    }
    if missing.waiting > 0 {
        findings.critical(format!(
            "{} still waited in the drain when the profile was printed: their counts are missing; empty the drain first",
            number_of(missing.waiting, "entry").replace("entrys", "entries")
        ));
    }
    let total = profile.total();
    match profile.completed() {
        Some(completed) if total == completed => findings.note(format!(
                "the profile is exact: it has all {}",
                number_of(total, "completed path")
            ),
        ),
        Some(completed) if missing.lost + missing.waiting == 0 => findings.note(format!(
                "the profile counts {}, the counters {}: paths completed while the table was frozen or being emptied, or the counters were cleared at \
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
        bits => format!(", or wrapped, as counters of {bits} bits do"),
    }
}

/// How much of all that completed the table holds.
fn held(profile: &Profile, findings: &mut Findings) {
    let total = profile.total();
    match profile.completed() {
        Some(completed) if total > completed => findings.note(format!(
                "the table counts {} and the counters only {}: they were cleared at different times{}",
                number_of(total, "path"),
                number_of(completed, "completed path"),
                wrapped(profile)
            ),
        ),
        Some(completed) if completed > 0 && 2 * total < completed => findings.note(format!(
                "the table holds only {:.1} % of all completed paths: the program has more hot paths than the table has entries",
                100.0 * total as f64 / completed as f64
            ),
        ),
        _ => {}
    }
}
