//! Enabling, purging, stalling and losing records.

use crate::*;

#[test]
fn a_disabled_profiler_discards_and_purges() {
    let mut profiler = profiler(small());
    assert_eq!(
        profiler.offer(&branch(BranchKind::Forward, 0x100)),
        Offer::Discarded
    );
    profiler.write(CONTROL, 1);
    turn(&mut profiler, 0x100);
    profiler.write(CONTROL, 0);
    assert!(profiler.queue().ready());
    profiler.write(CONTROL, 1);
    assert_eq!(profiler.profile(&branch(BranchKind::Backward, 0x200)), None);
    assert_eq!(
        (
            profiler.stack().len(),
            profiler.counters().get(Counter::Paths)
        ),
        (1, 0)
    );
    assert_eq!(profiler.counters().get(Counter::Records), 2);
}

#[test]
fn records_already_queued_are_still_processed_when_disabled() {
    let mut profiler = profiler(small());
    profiler.write(CONTROL, 1);
    turn(&mut profiler, 0x100);
    profiler.offer(&branch(BranchKind::Backward, 0x200));
    profiler.write(CONTROL, 0);
    let path = profiler.step().expect("the queued record completes a path");
    assert_eq!(path.descriptor.start, 0x100);
    assert_eq!(profiler.step(), None);
}

#[test]
fn a_purge_waits_for_the_next_record() {
    let mut profiler = profiler(small());
    profiler.write(CONTROL, 1);
    turn(&mut profiler, 0x100);
    profiler.offer(&branch(BranchKind::Backward, 0x200));
    profiler.write(COMMAND, 2);
    profiler.offer(&branch(BranchKind::Backward, 0x300));
    profiler.offer(&branch(BranchKind::Backward, 0x400));
    let starts: Vec<_> = (0..3)
        .map(|_| profiler.step().map(|p| p.descriptor.start))
        .collect();
    assert_eq!(starts, [Some(0x100), None, Some(0x300)]);
}

/// A core may drive the constant low bits of an address, and those above it, with anything, also while its record waits.
#[test]
fn a_record_that_waits_is_the_same_whatever_its_address_has_beyond_its_bits() {
    for (pc_bits, context_bits, align, same) in [
        (32, 0, 2, 0x3),
        (32, 0, 1, 0x1),
        (32, 0, 1, 1 << 40),
        (40, 3, 1, 1 << 43 | 1),
        (64, 0, 2, 0x2),
    ] {
        let mut profiler = profiler(Geometry {
            pc_bits,
            context_bits,
            align,
            queue_depth: 2,
            ..small()
        });
        profiler.write(CONTROL, 1);
        for target in [0x100, 0x200] {
            profiler.offer(&branch(BranchKind::Backward, target));
        }
        let offered = [0, same, 0].map(|beyond| branch(BranchKind::Backward, 0x300 ^ beyond));
        for record in &offered {
            assert_eq!(profiler.offer(record), Offer::Stalled);
        }
        assert_eq!(
            profiler.counters().get(Counter::LostRecords),
            0,
            "{same:#x}"
        );
        let other = branch(BranchKind::Backward, 0x300 ^ 1 << align);
        profiler.offer(&other);
        assert_eq!(
            profiler.counters().get(Counter::LostRecords),
            1,
            "{same:#x}"
        );
    }
}

#[test]
fn stall_mode_holds_the_core_and_loses_nothing() {
    let mut profiler = profiler(small());
    profiler.write(CONTROL, 1);
    for target in [0x100, 0x200, 0x300, 0x400] {
        assert_eq!(
            profiler.offer(&branch(BranchKind::Backward, target)),
            Offer::Accepted
        );
    }
    let late = branch(BranchKind::Backward, 0x500);
    assert!(!profiler.queue().ready());
    assert_eq!(profiler.offer(&late), Offer::Stalled);
    assert_eq!(
        profiler.profile(&late),
        None,
        "the first record only pushes"
    );
    let starts: Vec<_> = core::iter::from_fn(|| profiler.step())
        .map(|p| p.descriptor.start)
        .collect();
    assert_eq!(starts, [0x100, 0x200, 0x300, 0x400]);
    assert_eq!(profiler.counters().get(Counter::Records), 5);
    assert_eq!(profiler.read(ERRORS), 0);
}

#[test]
fn lossy_mode_loses_counts_and_purges() {
    let mut profiler = profiler(small());
    profiler.write(CONTROL, 5);
    for target in [0x100, 0x200, 0x300, 0x400] {
        profiler.offer(&branch(BranchKind::Backward, target));
    }
    assert!(profiler.queue().ready());
    assert_eq!(
        profiler.offer(&branch(BranchKind::Backward, 0x500)),
        Offer::Lost
    );
    profiler.step();
    assert_eq!(
        profiler.offer(&branch(BranchKind::Backward, 0x600)),
        Offer::Accepted
    );
    let mut starts = Vec::new();
    while !profiler.queue().is_empty() {
        starts.push(profiler.step().map(|p| p.descriptor.start));
    }
    assert_eq!(starts, [Some(0x100), Some(0x200), Some(0x300), None]);
    assert_eq!(profiler.counters().get(Counter::LostRecords), 1);
    assert_eq!(profiler.read(ERRORS), 8);
}

/// A profiler in stall mode whose queue is full, and which has refused a record to 0x500.
fn refusing() -> Profiler {
    let mut profiler = profiler(small());
    profiler.write(CONTROL, 1);
    for target in [0x100, 0x200, 0x300, 0x400] {
        profiler.offer(&branch(BranchKind::Backward, target));
    }
    let late = branch(BranchKind::Backward, 0x500);
    assert_eq!(profiler.offer(&late), Offer::Stalled);
    profiler
}

/// What the queue still holds goes first; then the stack is purged.
fn assert_lost(mut profiler: Profiler, lost: u64) {
    assert_eq!(profiler.counters().get(Counter::LostRecords), lost);
    assert_eq!(profiler.read(ERRORS), 8);
    let paths: Vec<_> = (0..4).map(|_| profiler.step()).collect();
    assert_eq!(paths.iter().flatten().count(), 3);
    let after = profiler.profile(&branch(BranchKind::Backward, 0x700));
    assert_eq!(after, None, "purged");
}

/// A core that goes on though it was told to hold lost records, with `LOST_RECORDS` 0 and `ERRORS` 0.
#[test]
fn a_record_withdrawn_before_it_was_taken_is_counted_and_purges() {
    let mut profiler = refusing();
    profiler.idle();
    profiler.idle();
    assert_lost(profiler, 1);
}

#[test]
fn a_record_changed_before_it_was_taken_is_counted_and_purges() {
    let mut profiler = refusing();
    for target in [0x600, 0x604] {
        profiler.offer(&branch(BranchKind::Backward, target));
    }
    profiler.idle();
    assert_lost(profiler, 3);
}

#[test]
fn a_record_that_is_held_may_gather_events() {
    let mut profiler = refusing();
    let mut late = branch(BranchKind::Backward, 0x500);
    late.events = 7;
    assert_eq!(profiler.offer(&late), Offer::Stalled);
    while profiler.step().is_some() || !profiler.queue().is_empty() {}
    assert!(profiler.profile(&late).is_some(), "no purge");
    assert_eq!(profiler.counters().get(Counter::LostRecords), 0);
    assert_eq!(profiler.read(ERRORS), 0);
}

#[test]
fn the_queue_tells_how_many_records_wait() {
    let mut profiler = profiler(small());
    profiler.write(CONTROL, 1);
    let depth = profiler.geometry().queue_depth as usize;
    for waiting in 0..depth {
        assert_eq!(profiler.queue().len(), waiting);
        assert_eq!(profiler.queue().is_empty(), waiting == 0);
        assert!(profiler.queue().ready());
        profiler.offer(&branch(BranchKind::Backward, 0x100));
    }
    assert!(!profiler.queue().ready());
    profiler.step();
    assert_eq!(profiler.queue().len(), depth - 1);
}
