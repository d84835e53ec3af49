//! Values of signals in each clock cycle, from a VCD (IEEE 1364-2005, section 18).

use anyhow::{Context, Result, ensure};
use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use vcd::{Command, IdCode, Parser, ScopeItem, Value};

/// A signal's value in each cycle; `None` where a bit of it is neither 0 nor 1.
pub type Samples = Vec<Option<u64>>;

/// Samples the named signals just before each rising edge of `clock`: what a register behind them takes in.
///
/// A name is looked for from the outermost scope inwards. Signals have at most 64 bits.
///
/// # Errors
///
/// If the file cannot be read, is no VCD, or lacks a signal.
pub fn sample(path: &Path, clock: &str, names: &[&str]) -> Result<Vec<Samples>> {
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    let mut parser = Parser::new(BufReader::new(file));
    let header = parser
        .parse_header()
        .with_context(|| format!("{} is no VCD", path.display()))?;
    let find = |name: &str| {
        find(&header.items, name)
            .with_context(|| format!("{} has no signal `{name}`", path.display()))
    };
    let clock = find(clock)?;
    let codes = names
        .iter()
        .map(|name| find(name))
        .collect::<Result<Vec<_>>>()?;
    let wanted = |code: &IdCode| *code == clock || codes.contains(code);
    let mut now: HashMap<IdCode, Option<u64>> = HashMap::new();
    let mut samples = vec![Samples::new(); names.len()];
    let mut moment = Moment::default();
    for command in parser {
        match command.with_context(|| format!("{} is cut short", path.display()))? {
            Command::Timestamp(_) => moment.apply(clock, &codes, &mut now, &mut samples),
            Command::ChangeScalar(code, value) if wanted(&code) => {
                moment.changes.push((code, bit(value)));
            }
            Command::ChangeVector(code, value) if wanted(&code) => {
                ensure!(value.len() <= 64, "a signal of {} bits", value.len());
                let word = value
                    .iter()
                    .try_fold(0, |word, value| Some(word << 1 | bit(value)?));
                moment.changes.push((code, word));
            }
            _ => {}
        }
    }
    moment.apply(clock, &codes, &mut now, &mut samples);
    Ok(samples)
}

/// The changes of one moment; they come in any order, the clock's among them.
#[derive(Default)]
struct Moment {
    changes: Vec<(IdCode, Option<u64>)>,
}

impl Moment {
    fn apply(
        &mut self,
        clock: IdCode,
        codes: &[IdCode],
        now: &mut HashMap<IdCode, Option<u64>>,
        samples: &mut [Samples],
    ) {
        let low = now.get(&clock) == Some(&Some(0));
        if low && self.changes.contains(&(clock, Some(1))) {
            for (code, samples) in codes.iter().zip(samples) {
                samples.push(now.get(code).copied().flatten());
            }
        }
        now.extend(self.changes.drain(..));
    }
}

fn bit(value: Value) -> Option<u64> {
    match value {
        Value::V0 => Some(0),
        Value::V1 => Some(1),
        Value::X | Value::Z => None,
    }
}

fn find(items: &[ScopeItem], name: &str) -> Option<IdCode> {
    let here = items.iter().find_map(|item| match item {
        ScopeItem::Var(var) if var.reference == name => Some(var.code),
        _ => None,
    });
    here.or_else(|| {
        items.iter().find_map(|item| match item {
            ScopeItem::Scope(scope) => find(&scope.items, name),
            _ => None,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "$timescale 1 ns $end
$scope module top $end
$var wire 1 ! clk $end
$scope module inner $end
$var wire 8 # data [7:0] $end
$upscope $end
$upscope $end
$enddefinitions $end
#0
0!
bxxxxxxxx #
#5
b101 #
1!
#10
0!
#15
1!
b110 #
#20
0!
b111 #
#25
1!
";

    fn samples(text: &str, name: &str) -> Result<Vec<Samples>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("trace.vcd");
        std::fs::write(&path, text)?;
        sample(&path, "clk", &[name])
    }

    /// What changes with the edge, before it or after it in the file, belongs to the cycle after it.
    #[test]
    fn a_sample_is_what_was_there_before_the_edge() {
        let samples = samples(TEXT, "data").expect("a VCD");
        assert_eq!(samples, [[None, Some(5), Some(7)]]);
    }

    #[test]
    fn a_signal_that_is_not_there_is_named() {
        let message = format!("{:#}", samples(TEXT, "dato").expect_err("no such signal"));
        assert!(message.contains("no signal `dato`"), "{message}");
        let message = format!("{:#}", samples("nonsense", "data").expect_err("no VCD"));
        assert!(message.contains("trace.vcd"), "{message}");
    }
}
