//! A profile for pprof: for each path, a sample for each source line it runs through.
//!
//! A sample has the path as its labels (`path`, `outcomes`), so `-tagfocus` and `-tagroot` distinguish paths. The first sample
//! of a path carries its count; each carries its instructions. Source: `profile.proto` of google/pprof.

mod proto;

use std::collections::HashMap;
use std::io::Write;

use anyhow::Result;
use flate2::Compression;
use flate2::write::GzEncoder;
use hpp_report::program::demangled;
use hpp_report::steps::steps;
use hpp_report::{PathReport, SourceLine};
use prost::Message;

use super::Input;
use proto::{Function, Label, Line, Location, Mapping, Profile, Sample, ValueType};

pub fn write(input: &Input<'_>) -> Result<Vec<u8>> {
    let mut builder = Builder::new(input);
    for path in &input.report.paths {
        builder.path(input, path);
    }
    let mut packed = GzEncoder::new(Vec::new(), Compression::default());
    packed.write_all(&builder.profile.encode_to_vec())?;
    Ok(packed.finish()?)
}

struct Builder {
    profile: Profile,
    strings: HashMap<String, i64>,
    functions: HashMap<(String, String), u64>,
    locations: HashMap<u64, u64>,
}

impl Builder {
    fn new(input: &Input<'_>) -> Self {
        let mut builder = Self {
            profile: Profile::default(),
            strings: HashMap::new(),
            functions: HashMap::new(),
            locations: HashMap::new(),
        };
        builder.string("");
        let counts = [input.unit(), "count"].map(|text| builder.string(text));
        let instructions = ["instructions", "count"].map(|text| builder.string(text));
        let types = [counts, instructions].map(|[r#type, unit]| ValueType { r#type, unit });
        // Events along a path cannot be spread over its instructions, and how often they ran is not known.
        let types = if input.report.counted.events {
            &types[..1]
        } else {
            &types[..]
        };
        builder.profile.sample_type = types.to_vec();
        builder.profile.default_sample_type = types[0].r#type;
        let image = input.program.image();
        let ends = image.functions().iter().map(|function| function.end());
        let filename = builder.string(&input.name);
        let build_id = builder.string(input.program.build_id().unwrap_or_default());
        builder.profile.mapping.push(Mapping {
            id: 1,
            memory_limit: ends.max().unwrap_or(0),
            filename,
            build_id,
            has_functions: true,
            has_filenames: true,
            has_line_numbers: true,
            has_inline_frames: true,
        });
        let comment = builder.string(&input.report.counted.to_string());
        builder.profile.comment.push(comment);
        builder
    }

    fn string(&mut self, text: &str) -> i64 {
        if let Some(&index) = self.strings.get(text) {
            return index;
        }
        let index = self.profile.string_table.len() as i64;
        self.profile.string_table.push(text.into());
        self.strings.insert(text.into(), index);
        index
    }

    /// The samples of a path: one for each run of instructions on one source line.
    fn path(&mut self, input: &Input<'_>, path: &PathReport) {
        let labels = [
            ("path", path.descriptor.to_string()),
            ("outcomes", path.outcomes.clone()),
        ];
        let label = labels.map(|(key, text)| Label {
            key: self.string(key),
            str: self.string(&text),
        });
        let signed = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        let mut counts = signed(path.count);
        for (address, instructions) in runs(input, path) {
            let ran = signed(path.count.saturating_mul(instructions));
            let values = [std::mem::take(&mut counts), ran];
            let sample = Sample {
                location_id: vec![self.location(input, address)],
                value: values[..self.profile.sample_type.len()].to_vec(),
                label: label.to_vec(),
            };
            self.profile.sample.push(sample);
            if input.report.counted.events {
                break;
            }
        }
    }

    fn location(&mut self, input: &Input<'_>, address: u64) -> u64 {
        if let Some(&id) = self.locations.get(&address) {
            return id;
        }
        let id = self.locations.len() as u64 + 1;
        let mut line = Vec::new();
        for frame in &*input.program.frames(address) {
            line.push(self.line(&frame.symbol, &frame.name, &frame.source));
        }
        if line.is_empty() {
            let function = input.program.image().functions().at(address);
            let symbol = function.map_or("(in no function)", |function| function.name.as_str());
            // Of code in assembly a line may be known, and no function.
            let source = input.program.source(address);
            let source = source.unwrap_or_else(|| SourceLine::new("", 0));
            line.push(self.line(symbol, &demangled(symbol), &source));
        }
        self.profile.location.push(Location {
            id,
            mapping_id: 1,
            address,
            line,
        });
        self.locations.insert(address, id);
        id
    }

    fn line(&mut self, symbol: &str, name: &str, source: &SourceLine) -> Line {
        let key = (name.to_string(), source.file.clone());
        let next = self.functions.len() as u64 + 1;
        let function_id = *self.functions.entry(key).or_insert(next);
        if function_id == next {
            let function = Function {
                id: next,
                name: self.string(name),
                system_name: self.string(symbol),
                filename: self.string(&source.file),
            };
            self.profile.function.push(function);
        }
        Line {
            function_id,
            line: source.line.into(),
        }
    }
}

/// Runs of instructions on one source line of the same functions: the first address, and how many. A path that does not walk has one of none.
fn runs(input: &Input<'_>, path: &PathReport) -> Vec<(u64, u64)> {
    let steps = steps(input.profile, input.program, &path.descriptor);
    let mut runs: Vec<(u64, u64)> = Vec::new();
    let mut last = None;
    for step in steps.unwrap_or_default() {
        for address in input.program.addresses(step.block) {
            let frames = input.program.frames(address);
            let place = Some((frames, input.program.source(address)));
            match runs.last_mut() {
                Some((_, count)) if place == last && address != step.block.start => *count += 1,
                _ => runs.push((address, 1)),
            }
            last = place;
        }
    }
    if runs.is_empty() {
        runs.push((path.descriptor.start, 0));
    }
    runs
}
