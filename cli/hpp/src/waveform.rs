//! Values of signals in each clock cycle, from a VCD (IEEE 1364-2005, section 18).

use std::collections::HashMap;
use std::io::BufRead;
use vcd::{Command, IdCode, Parser, ScopeItem, Value};

/// A signal's value in each cycle; `None` where a bit of it is neither 0 nor 1.
pub type Samples = Vec<Option<u64>>;

/// Why a recording cannot be sampled.
#[derive(Debug, thiserror::Error)]
pub enum WaveformError {
    /// It has no header of a VCD.
    #[error("no VCD: {0}")]
    Header(std::io::Error),
    /// It breaks off or holds something else.
    #[error("cut short: {0}")]
    Body(std::io::Error),
    /// A signal is not in it.
    #[error("no signal `{0}`")]
    NoSignal(String),
    /// A signal is wider than a sample.
    #[error("a signal of {0} bits; a sample has at most 64")]
    Wide(usize),
}

/// Samples the named signals just before each rising edge of `clock`: what a register behind them takes in. Linear.
///
/// A name is looked for from the outermost scope inwards. Signals have at most 64 bits.
///
/// # Errors
///
/// If the text is no VCD, or lacks a signal.
pub fn samples(
    vcd: impl BufRead,
    clock: &str,
    names: &[&str],
) -> Result<Vec<Samples>, WaveformError> {
    let mut parser = Parser::new(vcd);
    let header = parser.parse_header().map_err(WaveformError::Header)?;
    let find =
        |name: &str| find(&header.items, name).ok_or_else(|| WaveformError::NoSignal(name.into()));
    let clock = find(clock)?;
    let codes = names
        .iter()
        .map(|name| find(name))
        .collect::<Result<Vec<_>, _>>()?;
    let wanted = |code: &IdCode| *code == clock || codes.contains(code);
    let mut now: HashMap<IdCode, Option<u64>> = HashMap::new();
    let mut samples = vec![Samples::new(); names.len()];
    let mut moment = Moment::default();
    for command in parser {
        match command.map_err(WaveformError::Body)? {
            Command::Timestamp(_) => moment.apply(clock, &codes, &mut now, &mut samples),
            Command::ChangeScalar(code, value) if wanted(&code) => {
                moment.changes.push((code, bit(value)));
            }
            Command::ChangeVector(code, value) if wanted(&code) => {
                if value.len() > 64 {
                    return Err(WaveformError::Wide(value.len()));
                }
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

    fn of(text: &str, name: &str) -> Result<Vec<Samples>, WaveformError> {
        samples(text.as_bytes(), "clk", &[name])
    }

    /// What changes with the edge, before it or after it in the file, belongs to the cycle after it.
    #[test]
    fn a_sample_is_what_was_there_before_the_edge() {
        let samples = of(TEXT, "data").expect("a VCD");
        assert_eq!(samples, [[None, Some(5), Some(7)]]);
    }

    #[test]
    fn a_signal_that_is_not_there_is_named() {
        let message = |text, name| of(text, name).expect_err("not there").to_string();
        assert_eq!(message(TEXT, "dato"), "no signal `dato`");
        assert!(message("nonsense", "data").starts_with("no VCD"));
    }
}
