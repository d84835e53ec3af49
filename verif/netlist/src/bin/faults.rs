//! Flips bits of profilers, one at a time, and prints the effects.

use anyhow::{Result, ensure};
use clap::Parser;
use hpp_golden::config::{Geometry, Protection};
use hpp_lockstep::geometries::Named;
use hpp_lockstep::{Subject, seed_from_clock};
use hpp_netlist::faults::{Campaign, Outcome, Place, Tally};
use verilated::tools::command::columns;
use verilated::tools::figures::{Measurement, fenced};

/// Flips bits of registers and memories in lockstep with the model: which are reported, and which cause silent errors.
#[derive(Debug, Parser)]
struct Options {
    /// Geometries, by name, with +INGRESS and @BUS appended [default: the protected ones of the tests, and the first of them without protection]
    #[arg(long)]
    geometry: Vec<String>,
    /// Flips in registers, and as many in memories, of each geometry
    #[arg(long, default_value_t = 1000)]
    flips: u64,
    /// The seed of the first flip; from the clock without
    #[arg(long)]
    seed: Option<u64>,
    /// Records the table in docs/figures.toml and on the page that shows it
    #[arg(long, conflicts_with = "geometry")]
    record: bool,
}

/// The geometry, and the same without protection.
fn usual() -> Vec<Subject> {
    let all = hpp_lockstep::geometries::all();
    let protected = all
        .into_iter()
        .filter(|named| named.geometry.tells_faults());
    let mut out = Vec::new();
    for named in protected {
        if out.is_empty() {
            out.push(Named {
                name: "the first, not protected",
                geometry: Geometry {
                    protect: Protection::None,
                    ..named.geometry
                },
                ..named
            });
        }
        out.push(named);
    }
    out.into_iter().map(Subject::of).collect()
}

fn main() -> Result<()> {
    let options = Options::parse();
    let seed = options.seed.unwrap_or_else(seed_from_clock);
    let chosen = match options.geometry.as_slice() {
        [] => usual(),
        labels => labels
            .iter()
            .map(|label| Subject::find(label))
            .collect::<Result<_>>()?,
    };
    let measurement = Measurement::begin_if(options.record, "faults")?;
    let flips = format!("{} flips at each place, from seed {seed} on", options.flips);
    println!("{flips}");
    let (mut broken, mut rows) = (Vec::new(), Vec::new());
    for subject in chosen {
        let protect = subject.named.geometry.protect;
        let campaign = Campaign::build(subject)?;
        for place in [Place::Register, Place::Memory] {
            let promised = match protect {
                Protection::None => false,
                Protection::Memories => place == Place::Memory,
                Protection::All => true,
            };
            let mut tally = Tally::default();
            for seed in seed..seed + options.flips {
                let (what, outcome) = campaign.flip(place, seed)?;
                if outcome == Outcome::Silent && promised {
                    broken.push(format!("{subject}: {what} (seed {seed})"));
                }
                tally.add(outcome);
            }
            rows.push(vec![
                subject.to_string(),
                format!("{protect:?}").to_lowercase(),
                format!("{place:?}").to_lowercase(),
                campaign.bits(place).to_string(),
                options.flips.to_string(),
                tally.nothing.to_string(),
                tally.reported.to_string(),
                match tally.reported {
                    0 => String::new(),
                    _ => tally.latest.to_string(),
                },
                tally.silent.to_string(),
            ]);
        }
    }
    let head = "geometry | parity | place | bits | flips | no effect | reported | latest | silent";
    let table = columns(head, 3, rows);
    println!("{table}");
    ensure!(
        broken.is_empty(),
        "wrong in silence in spite of parity:\n{}",
        broken.join("\n")
    );
    match measurement {
        Some(measurement) => {
            let text = format!("{flips}:\n\n{}", fenced(&table));
            measurement.record([("all".into(), text)])
        }
        None => Ok(()),
    }
}
