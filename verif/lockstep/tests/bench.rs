//! The test bench tested: the golden model behind pins agrees with the reference, and a faulty one does not.

use hpp_golden::config::Geometry;
use hpp_golden::profiler::ResetValues;
use hpp_golden::registers::{self, Counter, control};
use hpp_lockstep::geometries::Named;
use hpp_lockstep::stream::{Mixture, rng};
use hpp_lockstep::{
    Activity, Bench, Device, Disagreement, Drive, ModelDevice, Pace, Protocol, Seen, Timing, epoch,
    geometries, stream_with_activity,
};

fn bench<D: Device>(device: D, geometry: &Geometry) -> Result<Bench<D>, Disagreement> {
    let reset = ResetValues::default();
    let mut bench = Bench::new(device, geometry, &reset, Timing::MODEL, Protocol::Pipelined)?;
    bench.enable()?;
    Ok(bench)
}

fn model(geometry: &Geometry) -> ModelDevice {
    ModelDevice::new(geometry, &ResetValues::default()).expect("a legal geometry")
}

fn geometries() -> Vec<Geometry> {
    let base = Geometry {
        sets: 8,
        ways: 2,
        ..Geometry::default()
    };
    vec![
        Geometry::default(),
        Geometry {
            max_branches: 1,
            stack_depth: 2,
            event_counter_bits: 3,
            ..base
        },
        Geometry {
            max_branches: 64,
            pc_bits: 64,
            align: 1,
            ways: 3,
            accumulator_bits: 8,
            ..base
        },
    ]
}

/// Ten thousand records with software doing everything it can, then every register and the whole table.
fn exercise<D: Device>(bench: &mut Bench<D>, seed: u64) -> Result<(), Disagreement> {
    let mut rng = rng(seed);
    let mut mixture = Mixture::new(bench.geometry(), &mut rng);
    for (pace, activity) in [
        (Pace::Full, Activity::default()),
        (Pace::Random(100), Activity::ALL),
        (
            Pace::Full,
            Activity {
                ppcr: true,
                ..Activity::default()
            },
        ),
        (
            Pace::Full,
            Activity {
                reads: true,
                commands: true,
                ..Activity::default()
            },
        ),
    ] {
        bench.write(registers::CONTROL.offset, control::ENABLE.put(1));
        stream_with_activity(bench, (2500, 40), (&mut mixture, pace), activity, &mut rng)?;
        bench.check_everything()?;
    }
    Ok(())
}

#[test]
fn the_model_agrees_with_the_reference() -> Result<(), Disagreement> {
    for geometry in geometries() {
        for seed in 0..4 {
            let mut bench = bench(model(&geometry), &geometry)?;
            exercise(&mut bench, seed)?;
            let (records, paths) = bench.reference().compared();
            assert!(
                records > 5000 && paths > 500,
                "{records} records, {paths} paths"
            );
        }
    }
    Ok(())
}

#[test]
fn an_epoch_agrees_for_every_geometry() {
    // The model behind pins has no ports of a drain and of triggers.
    let small = |named: &Named| {
        let Geometry { triggers, .. } = named.geometry;
        named.geometry.entries() < 10_000 && !named.geometry.has_drain() && !triggers
    };
    for Named { name, geometry, .. } in geometries::all().into_iter().filter(small) {
        let explain = |error: Disagreement| -> () { panic!("geometry `{name}`: {error}") };
        let mut bench = bench(model(&geometry), &geometry).expect("it resets");
        epoch::run(&mut bench, 3, 20_000).unwrap_or_else(explain);
        let (records, paths) = bench.reference().compared();
        assert!(
            records > 15_000 && paths > 1000,
            "{name}: {records} records, {paths} paths"
        );
        epoch::hazards(&mut bench, 4, 500).unwrap_or_else(|(_, error)| explain(error));
    }
}

#[test]
fn a_reset_in_mid_stream_starts_again() -> Result<(), Disagreement> {
    let geometry = Geometry::default();
    let mut rng = rng(9);
    let mut mixture = Mixture::new(&geometry, &mut rng);
    let mut bench = bench(model(&geometry), &geometry)?;
    for cycles in [1, 2, 5] {
        bench.stream(1000, &mut mixture, Pace::Full, &mut rng)?;
        bench.reset(cycles)?;
        bench.enable()?;
        assert_eq!(bench.total(Counter::Records), 0);
    }
    bench.check_everything()
}

/// A model with one thing wrong.
struct Faulty<F> {
    model: ModelDevice,
    cycle: u64,
    fault: F,
}

impl<F: FnMut(u64, &Drive, &mut Seen)> Device for Faulty<F> {
    fn cycle(&mut self, drive: &Drive) -> Result<Seen, String> {
        let mut seen = self.model.cycle(drive)?;
        (self.fault)(self.cycle, drive, &mut seen);
        self.cycle += 1;
        Ok(seen)
    }
}

/// What the bench says to a fault that sets in after 4000 cycles.
fn verdict(fault: impl FnMut(u64, &Drive, &mut Seen)) -> String {
    let geometry = Geometry::default();
    let device = Faulty {
        model: model(&geometry),
        cycle: 0,
        fault,
    };
    let mut bench = bench(device, &geometry).expect("the fault sets in later");
    exercise(&mut bench, 1)
        .expect_err("the fault is found")
        .what
}

#[test]
fn every_fault_is_found() {
    let late = |cycle| cycle > 4000;
    let lost = verdict(|cycle, _, seen| seen.path = seen.path.filter(|_| !late(cycle)));
    assert!(lost.contains("no path in cycle"), "{lost}");
    let count = verdict(|cycle, _, seen| {
        if let Some(path) = seen.path.as_mut().filter(|_| late(cycle)) {
            path.count += 1;
        }
    });
    assert!(count.contains("with count 2"), "{count}");
    let outcome = verdict(|cycle, _, seen| {
        if let Some(path) = seen
            .path
            .as_mut()
            .filter(|path| late(cycle) && path.descriptor.length > 0)
        {
            path.descriptor.outcomes ^= 1;
        }
    });
    assert!(outcome.contains("the model completes"), "{outcome}");
    let ready = verdict(|cycle, _, seen| seen.ready &= !late(cycle));
    assert!(ready.contains("br_ready is 0"), "{ready}");
    let read = verdict(|cycle, _, seen| {
        seen.ack = seen.ack.map(|data| data ^ u32::from(late(cycle)) << 16)
    });
    assert!(read.contains("read of"), "{read}");
    let error = verdict(|cycle, _, seen| seen.error = late(cycle));
    assert!(error.contains("wb_err_o"), "{error}");
}
