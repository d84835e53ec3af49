//! The result of a recording, as text.

use std::cmp::Reverse;
use std::fmt::Write;
use std::path::Path;

use hpp_explore::Held;
use hpp_explore::trace::Isa;
use hpp_golden::registers::Counter;
use hpp_qemu::session::{Ended, Outcome};
use hpp_report::Profile;
use hpp_report::numbers::{number_of, thousands};

use super::libraries::Libraries;

/// Millions, as many digits as are of use.
pub fn millions(number: f64) -> String {
    let millions = number / 1e6;
    if millions < 10.0 {
        format!("{millions:.2}")
    } else {
        format!("{millions:.0}")
    }
}

fn percent(part: f64) -> String {
    format!("{:.2} %", 100.0 * part)
}

/// What is not profiled, a line each.
pub fn problems(outcome: &Outcome) -> Vec<String> {
    let mut lines = Vec::new();
    if outcome.other_instructions > 0 {
        lines.push(format!(
            "other threads ran {} million instructions, which are not profiled",
            millions(outcome.other_instructions as f64)
        ));
    }
    match outcome.forks {
        0 => {}
        1 => lines.push("a child process was started, which is not profiled".into()),
        n => lines.push(format!(
            "{n} child processes were started, which are not profiled"
        )),
    }
    if outcome.unseen_signals > 0 {
        lines.push(format!(
            "{} signals came right after a return or a jump through a register, and their handlers were taken for its target: paths around them are wrong",
            outcome.unseen_signals
        ));
    }
    if outcome.ended == Ended::Replaced && !outcome.followed {
        lines.push("the program replaced itself with another one (execve), which is not profiled: trace that one, or --follow it".into());
    }
    lines
}

pub fn speed(outcome: &Outcome) -> String {
    let (instructions, records) = (outcome.instructions as f64, outcome.held.records as f64);
    format!(
        "\n{} million instructions, {} million branch records in {:.1} s: {} million records a second{}\n",
        millions(instructions),
        millions(records),
        outcome.seconds,
        millions(records / outcome.seconds.max(1e-9)),
        match outcome.ended {
            Ended::Limit => "; stopped at the limit",
            Ended::Exited | Ended::Replaced => "",
        }
    )
}

/// What the table held, and its hottest paths, with names of those in libraries that are known.
pub fn held(
    held: &Held,
    profile: &Profile,
    top: usize,
    libraries: Option<&Libraries<'_>>,
) -> String {
    let mut text = String::new();
    let mut line =
        |line: String| writeln!(text, "{line}").expect("writing to a string cannot fail");
    let completed = profile.counter(Counter::Paths);
    line(format!(
        "{} completed, {} of them different; {} in a table of {} x {}",
        number_of(completed, "path"),
        held.different,
        profile.counts.len(),
        profile.geometry.sets,
        profile.geometry.ways
    ));
    if completed == 0 {
        return text;
    }
    let accuracy = held.accuracy;
    line(format!(
        "overlap with the exact profile {}; the table accounts for {}, the {} hottest paths for {}",
        percent(accuracy.overlap),
        percent(accuracy.accounted),
        profile.geometry.entries(),
        percent(accuracy.bound)
    ));
    let of_completed = |counter| percent(profile.counter(counter) as f64 / completed as f64);
    line(format!(
        "hits {}, replacements {}",
        of_completed(Counter::Hits),
        of_completed(Counter::Replacements)
    ));
    let mut paths: Vec<_> = profile.counts.iter().collect();
    paths.sort_by_key(|(path, count)| (Reverse(**count), **path));
    if top > 0 {
        line("\n     count  path".into());
    }
    for (path, count) in paths.into_iter().take(top) {
        let address = profile.geometry.address(path.start);
        let name = libraries.and_then(|libraries| libraries.name(address));
        let name = name.map_or(String::new(), |name| format!("  {name}"));
        line(format!("{count:>10}  {path}{name}"));
    }
    text
}

/// What the contexts of a whole machine are, a line each; nothing of a program.
pub fn contexts(isa: Isa, outcome: &Outcome, profile: &Profile) -> String {
    let Ok(split) = profile.clone().in_contexts(None) else {
        return String::new();
    };
    if outcome.spaces.is_empty() {
        return String::new();
    }
    let total = split.contexts.values().sum::<u64>().max(1) as f64;
    let line = |(&context, &count): (&u8, &u64)| {
        let what = match (
            context,
            outcome.spaces.get(usize::from(context).wrapping_sub(2)),
        ) {
            (0, _) if isa == Isa::X86_64 => "outside of long mode".into(),
            (0, _) => "machine level".into(),
            (1, _) => "supervisor level".into(),
            (_, Some(space)) => format!("user code, page table at {:#x}", space << 12),
            (_, None) => "other user code".into(),
        };
        format!(
            "\ncontext {context}: {} of the table; {what}",
            percent(count as f64 / total)
        )
    };
    "\n".to_owned() + &split.contexts.iter().map(line).collect::<String>()
}

/// What a table accounts for that contexts share, and tables that each has alone: name, counts, shares.
pub fn shared(rows: &[(String, u64, f64, f64)]) -> String {
    let head = format!(
        "\n{:<12} {:>15}  {:>10}  {:>10}\n",
        "paths of", "counted", "shared", "alone"
    );
    let line = |(name, count, shared, alone): &(String, u64, f64, f64)| {
        let (count, shared, alone) = (thousands(*count), percent(*shared), percent(*alone));
        format!("{name:<12} {count:>15}  {shared:>10}  {alone:>10}\n")
    };
    head + &rows.iter().map(line).collect::<String>()
}

/// What came of another hart, or of another process, than the first, in a line.
pub fn of_another(name: &str, outcome: &Outcome, profile: &Profile, file: Option<&Path>) -> String {
    let completed = profile.counter(Counter::Paths);
    let overlap = match completed {
        0 => String::new(),
        _ => format!("; overlap {}", percent(outcome.held.accuracy.overlap)),
    };
    format!(
        "{name}: {} million instructions, {} million branch records, {completed} paths completed, {} different ones{overlap}{}",
        millions(outcome.instructions as f64),
        millions(outcome.held.records as f64),
        outcome.held.different,
        file.map_or(String::new(), |file| format!("; {}", file.display()))
    )
}
