//! The paths of a report as CSV, one line each (RFC 4180).

use hpp_report::{PathReport, Report};

use crate::csv;

const HEAD: &str = "rank,weight,share,cumulative,count,function,offset,file,line,start,length,outcomes,instructions,blocks,problem\r\n";

/// A head line, and a line for each path.
pub fn write(report: &Report) -> String {
    let lines = report.paths.iter().map(line);
    std::iter::once(HEAD.to_string()).chain(lines).collect()
}

fn line(path: &PathReport) -> String {
    let source = path.place.source.as_ref();
    let blocks = path
        .blocks
        .iter()
        .map(|b| format!("{:#x}-{:#x}", b.start, b.end));
    let fields = [
        path.rank.to_string(),
        path.weight.to_string(),
        format!("{:.6}", path.share),
        format!("{:.6}", path.cumulative),
        path.count.to_string(),
        path.place.function.clone().unwrap_or_default(),
        // Into the function.
        path.place
            .function
            .as_ref()
            .map_or(String::new(), |_| path.place.offset.to_string()),
        source.map_or(String::new(), |source| source.file.clone()),
        source.map_or(String::new(), |source| source.line.to_string()),
        format!("{:#x}", path.descriptor.start),
        path.descriptor.length.to_string(),
        path.outcomes.clone(),
        path.instructions.map_or(String::new(), |n| n.to_string()),
        blocks.collect::<Vec<_>>().join(" "),
        path.problem.clone().unwrap_or_default(),
    ];
    csv::line(fields)
}
