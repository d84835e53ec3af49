//! Section 4.6: lengths other than powers of two.

use anyhow::Result;
use hpp_paths::subpath::Lengths;
use verilated::tools::figures::thousands;

use super::exact::Exact;
use super::{profile, settings_of};
use crate::document::Document;
use crate::streams::Stream;

/// How many of the hottest of the report are looked at.
const TOP: usize = 15;

pub fn fill(document: &Document, streams: &[Stream]) -> Result<()> {
    let geometric = (1..).zip([2, 3, 4, 5, 8, 16, 32]);
    let distributions = [
        ("2, 4, 8, .. 32", Lengths::powers_of_two(32)?),
        (
            "and 3, 5",
            Lengths::weighted(geometric.map(|(n, length)| (length, f64::exp2(-f64::from(n)))))?,
        ),
        ("2 to 1,024, by 1/n", Lengths::harmonic(2..=1024)?),
    ];
    let mut rows = Vec::new();
    for stream in streams {
        let blocks = stream.blocks();
        for (name, lengths) in &distributions {
            let settings = settings_of(lengths.clone());
            let report = profile(settings.clone(), &blocks)?.report();
            let hottest = &report.subpaths()[..TOP.min(report.subpaths().len())];
            // Exact counts of the lengths that were reported, which is what a rank is among.
            let exact = Exact::of(
                &blocks,
                hottest.iter().map(|s| s.id.length),
                settings.encoding,
            );
            let among = hottest.iter().filter(|s| exact.rank(&s.id) <= TOP).count();
            let most = report.subpaths().iter().map(|s| s.count).max().unwrap_or(0);
            let other = hottest
                .iter()
                .filter(|s| !s.id.length.is_power_of_two())
                .count();
            rows.push(vec![
                stream.name.to_owned(),
                (*name).to_owned(),
                thousands(report.samples()),
                thousands(most),
                other.to_string(),
                among.to_string(),
            ]);
        }
    }
    let head = "program | lengths | samples | greatest count | of 15: other lengths | of 15: truly hottest";
    document.table("subpath-lengths", head, &rows)
}
