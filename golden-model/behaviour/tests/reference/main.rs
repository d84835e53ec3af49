//! The model equals a naive reading of `docs/behaviour.md`, on random geometries, control registers and streams.

mod effect;
mod lossy;
mod naive;
mod strategies;

use hpp_golden::branch::BranchRecord;
use hpp_golden::config::Geometry;
use hpp_golden::path::{CompletedPath, PathDescriptor};
use hpp_golden::profiler::{
    ExactProfile, HotPathTable, Lookup, Offer, PathStack, Ppcr, Profiler, ResetValues, set_index,
};
use hpp_golden::registers;
use proptest::collection::vec;
use proptest::prelude::*;

fn configured() -> impl Strategy<Value = (Geometry, Ppcr)> {
    strategies::geometry()
        .prop_flat_map(|geometry| (Just(geometry), strategies::ppcr(geometry.extension_bits)))
}

/// What a core or software does to a profiler.
#[derive(Clone, Debug)]
enum Action {
    Offer(BranchRecord),
    /// What was refused is offered again, with as many events more.
    Again(u32),
    Idle,
    Step,
    Profile(BranchRecord),
    Control(u32),
    Command(u32),
    Rows(u32),
    Mode(u32),
    Context(u32),
    ClearErrors(u32),
}

fn action() -> impl Strategy<Value = Action> {
    prop_oneof![
        60 => strategies::record().prop_map(Action::Offer),
        10 => (0..3_u32).prop_map(Action::Again),
        5 => Just(Action::Idle),
        60 => Just(Action::Step),
        20 => strategies::record().prop_map(Action::Profile),
        3 => (0..64_u32).prop_map(|x| Action::Control(x & 7 | u32::from(x > 7) | (8 * u32::from(x == 63)))),
        2 => (0..8_u32).prop_map(Action::Command),
        1 => any::<u32>().prop_map(Action::Rows),
        2 => any::<u32>().prop_map(Action::Mode),
        2 => any::<u32>().prop_map(Action::Context),
        1 => any::<u32>().prop_map(Action::ClearErrors),
    ]
}

/// Records that arrive together, or something else that happens between them.
fn happenings() -> impl Strategy<Value = Vec<Result<Vec<BranchRecord>, Action>>> {
    let control = (0..12_u32).prop_map(|x| Action::Control(x & 7 | u32::from(x > 7)));
    let other = prop_oneof![
        2 => strategies::record().prop_map(Action::Offer),
        1 => Just(Action::Step),
        2 => control,
        1 => any::<u32>().prop_map(Action::Rows),
        2 => any::<u32>().prop_map(Action::Mode),
        2 => any::<u32>().prop_map(Action::Context),
    ];
    let happening = prop_oneof![
        vec(strategies::record(), 0..700).prop_map(Ok),
        other.prop_map(Err),
    ];
    vec(happening, 0..12)
}

fn control(profiler: &mut Profiler, action: &Action) {
    match *action {
        Action::Offer(record) => {
            profiler.offer(&record);
        }
        Action::Step => {
            profiler.step();
        }
        Action::Control(word) => profiler.write(registers::CONTROL.offset, word),
        Action::Rows(word) => profiler.write(registers::PPCR_ROWS.offset, word),
        Action::Mode(word) => profiler.write(registers::PPCR_MODE.offset, word),
        Action::Context(word) => profiler.write(registers::CONTEXT.offset, word),
        _ => unreachable!("no such happening is drawn"),
    }
}

fn read_back(profiler: &Profiler) -> Vec<(usize, PathDescriptor, u32)> {
    let entries = profiler.table().entries();
    entries
        .map(|(number, e)| (number, e.descriptor, e.count))
        .collect()
}

fn act(
    action: &Action,
    profiler: &mut Profiler,
    naive: &mut naive::Whole,
) -> Result<(), TestCaseError> {
    match *action {
        Action::Offer(record) => {
            let ready = profiler.queue().ready();
            prop_assert_eq!(ready, profiler.offer(&record) != Offer::Stalled);
            prop_assert_eq!(ready, naive.offer(record));
        }
        Action::Again(events) => {
            if let Some(refused) = naive.refused {
                let events = refused.events.saturating_add(events);
                let record = BranchRecord { events, ..refused };
                let ready = naive.offer(record);
                prop_assert_eq!(ready, profiler.offer(&record) != Offer::Stalled);
            }
        }
        Action::Idle => {
            profiler.idle();
            naive.idle();
        }
        Action::Step => prop_assert_eq!(profiler.step(), naive.step()),
        Action::Profile(record) => {
            let path = profiler.profile(&record);
            let room = naive.queue.len() < naive.geometry.queue_depth as usize;
            let early = if room { None } else { naive.step() };
            naive.offer(record);
            let expected = if room { naive.step() } else { early };
            prop_assert_eq!(path, expected);
        }
        Action::Control(word) => {
            profiler.write(registers::CONTROL.offset, word);
            [naive.enabled, naive.frozen, naive.lossy] = [1, 2, 4].map(|bit| word & bit != 0);
            naive.purge |= !naive.enabled;
            naive.locked |= word & 8 != 0 && naive.geometry.context_bits > 0;
        }
        Action::Command(word) => {
            profiler.write(registers::COMMAND.offset, word);
            if word & 1 != 0 {
                naive.table.clear();
            }
            naive.purge |= word & 2 != 0;
            if word & 4 != 0 {
                naive.counters.clear();
                naive.repairs = 0;
            }
        }
        Action::Rows(word) | Action::Mode(word) | Action::Context(word) if naive.locked => {
            let offset = match action {
                Action::Rows(_) => registers::PPCR_ROWS.offset,
                Action::Mode(_) => registers::PPCR_MODE.offset,
                _ => registers::CONTEXT.offset,
            };
            profiler.write(offset, word);
            naive.errors |= 16;
        }
        Action::Context(word) => {
            profiler.write(registers::CONTEXT.offset, word);
            let bits = (1 << naive.geometry.context_bits) - 1;
            naive.filter = (u64::from(word & bits), u64::from(word >> 8 & bits));
        }
        Action::Rows(word) => {
            profiler.write(registers::PPCR_ROWS.offset, word);
            naive.errors |= u32::from(naive.stack.ppcr.rows.write(word).is_err());
        }
        Action::Mode(word) => {
            profiler.write(registers::PPCR_MODE.offset, word);
            let geometry = naive.geometry;
            naive.stack.ppcr.write_mode(word, &geometry);
        }
        Action::ClearErrors(word) => {
            profiler.write(registers::ERRORS.offset, word);
            naive.errors &= !word;
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn the_stack_completes_the_same_paths(
        (geometry, ppcr) in configured(),
        records in vec(strategies::record(), 0..400),
    ) {
        let mut stack = PathStack::new(&geometry, ppcr);
        let mut naive = naive::Stack::new(&geometry, ppcr);
        for (k, record) in records.iter().enumerate() {
            let path = stack.step(record);
            prop_assert_eq!(path, naive.step(record), "record {}", k);
            prop_assert!(!stack.is_empty(), "record {} left the stack empty", k);
            prop_assert_eq!(stack.len(), naive.depth());
            if let Some(CompletedPath { descriptor: path, .. }) = path {
                prop_assert!(path.length <= geometry.max_branches);
                prop_assert_eq!(path.outcomes.checked_shr(path.length).unwrap_or(0), 0);
            }
            let resting = stack.entries().all(|e| e.descriptor.length < geometry.max_branches);
            prop_assert!(resting, "record {} left a path that is full", k);
        }
        let tally = stack.take_tally();
        let counted = |what| naive.tally.get(what).copied().unwrap_or(0);
        prop_assert_eq!(tally.splits, counted("splits"));
        prop_assert_eq!(tally.underflows, counted("underflows"));
        prop_assert_eq!(tally.overflows, counted("overflows"));
        prop_assert_eq!(tally.repairs, counted("repairs"));
        prop_assert_eq!(tally.event_counter_saturated, counted("event counter saturated") > 0);
    }

    #[test]
    fn the_table_holds_the_same_entries(
        (geometry, ppcr) in configured(),
        records in vec(strategies::record(), 0..400),
    ) {
        let mut stack = PathStack::new(&geometry, ppcr);
        let mut table = HotPathTable::new(&geometry);
        let mut naive = naive::Table::new(&geometry);
        let mut exact = ExactProfile::new();
        let (mut evicted, mut saturated) = (0, false);
        for path in records.iter().filter_map(|record| stack.step(record)) {
            prop_assert_eq!(set_index(&geometry, &path.descriptor) as u64, naive.set(&path.descriptor));
            naive.record(&path);
            exact.record(&path);
            match table.record(&path) {
                Lookup::Replaced { evicted: lost } => evicted += u128::from(lost.count),
                Lookup::Hit { saturated: true } => saturated = true,
                _ => {}
            }
        }
        let entries: Vec<_> = table.entries().map(|(n, e)| (n, e.descriptor, e.count)).collect();
        prop_assert_eq!(&entries, &naive.entries());
        prop_assert_eq!(evicted, naive.evicted);
        let held: u128 = entries.iter().map(|&(_, _, count)| u128::from(count)).sum();
        let total = u128::from(exact.total());
        prop_assert!(held + evicted <= total);
        prop_assert!(saturated || held + evicted == total, "{} + {} of {}", held, evicted, total);
        for (_, path, count) in entries {
            prop_assert!(u64::from(count) <= exact.get(&path));
        }
    }

    #[test]
    fn the_whole_profiler_does_the_same(
        geometry in strategies::geometry(),
        actions in vec(action(), 0..600),
    ) {
        let mut profiler = Profiler::new(&geometry, &ResetValues::default()).expect("a legal geometry");
        let mut naive = naive::Whole::new(&geometry);
        for action in [Action::Control(1)].iter().chain(&actions) {
            act(action, &mut profiler, &mut naive)?;
            prop_assert_eq!(profiler.counters().values(), naive.counters());
            prop_assert_eq!(profiler.counters().repairs(), naive.repairs);
            prop_assert_eq!(profiler.registers().errors(), naive.errors);
        }
        prop_assert_eq!(read_back(&profiler), naive.table.entries());
    }

    #[test]
    fn a_batch_does_what_its_records_do_one_by_one(
        geometry in strategies::geometry(),
        happenings in happenings(),
    ) {
        let reset = ResetValues::enabled();
        let mut batches = Profiler::new(&geometry, &reset).expect("a legal geometry");
        let mut single = batches.clone();
        for happening in &happenings {
            match happening {
                Ok(records) => {
                    let mut paths = Vec::new();
                    batches.run(records, |some| paths.extend_from_slice(some));
                    let expected: Vec<_> = records.iter().filter_map(|r| single.profile(r)).collect();
                    prop_assert_eq!(paths, expected);
                }
                Err(action) => {
                    control(&mut batches, action);
                    control(&mut single, action);
                }
            }
            prop_assert_eq!(batches.counters(), single.counters());
            prop_assert_eq!(batches.registers().errors(), single.registers().errors());
            prop_assert!(batches.stack().entries().eq(single.stack().entries()));
            prop_assert_eq!(batches.queue().len(), single.queue().len());
            prop_assert_eq!(read_back(&batches), read_back(&single));
        }
    }

    #[test]
    fn the_words_read_over_the_bus_are_the_table(
        (geometry, ppcr) in configured(),
        records in vec(strategies::record(), 0..200),
        first in any::<u32>(),
    ) {
        let geometry = Geometry { sets: geometry.sets.min(16), ..geometry };
        let reset = ResetValues { rows: ppcr.rows, ..ResetValues::enabled() };
        let mut profiler = Profiler::new(&geometry, &reset).expect("a legal geometry");
        for record in &records {
            profiler.profile(record);
        }
        let numbers = geometry.entries().next_power_of_two();
        profiler.write(registers::TABLE_INDEX.offset, first);
        for number in (0..numbers).map(|k| ((first & 0xffff) + k) % numbers) {
            let mut wide = |words| (0..words)
                .map(|k| u64::from(profiler.read(registers::TABLE_DATA.offset)) << (32 * k))
                .sum::<u64>();
            let start = wide(geometry.start_words());
            let outcomes = wide(geometry.outcome_words());
            let (length, count) = (wide(1) as u32, wide(1) as u32);
            let entry = profiler.table().entry(number as usize);
            let expected = entry.map_or((PathDescriptor::default(), 0), |e| (e.descriptor, e.count));
            prop_assert_eq!((PathDescriptor { start, length, outcomes }, count), expected);
        }
    }
}
