//! A profile for speedscope: one sample for each path, its frames as in a flame graph.
//!
//! Source: speedscope's file format, version 0.0.1 (`file-format-schema.json`).

use std::collections::HashMap;

use anyhow::Result;
use hpp_report::SourceLine;
use serde::Serialize;

use super::{Input, flame};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct File {
    #[serde(rename = "$schema")]
    schema: &'static str,
    exporter: String,
    name: String,
    active_profile_index: usize,
    shared: Shared,
    profiles: [Sampled; 1],
}

#[derive(Serialize)]
struct Shared {
    frames: Vec<Frame>,
}

#[derive(Serialize)]
struct Frame {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Sampled {
    r#type: &'static str,
    name: String,
    unit: &'static str,
    start_value: u64,
    end_value: u64,
    samples: Vec<Vec<usize>>,
    weights: Vec<u64>,
}

/// One JSON object.
pub fn write(input: &Input<'_>) -> Result<String> {
    // Two functions of one name have lines of their own.
    let mut numbers: HashMap<(String, Option<SourceLine>), usize> = HashMap::new();
    let mut frames = Vec::new();
    let mut samples = Vec::new();
    for path in &input.report.paths {
        let mut sample = Vec::new();
        for frame in flame::frames(input, path) {
            let key = (frame.name.clone(), frame.source.clone());
            let number = *numbers.entry(key).or_insert_with(|| {
                frames.push(Frame {
                    name: frame.name,
                    file: frame.source.as_ref().map(|source| source.file.clone()),
                    line: frame.source.as_ref().map(|source| source.line),
                });
                frames.len() - 1
            });
            sample.push(number);
        }
        samples.push(sample);
    }
    let file = File {
        schema: "https://www.speedscope.app/file-format-schema.json",
        exporter: format!("hpp {}", env!("CARGO_PKG_VERSION")),
        name: input.name.clone(),
        active_profile_index: 0,
        shared: Shared { frames },
        profiles: [Sampled {
            r#type: "sampled",
            name: input.report.counted.to_string(),
            unit: "none",
            start_value: 0,
            end_value: input.report.counts,
            samples,
            weights: input.report.paths.iter().map(|path| path.count).collect(),
        }],
    };
    Ok(serde_json::to_string(&file)? + "\n")
}
