//! Paths into the table, and what that counts.

use crate::path::CompletedPath;
use crate::profiler::counters::Counters;
use crate::profiler::drain::Drain;
use crate::profiler::register_file::RegisterFile;
use crate::profiler::table::{HotPathTable, Lookup, TableTally};
use crate::registers::{Counter, errors};

/// Looks paths up, in their order.
#[inline]
pub(super) fn look_up_all(
    table: &mut HotPathTable,
    drain: &mut Option<Drain>,
    counters: &mut Counters,
    registers: &mut RegisterFile,
    paths: &[CompletedPath],
) {
    counters.add(Counter::Paths, paths.len() as u64);
    match drain {
        None => count_lookups(counters, registers, table.record_all(paths)),
        Some(drain) => paths.iter().for_each(|path| {
            let lookup = look_up(table, drain, registers, path);
            count_lookups(counters, registers, lookup.into());
        }),
    }
}

/// Looks a path up in a table with a drain. Without a clock a core that is to be held has waited long enough.
pub(super) fn look_up(
    table: &mut HotPathTable,
    drain: &mut Drain,
    registers: &mut RegisterFile,
    path: &CompletedPath,
) -> Lookup {
    let lookup = table.record(path);
    match lookup.evicted() {
        Some(entry) if drain.holds() => drain.keep(entry),
        Some(entry) if !drain.offer(entry) => registers.raise(errors::DRAIN_LOST),
        _ => {}
    }
    lookup
}

#[inline]
pub(super) fn count_lookups(
    counters: &mut Counters,
    registers: &mut RegisterFile,
    tally: TableTally,
) {
    counters.add(Counter::Hits, tally.hits);
    counters.add(Counter::Replacements, tally.replacements);
    if tally.accumulator_saturated {
        registers.raise(errors::ACCUMULATOR_SATURATED);
    }
}
