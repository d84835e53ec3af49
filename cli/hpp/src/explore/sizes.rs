//! Legal numbers of entries of a table.

use anyhow::{Result, bail};
use hpp_golden::config::{Geometry, MAX_ENTRIES, Range};

const SETS: Range = range(0);
const WAYS: Range = range(1);

/// The numbers that one of the first parameters may be.
const fn range(position: usize) -> Range {
    match Geometry::PARAMETERS[position].range() {
        Some(range) => range,
        None => panic!("a number"),
    }
}

/// Whether there is a table of each of these numbers of entries with so many ways.
pub fn check(entries: &[u32], ways: u32) -> Result<()> {
    if !(WAYS.low..=WAYS.high).contains(&ways) {
        bail!(
            "--ways {ways}: a set has {} to {} ways",
            WAYS.low,
            WAYS.high
        );
    }
    let tables: Vec<u32> = tables(ways).collect();
    match entries.iter().find(|entries| !tables.contains(entries)) {
        None => Ok(()),
        Some(entries) => bail!(
            "--entries {entries} with --ways {ways}: entries are ways times 2, 4, 8 and so on; near: {}",
            near(*entries, &tables)
        ),
    }
}

/// The numbers of entries that tables with so many ways have, the fewest first.
fn tables(ways: u32) -> impl Iterator<Item = u32> {
    let sets = (0..u32::BITS).map(|bit| 1 << bit);
    sets.filter(|sets| (SETS.low..=SETS.high).contains(sets))
        .map(move |sets: u32| sets * ways)
        .filter(|&entries| entries <= MAX_ENTRIES)
}

/// The next tables below and above, as far as there are any.
fn near(entries: u32, tables: &[u32]) -> String {
    let below = tables.iter().rfind(|&&table| table < entries);
    let above = tables.iter().find(|&&table| table > entries);
    let both: Vec<String> = below.into_iter().chain(above).map(u32::to_string).collect();
    both.join(" and ")
}
