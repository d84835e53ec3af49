//! The entry on top decides what an unchecked stack does: what [`PathStack::effect`] says is what the profiler does.

use crate::{configured, read_back, strategies};
use hpp_golden::branch::BranchRecord;
use hpp_golden::path::{CompletedPath, Numbered};
use hpp_golden::profiler::{PathStack, Profiler, ResetValues, StackEntry, StackTally, Then};
use hpp_golden::registers;
use proptest::collection::vec;
use proptest::prelude::*;

/// A stack of entries to which effects happen.
#[derive(Default)]
struct Applied {
    /// From the bottom upwards.
    entries: Vec<StackEntry>,
    tally: StackTally,
    paths: Vec<CompletedPath>,
}

impl Applied {
    fn see(&mut self, detector: &PathStack, record: &BranchRecord) {
        let effect = detector.effect(self.entries.last(), record);
        let top = self.entries.pop();
        match effect.then {
            Then::Stays(top) => self.entries.push(top),
            Then::Pushes { below, top } => {
                self.entries.extend([below, top]);
                if self.entries.len() > detector.depth() {
                    self.entries.remove(0);
                    self.tally.overflows += 1;
                }
            }
            Then::Pops { restarted } => {
                assert!(top.is_some(), "an empty stack has nothing to pop");
                if self.entries.is_empty() {
                    self.entries.push(restarted);
                    self.tally.underflows += 1;
                }
            }
        }
        self.tally.splits += u64::from(effect.splits);
        self.tally.event_counter_saturated |= effect.saturates;
        self.paths.extend(effect.path);
    }
}

proptest! {
    #[test]
    fn the_entry_on_top_tells_what_a_record_does(
        (geometry, ppcr) in configured(),
        filter in any::<u32>(),
        records in vec(strategies::record(), 0..400),
    ) {
        let geometry = hpp_golden::config::Geometry { stack_check: false, ..geometry };
        let reset = ResetValues {
            rows: ppcr.rows,
            metric: ppcr.metric,
            backward_not_taken: ppcr.backward_not_taken,
            extension: ppcr.extension,
            max_extension: ppcr.max_extension,
            ..ResetValues::enabled()
        };
        let mut alone = Profiler::new(&geometry, &reset).expect("a legal profiler");
        alone.write(registers::CONTEXT.offset, filter);
        let mut fed = alone.clone();
        let detector = fed.stack().clone();

        let mut applied = Applied::default();
        records.iter().for_each(|record| applied.see(&detector, record));
        let in_a_row = applied.paths.chunk_by(|one, next| one == next);
        let in_a_row: Vec<_> = in_a_row.map(|same| (same[0], same.len() as u32)).collect();
        let mut numbered = Vec::<Numbered>::new();
        let paths: Vec<_> = (in_a_row.iter())
            .map(|&(path, times)| {
                let number = numbered.iter().position(|numbered| numbered.path == path);
                let number = number.unwrap_or_else(|| {
                    numbered.push(Numbered::new(path));
                    numbered.len() - 1
                });
                (number as u32, times)
            })
            .collect();
        fed.complete(records.len() as u64, applied.tally, &mut numbered, paths);
        prop_assert_eq!(numbered.iter().map(|path| path.times).sum::<u64>(), applied.paths.len() as u64);
        let paths: Vec<_> = records.iter().filter_map(|record| alone.profile(record)).collect();

        prop_assert_eq!(applied.paths, paths);
        prop_assert!(alone.stack().entries().eq(applied.entries.iter().rev()));
        prop_assert_eq!(alone.counters(), fed.counters());
        prop_assert_eq!(alone.read(registers::ERRORS.offset), fed.read(registers::ERRORS.offset));
        prop_assert_eq!(read_back(&alone), read_back(&fed));
    }
}
