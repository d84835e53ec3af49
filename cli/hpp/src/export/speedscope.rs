//! A profile for speedscope: one sample for each path, its frames as in a flame graph.
//!
//! Source: speedscope's file format, version 0.0.1 (`file-format-schema.json`).

use std::collections::HashMap;

use anyhow::Result;
use hpp_report::SourceLine;
use serde_json::{Value, json};

use super::{Input, flame};

/// One JSON object.
pub fn write(input: &Input<'_>) -> Result<String> {
    // Two functions of one name have lines of their own.
    let mut numbers: HashMap<(String, Option<SourceLine>), usize> = HashMap::new();
    let mut frames = Vec::new();
    let mut samples: Vec<Vec<usize>> = Vec::new();
    for path in &input.report.paths {
        let sample = flame::frames(input, path).into_iter().map(|frame| {
            let next = numbers.len();
            let key = (frame.name.clone(), frame.source.clone());
            *numbers.entry(key).or_insert_with(|| {
                let mut shown = json!({ "name": frame.name });
                if let Some(source) = frame.source {
                    shown["file"] = source.file.into();
                    shown["line"] = source.line.into();
                }
                frames.push(shown);
                next
            })
        });
        samples.push(sample.collect());
    }
    let weights: Vec<u64> = input.report.paths.iter().map(|path| path.count).collect();
    let file: Value = json!({
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "exporter": format!("hpp {}", env!("CARGO_PKG_VERSION")),
        "name": input.name,
        "activeProfileIndex": 0,
        "shared": { "frames": frames },
        "profiles": [{
            "type": "sampled",
            "name": input.report.counted.to_string(),
            "unit": "none",
            "startValue": 0,
            "endValue": input.report.counts,
            "samples": samples,
            "weights": weights,
        }],
    });
    Ok(serde_json::to_string(&file)? + "\n")
}
