//! Places in the Verilog, the same in every geometry.

use crate::verilog::parse;
use crate::verilog::tree::Module;
use anyhow::Result;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use verilated::{Coverage, Kind, Point};

/// A change of a bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Edge {
    /// From 0 to 1.
    Rise,
    /// From 1 to 0.
    Fall,
}

/// What can be reached.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum What {
    /// A change of a signal's bit.
    Toggle {
        /// The signal.
        signal: String,
        /// Its bit; none of a signal of one.
        bit: Option<u32>,
        /// The change.
        edge: Edge,
    },
    /// A block, or a side of a branch.
    Branch {
        /// As Verilator calls it: `if`, `else`, `elsif`, `block`, `cond_then`, `cond_else`.
        side: String,
        /// The line of Verilog.
        line: String,
        /// How many of the same stand before it in the module.
        number: usize,
    },
}

/// Line and column, from 1.
pub type At = (u32, u32);

/// A place in an instance of a module.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// The module, without its parameters.
    pub module: String,
    /// The instance, by its way from the top module's, `hpp`.
    pub instance: String,
    /// What is there.
    pub what: What,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: ", self.module, self.instance)?;
        match &self.what {
            What::Toggle { signal, bit, edge } => {
                f.write_str(signal)?;
                if let Some(bit) = bit {
                    write!(f, "[{bit}]")?;
                }
                f.write_str(match edge {
                    Edge::Rise => " rises",
                    Edge::Fall => " falls",
                })
            }
            What::Branch { side, line, .. } => write!(f, "{side} of `{line}`"),
        }
    }
}

impl Place {
    /// Whether it is a change of a bit.
    pub const fn is_toggle(&self) -> bool {
        matches!(self.what, What::Toggle { .. })
    }
}

/// The places of a profiler's Verilog, where each is (line and column, from 1), and whether it was reached. The words of
/// memories are left out: what is written and read is seen at their ports.
///
/// # Errors
///
/// The place of what is not of the language that the generator writes.
pub fn places(verilog: &str, coverage: &Coverage) -> Result<BTreeMap<Place, (At, bool)>> {
    let modules = parse(verilog)?;
    let memories: BTreeSet<_> = modules.iter().flat_map(memories).collect();
    let lines: Vec<_> = verilog.lines().map(str::trim).collect();
    let mut same = BTreeMap::new();
    let mut places = BTreeMap::new();
    for (point, count) in coverage.points() {
        let Some(mut place) = place(point, &lines) else {
            continue;
        };
        if let What::Toggle { signal, .. } = &place.what
            && memories.contains(&(place.module.as_str(), signal.as_str()))
        {
            continue;
        }
        if !place.is_toggle() {
            let before = same.entry(place.clone()).or_insert(0);
            if let What::Branch { number, .. } = &mut place.what {
                *number = *before;
            }
            *before += 1;
        }
        places.insert(place, ((point.line, point.column), count > 0));
    }
    Ok(places)
}

/// The memories of a module, with its name.
fn memories(module: &Module) -> impl Iterator<Item = (&str, &str)> {
    let arrays = module.signals.iter().filter(|signal| signal.array);
    arrays.map(|signal| (module.name.as_str(), signal.name.as_str()))
}

fn place(point: &Point, lines: &[&str]) -> Option<Place> {
    let what = match point.kind {
        Kind::Toggle => toggle(&point.what)?,
        Kind::Line => What::Branch {
            side: point.what.clone(),
            line: (*lines.get(point.line as usize - 1)?).to_string(),
            number: 0,
        },
    };
    let module = point.module.split("__").next().unwrap_or_default();
    let instance = point.instance.trim_start_matches("TOP.");
    Some(Place {
        module: module.to_string(),
        instance: instance.to_string(),
        what,
    })
}

/// Of `count_q[17]:0->1`; nothing of a word of a memory.
fn toggle(what: &str) -> Option<What> {
    let (name, change) = what.rsplit_once(':')?;
    let edge = match change {
        "0->1" => Edge::Rise,
        "1->0" => Edge::Fall,
        _ => return None,
    };
    let (signal, bit) = match name.split_once('[') {
        None => (name, None),
        Some((signal, rest)) => (signal, Some(rest.strip_suffix(']')?.parse().ok()?)),
    };
    Some(What::Toggle {
        signal: signal.to_string(),
        bit,
        edge,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bit_has_a_place_and_a_word_of_a_memory_has_none() {
        let rise = |signal: &str, bit| What::Toggle {
            signal: signal.into(),
            bit,
            edge: Edge::Rise,
        };
        assert_eq!(toggle("count_q[17]:0->1"), Some(rise("count_q", Some(17))));
        assert_eq!(toggle("valid:0->1"), Some(rise("valid", None)));
        assert_eq!(toggle("cells[3][5]:0->1"), None);
        assert_eq!(toggle("valid"), None);
    }

    #[test]
    fn places_of_one_module_are_one_whatever_its_parameters() {
        let point = |module: &str, line| Point {
            kind: Kind::Line,
            file: "hpp.v".into(),
            line,
            column: 3,
            module: module.into(),
            instance: "TOP.hpp.ways_1".into(),
            what: "if".into(),
        };
        let lines = ["module way;", "if (a) b;"];
        let found = place(&point("way__Bz3", 2), &lines).expect("a line");
        assert_eq!(Some(&found), place(&point("way", 2), &lines).as_ref());
        assert_eq!(found.to_string(), "way hpp.ways_1: if of `if (a) b;`");
    }
}
