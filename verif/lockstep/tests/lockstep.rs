//! The emitted Verilog in lockstep with the golden model: every test geometry, and random ones on any bus and with any values after
//! reset; more than ten million records in all.

use hpp_golden::config::LookupScheme;
use hpp_lockstep::{Subject, epoch, first_seed, geometries};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

const RECORDS: u64 = 1_000_000;
/// Records of one whose table takes several cycles for a path.
const SEQUENTIAL_RECORDS: u64 = 250_000;
const RANDOM: u64 = 3;
const EPOCHS: u64 = 4;

fn epoch_records(subject: &Subject) -> u64 {
    match subject.named.geometry.lookup {
        LookupScheme::Parallel => RECORDS / EPOCHS,
        LookupScheme::Sequential => SEQUENTIAL_RECORDS / EPOCHS,
    }
}

/// Epochs of one subject, each from another power-up; returns the records that were compared.
fn drive(subject: Subject, first: u64) -> u64 {
    let built = subject.build();
    let built = built.unwrap_or_else(|error| panic!("{error:#}"));
    let mut records = 0;
    for seed in first..first + EPOCHS {
        let mut bench = built.seeded(seed).expect("it resets");
        epoch::run(&mut bench, seed, epoch_records(&subject)).unwrap_or_else(|error| {
            panic!("geometry `{subject}`, HPP_SEED={first}, epoch {seed}: {error}")
        });
        records += bench.reference().compared().0;
    }
    let mut bench = built.seeded(first).expect("it resets");
    epoch::hazards(&mut bench, first, 2000).unwrap_or_else(|(hazard, error)| {
        panic!("geometry `{subject}`, HPP_SEED={first}, {hazard:?}: {error}")
    });
    records + bench.reference().compared().0
}

/// Drives the geometries on all processors; returns the records that were compared.
fn drive_all(all: &[Subject], first: u64) -> u64 {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut records = 0;
        while let Some(subject) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            records += drive(*subject, first);
        }
        records
    };
    thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let handles: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        handles
            .into_iter()
            .map(|handle| handle.join().expect("no difference"))
            .sum()
    })
}

#[test]
fn every_geometry_agrees_with_the_model() {
    let first = first_seed("lockstep");
    let all: Vec<_> = geometries::all()
        .into_iter()
        .map(Subject::of)
        .chain((first..first + RANDOM).map(Subject::random))
        .collect();
    let records = drive_all(&all, first);
    assert!(
        records >= 10_000_000,
        "only {records} records were compared"
    );
}
