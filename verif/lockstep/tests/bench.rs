//! The test bench tested: whatever is wrong with the circuit, with what reaches it or with what it shows, is found.

use hpp_golden::profiler::{Metric, ResetValues};
use hpp_lockstep::geometries::Named;
use hpp_lockstep::ingress::{Front, Shown};
use hpp_lockstep::{Device, Drive, Harness, Protocol, Seen, Subject, VerilatedDevice, epoch};
use std::sync::LazyLock;
use verilated::Builder;

/// A table that soon makes the core wait.
const LABEL: &str = "sequential+rvfi2";

/// Records of an epoch; faults of the wires set in after so many cycles.
const RECORDS: u64 = 5000;
const SOUND: u64 = 3000;

static VERILOG: LazyLock<String> = LazyLock::new(|| {
    let subject = Subject::find(LABEL).expect("a label");
    subject.verilog().expect("a legal configuration")
});

fn harness(verilog: &str) -> Harness {
    let Subject { named, front, .. } = Subject::find(LABEL).expect("a label");
    let builder = Builder::new("hpp").source_text("hpp.v", verilog);
    let harness = Harness::of(&named, builder.flag("-Wno-fatal"));
    harness
        .unwrap_or_else(|error| panic!("{error:#}"))
        .with_front(front)
}

/// A profiler with something wrong before or after its pins.
struct Faulty<F> {
    device: VerilatedDevice,
    cycle: u64,
    fault: F,
}

/// A fault: it may change what is driven, and what is seen once that is known.
trait Fault: FnMut(u64, &mut Drive, Option<&mut Seen>) {}

impl<F: FnMut(u64, &mut Drive, Option<&mut Seen>)> Fault for F {}

impl<F: Fault> Device for Faulty<F> {
    fn cycle_into(&mut self, drive: &Drive, seen: &mut Seen) -> Result<(), String> {
        self.cycle += 1;
        let mut drive = *drive;
        (self.fault)(self.cycle, &mut drive, None);
        self.device.cycle_into(&drive, seen)?;
        (self.fault)(self.cycle, &mut drive, Some(seen));
        Ok(())
    }

    fn stalls(&self) -> Option<bool> {
        self.device.stalls()
    }
}

/// What the bench says to a fault.
fn verdict(verilog: &str, fault: impl Fault) -> Result<(), String> {
    let wrap = |device| Faulty {
        device,
        cycle: 0,
        fault,
    };
    let harness = harness(verilog);
    let bench = harness.bench_around(Protocol::Pipelined, wrap);
    let mut bench = bench.expect("the fault sets in later");
    epoch::run(&mut bench, 1, RECORDS).map_err(|difference| difference.what)
}

/// What the bench says to a fault of the wires, which it finds.
fn wires(fault: impl Fault) -> String {
    verdict(&VERILOG, fault).expect_err("the fault is found")
}

/// What the bench says to a mistake in the circuit, which it finds.
fn mistake(from: &str, to: &str) -> String {
    assert_eq!(VERILOG.matches(from).count(), 1, "{from}");
    verdict(&VERILOG.replace(from, to), |_, _, _| {}).expect_err(to)
}

#[test]
fn what_is_sound_agrees() {
    assert_eq!(verdict(&VERILOG, |_, _, _| {}), Ok(()));
}

/// What the bench says to a fault of what the profiler shows.
fn shown(fault: impl Fn(&mut Seen)) -> String {
    wires(|cycle, _, seen| {
        if let Some(seen) = seen.filter(|_| cycle > SOUND) {
            fault(seen);
        }
    })
}

#[test]
fn faults_of_what_is_shown_are_found() {
    let lost = shown(|seen| seen.path = None);
    assert!(lost.contains("no path in cycle"), "{lost}");
    let count = shown(|seen| {
        if let Some(path) = &mut seen.path {
            path.count += 1;
        }
    });
    assert!(count.contains("with count"), "{count}");
    let outcome = shown(|seen| {
        if let Some(path) = &mut seen.path {
            path.descriptor.outcomes ^= 1;
        }
    });
    assert!(outcome.contains("the model completes"), "{outcome}");
    let ready = shown(|seen| seen.ready = false);
    assert!(ready.contains("inverse of the ingress's stall"), "{ready}");
    let read = shown(|seen| seen.ack = seen.ack.map(|data| data ^ 1 << 16));
    assert!(read.contains("read of"), "{read}");
    let error = shown(|seen| seen.error = true);
    assert!(error.contains("wb_err_o"), "{error}");
}

#[test]
fn faults_of_the_wires_are_found() {
    let vanished = wires(|cycle, drive, _| {
        if cycle > SOUND && cycle.is_multiple_of(64) {
            drive.shown = Shown::Nothing;
        }
    });
    assert!(vanished.contains("the model"), "{vanished}");
    let mut before = true;
    let late = wires(|cycle, _, seen| {
        if let Some(seen) = seen {
            let ready = std::mem::replace(&mut before, seen.ready);
            seen.ready = if cycle > SOUND { ready } else { seen.ready };
        }
    });
    assert!(late.contains("inverse of the ingress's stall"), "{late}");
    let entry = wires(|cycle, drive, _| {
        if let Shown::Retirements([Some(first), ..]) = &mut drive.shown
            && cycle > SOUND
        {
            first.intr = false;
        }
    });
    assert!(entry.contains("the model"), "{entry}");
}

#[test]
fn an_event_too_many_is_found() {
    let named = Named::find("parallel").expect("a test geometry");
    let reset = ResetValues {
        enable: true,
        metric: Metric::Events,
        event_select: 2,
        ..ResetValues::default()
    };
    let front = Front::retire();
    let config = hpp_gen::Config {
        geometry: named.geometry,
        ingress: front.ingress,
        reset,
        ..hpp_gen::Config::default()
    };
    let output = hpp_gen::generate(&config).expect("a legal configuration");
    let builder = Builder::new("hpp").source_text("hpp.v", output.verilog());
    let harness = Harness::of(&named, builder).expect("it builds");
    let harness = harness.with_front(front).with_reset(reset);
    let wrap = |device| Faulty {
        device,
        cycle: 0,
        fault: |cycle, drive: &mut Drive, _: Option<&mut Seen>| {
            if cycle == SOUND {
                drive.event_in ^= 1;
            }
        },
    };
    let mut bench = harness
        .bench_around(Protocol::Classic, wrap)
        .expect("it resets");
    let mut rng = hpp_lockstep::stream::rng(1);
    let mut mixture = hpp_lockstep::stream::Mixture::new(&named.geometry, &mut rng);
    let pace = hpp_lockstep::Pace::Full;
    let outcome = bench.stream(RECORDS, &mut mixture, pace, &mut rng);
    let found = outcome.expect_err("an event is found").what;
    assert!(found.contains("with count"), "{found}");
}

#[test]
fn mistakes_of_the_buffer_are_found() {
    let unreported = mistake("any & (full | incomplete)", "any & incomplete");
    assert!(unreported.contains("read of"), "{unreported}");
    let target = mistake("any & (full | incomplete)", "any & full");
    assert!(target.contains("read of"), "{target}");
    let across = mistake("slot_0_after_loss | gap;", "slot_0_after_loss;");
    assert!(across.contains("the model"), "{across}");
    let place = mistake("occupancy >= 3'd3", "occupancy >= 3'd2");
    assert!(place.contains("inverse of the ingress's stall"), "{place}");
}
