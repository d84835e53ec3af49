//! Paths by mispredicted branches: a model of a predictor says which, and the profiler counts them along paths.

mod predictor;

use anyhow::{Context, Result, ensure};
use hpp_golden::branch::BranchRecord;
use hpp_golden::profiler::{BackwardNotTaken, Metric};
use hpp_paths::metrics::overlap;
use hpp_soc::PROGRAMS;
use hpp_soc::crosscheck::{Mode, check_emitted};
use hpp_soc::recordings::recorded;
use hpp_tools::figures::thousands;

use crate::document::{Document, percent};
use crate::energy::{Profile, geometry, named};
use predictor::Predictor;

pub fn fill(document: &Document) -> Result<()> {
    let (mut shares, mut hottest) = (Vec::new(), Vec::new());
    for program in PROGRAMS {
        let [share, path] = of(program).with_context(|| program.to_owned())?;
        shares.push(share);
        hottest.push(path);
    }
    let head = "program | branches | mispredicted | of all | 10 by this | 10 by executions | \
        overlap with executions";
    document.table("mispredictions-shares", head, &shares)?;
    let head = "program | hottest | mispredictions | executions";
    document.table("mispredictions-hottest", head, &hottest)
}

fn of(program: &str) -> Result<[Vec<String>; 2]> {
    let recording = recorded(program)?;
    let mut predictor = Predictor::default();
    let predicted = recording.records.iter().map(|record| BranchRecord {
        events: u32::from(predictor.mispredicts(record)),
        ..*record
    });
    let records: Vec<BranchRecord> = predicted.collect();
    let wrong = Profile::of(&records, Metric::Events)?;
    let executions = Profile::of(&records, Metric::Executions)?;
    let mut mode = Mode::ball_larus(BackwardNotTaken::default());
    mode.reset.metric = Metric::Events;
    let emitted = check_emitted(&records, &geometry(), mode)?;
    let same = |(path, count)| wrong.counts[path] == count;
    ensure!(
        emitted.profile.iter().all(same),
        "the Verilog counts other mispredictions along paths than the model"
    );
    let mispredicted: u64 = records.iter().map(|record| u64::from(record.events)).sum();
    let shares = vec![
        program.to_owned(),
        thousands(records.len() as u64),
        thousands(mispredicted),
        percent(mispredicted as f64 / records.len() as f64),
        percent(wrong.held_by(&wrong)),
        percent(wrong.held_by(&executions)),
        percent(overlap(&wrong.counts, &executions.counts)),
    ];
    let path = wrong.order[0];
    let hottest = vec![
        program.to_owned(),
        named(&recording.image, &path),
        percent(wrong.share(&path)),
        percent(executions.share(&path)),
    ];
    Ok([shares, hottest])
}
