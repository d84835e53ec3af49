//! Proves the properties of the circuits, and that damaged circuits do not have them.

use anyhow::{Context, Result, bail, ensure};
use clap::Parser;
use hpp_lockstep::proofs::{self, Property, Verdict};
use std::time::Instant;
use verilated::tools::command::columns;
use verilated::tools::figures::{Measurement, fenced};
use verilated::tools::project_root;

/// Proves the properties in hdl/proofs for runs of any length, and shows that damaged circuits fail them.
#[derive(Parser, Debug)]
#[command(version)]
struct Options {
    /// Only these properties [default: all]
    properties: Vec<String>,
    /// Records the table in docs/figures.toml and on the page that shows it
    #[arg(long, conflicts_with = "properties")]
    record: bool,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let mut properties = proofs::all(&project_root())?;
    for name in &options.properties {
        if !properties.iter().any(|property| property.name == *name) {
            let names: Vec<_> = properties.iter().map(|p| p.name.as_str()).collect();
            bail!(
                "there is no property `{name}`; there are {}",
                names.join(", ")
            );
        }
    }
    properties.retain(|p| options.properties.is_empty() || options.properties.contains(&p.name));
    let measurement = Measurement::begin_if(options.record, "proofs")?;
    let (mut sound, mut rows) = (true, Vec::new());
    for property in &properties {
        sound &= row(property, &mut rows).with_context(|| property.name.clone())?;
    }
    let head = "property | circuit | verdict | seconds | damaged | refuted | unproved";
    let table = columns(head, 3, rows);
    println!("{table}");
    ensure!(sound, "not everything is as it must be");
    match measurement {
        Some(measurement) => measurement.record([("all".into(), fenced(&table))]),
        None => Ok(()),
    }
}

/// Proves a property, tries the damages, and adds a row; whether all is as it must be.
fn row(property: &Property, rows: &mut Vec<Vec<String>>) -> Result<bool> {
    let verilog = proofs::circuit(property)?;
    let start = Instant::now();
    let verdict = proofs::attempt(property, &verilog)?;
    let seconds = start.elapsed().as_secs_f64();
    let (mut refuted, mut open) = (0, 0);
    let mut sound = verdict == Verdict::Proved;
    for damage in &property.damages {
        match proofs::attempt_damaged(property, &verilog, damage)? {
            Verdict::Refuted(_) => refuted += 1,
            Verdict::Open { .. } => open += 1,
            Verdict::Proved => {
                eprintln!(
                    "{}: not noticed: {} => {}",
                    property.name, damage.from, damage.to
                );
                sound = false;
            }
        }
    }
    let said = match verdict {
        Verdict::Proved => "proved".into(),
        Verdict::Open { steps, assertion } => format!("{steps} steps; open: {assertion}"),
        Verdict::Refuted(assertion) => format!("REFUTED: {assertion}"),
    };
    rows.push(vec![
        property.name.clone(),
        property.top(),
        said,
        format!("{seconds:.1}"),
        property.damages.len().to_string(),
        refuted.to_string(),
        open.to_string(),
    ]);
    Ok(sound)
}
