//! How long a core is held, by the depth of the branch queue, with a table that looks its ways up one after another.

use std::num::NonZeroU32;

use anyhow::{Error, Result};
use hpp_golden::branch::BranchRecord;
use hpp_golden::config::{Geometry, LookupScheme};
use hpp_golden::profiler::ResetValues;
use hpp_lockstep::geometries::Named;
use hpp_lockstep::{Device, Drive, Harness, VerilatedDevice};

use crate::bars::Bars;
use crate::document::Document;
use crate::streams::{self, Stream};

/// Depths of the queue.
const DEPTHS: [u32; 5] = [2, 4, 8, 16, 32];
/// Those drawn.
const DRAWN: [usize; 4] = [0, 1, 2, 4];

/// Instructions that a core retires in a cycle.
const WIDTHS: [u64; 3] = [1, 2, 4];

pub fn fill(document: &Document) -> Result<()> {
    let streams = streams::all()?;
    let mut rows = Vec::new();
    for width in WIDTHS {
        let mut bars = Vec::new();
        for stream in &streams {
            let mut shares = Vec::new();
            for depth in DEPTHS {
                shares.push(held(stream, depth, LookupScheme::Sequential, width)?);
            }
            let parallel = held(stream, DEPTHS[0], LookupScheme::Parallel, width)?;
            let row = [stream.name.to_owned(), width.to_string()];
            let shown = shares
                .iter()
                .chain([&parallel])
                .map(|share| format!("{:.3} %", 100.0 * share));
            rows.push(row.into_iter().chain(shown).collect());
            let drawn = DRAWN.map(|place| 100.0 * shares[place]);
            bars.push((stream.name, drawn.to_vec()));
        }
        if width == WIDTHS[2] {
            document.plot("queue", &plot(bars))?;
        }
    }
    let depths = DEPTHS.map(|depth| depth.to_string()).join(" | ");
    let head = format!("program | instructions a cycle | {depths} | 2, parallel lookup");
    document.table("queue-held", &head, &rows)
}

fn plot(programs: Vec<(&'static str, Vec<f64>)>) -> Bars<'static> {
    Bars {
        description: "cycles held, % of the run, four instructions a cycle",
        labels: &["depth 2", "depth 4", "depth 8", "depth 32"],
        programs,
    }
}

/// Cycles in which the core is held, over those of the run without a profiler.
fn held(stream: &Stream, queue_depth: u32, lookup: LookupScheme, width: u64) -> Result<f64> {
    let geometry = Geometry {
        queue_depth,
        lookup,
        ..streams::geometry()
    };
    let named = Named {
        name: "queue",
        seed: None,
        geometry,
    };
    let reset = ResetValues {
        enable: true,
        ..ResetValues::default()
    };
    let harness = Harness::build_reset(&named, reset)?;
    let mut device = VerilatedDevice::new(harness.design(), NonZeroU32::MIN)?;
    let first = Drive {
        reset: true,
        ..Drive::default()
    };
    device.cycle(&first).map_err(Error::msg)?;
    let mut cycle = |drive: Drive| device.cycle(&drive).map(|seen| seen.ready);
    let mut waits = 0_u64;
    let mut step = |record: Option<&BranchRecord>| -> Result<(), String> {
        let offer = Drive {
            record: record.copied(),
            ..Drive::default()
        };
        while !cycle(offer)? && record.is_some() {
            waits += 1;
        }
        Ok(())
    };
    let mut total = 0;
    for record in &stream.records {
        // The instructions before the branch, then the branch itself.
        let quiet = u64::from(record.events).div_ceil(width).saturating_sub(1);
        for _ in 0..quiet {
            step(None).map_err(Error::msg)?;
        }
        step(Some(record)).map_err(Error::msg)?;
        total += quiet + 1;
    }
    Ok(waits as f64 / total as f64)
}
