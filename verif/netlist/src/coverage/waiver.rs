//! Waivers: places that are neither reached nor proved unreachable, by name, with the reason.

use super::place::{Edge, Place, What};
use anyhow::{Context, Result, bail};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fs;
use verilated::tools::project_root;

/// Why bits of a signal, or a side of a branch, in every instance of a module, are neither reached nor proved never to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiver {
    /// The module.
    pub module: String,
    /// What of it.
    pub what: Waived,
    /// Why.
    pub reason: String,
}

/// What is waived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Waived {
    /// Changes of a signal's bits.
    Bits {
        /// The signal.
        signal: String,
        /// The first and the last bit; 0 and 0 of a signal of one.
        bits: [u32; 2],
        /// The change, if the other one is reached.
        edge: Option<Change>,
    },
    /// A side of a branch.
    Branch {
        /// As Verilator calls it.
        side: String,
        /// The line of Verilog.
        line: String,
    },
}

/// A change of a bit, as the file names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// From 0 to 1.
    Rise,
    /// From 1 to 0.
    Fall,
}

impl From<Change> for Edge {
    fn from(change: Change) -> Self {
        match change {
            Change::Rise => Self::Rise,
            Change::Fall => Self::Fall,
        }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    waiver: Vec<Entry>,
}

/// A waiver as the file has it: with `signal` and `bits`, or with `side` and `line`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    module: String,
    signal: Option<String>,
    bits: Option<[u32; 2]>,
    edge: Option<Change>,
    side: Option<String>,
    line: Option<String>,
    reason: String,
}

impl TryFrom<Entry> for Waiver {
    type Error = anyhow::Error;

    fn try_from(entry: Entry) -> Result<Self> {
        let Entry {
            module,
            signal,
            bits,
            edge,
            side,
            line,
            reason,
        } = entry;
        let what = match (signal, bits, side, line) {
            (Some(signal), Some(bits), None, None) if bits[0] <= bits[1] => {
                Waived::Bits { signal, bits, edge }
            }
            (None, None, Some(side), Some(line)) if edge.is_none() => Waived::Branch { side, line },
            _ => bail!(
                "a waiver of `{module}`, `{reason}`; remedy: `signal` and `bits = [first, last]`, or `side` and `line`"
            ),
        };
        Ok(Self {
            module,
            what,
            reason,
        })
    }
}

/// The waivers of `verif/netlist/coverage/waivers.toml`.
///
/// # Errors
///
/// If the file is not there or not as it must be.
pub fn waivers() -> Result<Vec<Waiver>> {
    let path = project_root().join("verif/netlist/coverage/waivers.toml");
    let place = || format!("{}", path.display());
    parse(&fs::read_to_string(&path).with_context(place)?).with_context(place)
}

fn parse(text: &str) -> Result<Vec<Waiver>> {
    let file: File = toml::from_str(text)?;
    file.waiver.into_iter().map(Waiver::try_from).collect()
}

impl Waiver {
    /// Which of its bits a place is, or 0 of a branch; nothing of a place that it does not cover.
    fn covers(&self, place: &Place) -> Option<u32> {
        let covered = match (&self.what, &place.what) {
            (
                Waived::Bits {
                    signal,
                    bits: [first, last],
                    edge,
                },
                What::Toggle {
                    signal: name,
                    bit,
                    edge: change,
                },
            ) => {
                let bit = bit.unwrap_or(0);
                let edge = edge.is_none_or(|edge| Edge::from(edge) == *change);
                (signal == name && edge && (*first..=*last).contains(&bit)).then_some(bit)
            }
            (
                Waived::Branch { side, line },
                What::Branch {
                    side: of,
                    line: text,
                    ..
                },
            ) => (side == of && line == text).then_some(0),
            _ => None,
        };
        covered.filter(|_| self.module == place.module)
    }

    /// All that it may cover.
    fn bits(&self) -> BTreeSet<u32> {
        match &self.what {
            Waived::Bits {
                bits: [first, last],
                ..
            } => (*first..=*last).collect(),
            Waived::Branch { .. } => BTreeSet::from([0]),
        }
    }

    /// What it covers, in words.
    pub fn named(&self) -> String {
        match &self.what {
            Waived::Bits {
                signal,
                bits: [first, last],
                ..
            } => format!("{} {signal}[{first}-{last}]", self.module),
            Waived::Branch { side, line } => format!("{} {side} of `{line}`", self.module),
        }
    }
}

/// Open places, by what the waivers say of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judged<'a> {
    /// How many each waiver covers.
    pub waived: Vec<usize>,
    /// Those that none covers.
    pub holes: Vec<&'a Place>,
    /// Waivers, or bits of them, that cover nothing.
    pub unneeded: Vec<String>,
}

/// Holds open places against the waivers.
pub fn judge<'a>(open: impl Iterator<Item = &'a Place>, waivers: &[Waiver]) -> Judged<'a> {
    let mut waived = vec![0; waivers.len()];
    let mut left: Vec<_> = waivers.iter().map(Waiver::bits).collect();
    let mut holes = Vec::new();
    for place in open {
        let mut found = false;
        for (number, waiver) in waivers.iter().enumerate() {
            if let Some(bit) = waiver.covers(place) {
                waived[number] += usize::from(!found);
                left[number].remove(&bit);
                found = true;
            }
        }
        if !found {
            holes.push(place);
        }
    }
    let unneeded = |(waiver, left): (&Waiver, &BTreeSet<u32>)| {
        (!left.is_empty()).then(|| {
            format!(
                "{}: bits {left:?} are reached, held or not there",
                waiver.named()
            )
        })
    };
    let unneeded = waivers.iter().zip(&left).filter_map(unneeded).collect();
    Judged {
        waived,
        holes,
        unneeded,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(bit: Option<u32>, edge: Edge) -> Place {
        Place {
            module: "hpp_queue".into(),
            instance: "hpp.queue".into(),
            what: What::Toggle {
                signal: "data".into(),
                bit,
                edge,
            },
        }
    }

    #[test]
    fn a_waiver_covers_what_it_names_and_no_more() {
        let waivers = parse(
            "[[waiver]]\nmodule = 'hpp_queue'\nsignal = 'data'\nbits = [3, 4]\nedge = 'rise'\nreason = 'r'\n",
        )
        .expect("a legal file");
        let places = [
            place(Some(3), Edge::Rise),
            place(Some(3), Edge::Fall),
            place(Some(5), Edge::Rise),
        ];
        let judged = judge(places.iter(), &waivers);
        assert_eq!(judged.waived, [1]);
        assert_eq!(judged.holes, [&places[1], &places[2]]);
        assert_eq!(judged.unneeded.len(), 1, "nothing is open at bit 4");
        let both = [place(Some(3), Edge::Rise), place(Some(4), Edge::Rise)];
        assert_eq!(judge(both.iter(), &waivers).unneeded, [""; 0]);
    }

    #[test]
    fn a_waiver_without_a_hole_is_reported() {
        let waivers =
            parse("[[waiver]]\nmodule = 'm'\nside = 'if'\nline = 'if (a)'\nreason = 'r'\n")
                .expect("a legal file");
        assert_eq!(judge([].into_iter(), &waivers).unneeded.len(), 1);
        assert!(parse("[[waiver]]\nmodule = 'm'\nreason = 'r'\n").is_err());
    }
}
