//! The emitted Verilog in lockstep with the golden model: every test geometry and random ones, more than ten million records in all.

use hpp_golden::config::LookupScheme;
use hpp_verif::lockstep::geometries::{self, Named};
use hpp_verif::lockstep::{Protocol, Rig, epoch, first_seed};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Records of one geometry's epochs; there are fourteen geometries by name and some random ones.
const RECORDS: u64 = 1_000_000;
/// Records of one whose table takes several cycles for a path.
const SERIAL_RECORDS: u64 = 250_000;
const RANDOM: u64 = 3;
const EPOCHS: u64 = 4;

fn epoch_records(named: &Named) -> u64 {
    match named.geometry.lookup {
        LookupScheme::Parallel => RECORDS / EPOCHS,
        LookupScheme::Serial => SERIAL_RECORDS / EPOCHS,
    }
}

/// The command that runs one epoch again.
fn rerun(named: &Named, seed: u64) -> String {
    let (name, records) = (named.label(), epoch_records(named));
    format!(
        "rerun: cargo run --release -p hpp-verif --bin soak -- --geometry {name} --seed {seed} \
         --epoch {records} --records {records}"
    )
}

/// Epochs of one geometry, each from another power-up; returns the records that were compared.
fn drive(named: &Named, first: u64) -> u64 {
    let mut rig = Rig::build(named, |builder| builder).unwrap_or_else(|error| panic!("{error:#}"));
    let mut records = 0;
    for seed in first..first + EPOCHS {
        let protocol = Protocol::of_seed(seed);
        rig = rig.powered_up(NonZeroU32::MIN.saturating_add(seed as u32));
        let mut bench = rig.bench(protocol).expect("it resets");
        epoch::run(&mut bench, seed, epoch_records(named)).unwrap_or_else(|error| {
            panic!(
                "geometry `{}`, seed {seed}: {error}\n{}",
                named.label(),
                rerun(named, seed)
            )
        });
        records += bench.reference().compared().0;
    }
    let mut bench = rig.bench(Protocol::Pipelined).expect("it resets");
    epoch::hazards(&mut bench, first, 2000).unwrap_or_else(|(hazard, error)| {
        panic!(
            "geometry `{}`, HPP_SEED={first}, {hazard:?}: {error}",
            named.label()
        )
    });
    records + bench.reference().compared().0
}

/// Drives the geometries on all processors; returns the records that were compared.
fn drive_all(all: &[Named], first: u64) -> u64 {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut records = 0;
        while let Some(named) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            records += drive(named, first);
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
        .chain((first..first + RANDOM).map(Named::random))
        .collect();
    let records = drive_all(&all, first);
    assert!(
        records >= 10_000_000,
        "only {records} records were compared"
    );
}
