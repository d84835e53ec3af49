//! The profiler on AXI4-Lite and APB, in lockstep with the model: whatever records come and whatever its bus allows a master to do, the
//! bus's rules hold in every cycle, and what software reads is what the model says.

use hpp_golden::registers::{self, REGISTERS, at, control};
use hpp_lockstep::bus::{ApbMaster, Axi4LiteMaster, BusDevice, NativeMaster, Protocol};
use hpp_lockstep::stream::{Hazard, HazardStream, Mixture, Stream, rng};
use hpp_lockstep::{
    Bench, Disagreement, Harness, Pace, Request, corners, epoch, first_seed, stress,
};

const EPOCHS: u64 = 3;
const RECORDS: u64 = 20_000;

fn bench<M: Protocol>(harness: &Harness) -> Bench<BusDevice<M>> {
    harness.bench_on().expect("it resets")
}

/// Whole lives of a profiler, with every freedom for the master in some of their phases; then each hazard.
fn live<M: Protocol>(names: [&str; 3]) {
    let first = first_seed("buses");
    for name in names {
        let harness = Harness::of_master::<M>(name);
        for seed in first..first + EPOCHS {
            epoch::run(&mut bench::<M>(&harness), seed, RECORDS)
                .unwrap_or_else(|error| panic!("`{name}`, HPP_SEED={seed}: {error}"));
        }
        epoch::hazards(&mut bench::<M>(&harness), first, 500).unwrap_or_else(|(hazard, error)| {
            panic!("`{name}`, HPP_SEED={first}, {hazard:?}: {error}")
        });
    }
}

verilated::tests! {
    axi4_lite_agrees_with_the_model: live::<Axi4LiteMaster>(["smallest", "sequential", "sequential-associative"]);
    apb_agrees_with_the_model: live::<ApbMaster>(["smallest", "sequential", "sequential-associative"]);
    the_register_port_agrees_with_the_model: live::<NativeMaster>(["smallest", "sequential", "drained-guarded"]);
}

/// On APB such a read acts in the very first cycle.
#[test]
fn every_register_can_be_read_in_the_first_cycles_after_a_reset() -> Result<(), Disagreement> {
    fn read<M: Protocol>() -> Result<(), Disagreement> {
        let mut bench = bench::<M>(&Harness::of_master::<M>("shadow"));
        for offset in (0..bench.geometry().address_space()).step_by(4) {
            for moment in 0..4 {
                bench.reset(1)?;
                bench.idle(moment)?;
                bench.read_now(offset)?;
            }
        }
        bench.check_everything()
    }
    read::<ApbMaster>()?;
    read::<Axi4LiteMaster>()
}

/// A write of every register in each of the first cycles after a reset, at one of which a record comes too, and another right after it.
fn write_after_resets<M: Protocol>(bench: &mut Bench<BusDevice<M>>) -> Result<(), Disagreement> {
    let mut rng = rng(7);
    let enable = control::ENABLE.mask();
    for offset in (0..bench.geometry().address_space()).step_by(4) {
        for value in [u32::MAX, 1, 2, 4] {
            for moment in 0..4 {
                let mut stream =
                    HazardStream::new(Hazard::SameSetMisses, bench.geometry(), &mut rng);
                let record = stream.record(&mut rng);
                bench.reset_amid(1, Some(record), None)?;
                bench.stream(moment, &mut stream, Pace::Full, &mut rng)?;
                bench.write(offset, value);
                bench.write(at::CONTROL, enable);
                bench.stream(30, &mut stream, Pace::Full, &mut rng)?;
                bench.finish_bus()?;
                bench.read_registers();
                bench.finish_bus()?;
            }
        }
        bench.check_everything()?;
    }
    Ok(())
}

#[test]
fn every_register_can_be_written_in_the_first_cycles_after_a_reset() {
    fn write<M: Protocol>(name: &str) {
        write_after_resets(&mut bench::<M>(&Harness::of_master::<M>(name)))
            .unwrap_or_else(|error| panic!("`{name}`: {error}"));
    }
    for name in ["drained", "shadow", "sequential-odd"] {
        write::<ApbMaster>(name);
        write::<Axi4LiteMaster>(name);
    }
}

/// Every register by every choice of byte lanes, with a lock and without, and lives without any order.
#[test]
fn every_lane_of_every_register_agrees_with_the_model() {
    fn drive<M: Protocol>(name: &str) {
        let harness = Harness::of_master::<M>(name);
        corners::lanes(&mut bench::<M>(&harness))
            .unwrap_or_else(|error| panic!("lanes of `{name}`: {error}"));
        let seed = first_seed("buses");
        stress::run(&mut bench::<M>(&harness), seed, 200)
            .unwrap_or_else(|error| panic!("stress of `{name}`, HPP_SEED={seed}: {error}"));
    }
    for name in ["drained-guarded", "drained-odd"] {
        drive::<ApbMaster>(name);
        drive::<Axi4LiteMaster>(name);
        drive::<NativeMaster>(name);
    }
}

/// Accesses of every register, and records meanwhile.
fn ask<M: Protocol>(
    bench: &mut Bench<BusDevice<M>>,
    write: Option<u32>,
) -> Result<(), Disagreement> {
    for register in &REGISTERS {
        bench.request(Request {
            address: register.offset / 4,
            write,
            // Without a lane nothing changes.
            select: if write.is_some() { 0 } else { 0xf },
        });
    }
    let mut rng = rng(3);
    let mut stream = Mixture::new(bench.geometry(), &mut rng);
    bench.stream(2000, &mut stream, Pace::Random(128), &mut rng)
}

/// A master that never takes the answers of its reads can write, and the other way round.
#[test]
fn an_answer_that_nobody_takes_holds_up_its_own_direction_alone() -> Result<(), Disagreement> {
    let harness = Harness::of_master::<Axi4LiteMaster>("smallest");
    for deaf_reads in [true, false] {
        let mut bench = bench::<Axi4LiteMaster>(&harness);
        bench.enable()?;
        bench.device_mut().master().be_deaf(deaf_reads, !deaf_reads);
        ask(&mut bench, None)?;
        ask(&mut bench, Some(u32::MAX))?;
        let master = bench.device_mut().master();
        let over = [master.reads_are_over(), master.writes_are_over()];
        assert_eq!(over, [!deaf_reads, deaf_reads]);
        master.be_deaf(false, false);
        bench.check_everything()?;
    }
    Ok(())
}

/// In the cycle of an answer an access of the other direction begins: three cycles for each, and as many of the one as of the other are done.
#[test]
fn reads_and_writes_take_turns_without_a_cycle_between() -> Result<(), Disagreement> {
    const EACH: u64 = 50;
    let harness = Harness::of_master::<Axi4LiteMaster>("smallest");
    let mut bench = bench::<Axi4LiteMaster>(&harness);
    bench.settle()?;
    bench.device_mut().master().be_hasty();
    let before = bench.cycles();
    for word in 0..EACH {
        bench.write(at::PPCR_MODE, word as u32 & 1);
        bench.read(at::ID_REGISTER);
    }
    bench.finish_bus()?;
    assert_eq!(bench.cycles() - before, 2 * EACH * 3 + 1);
    bench.check_everything()
}

/// A register that waits for nothing is read and written in four cycles on AXI4-Lite, that of its offer and that of its answer among them, and without
/// a wait state on APB.
#[test]
fn most_accesses_take_the_fewest_cycles() -> Result<(), Disagreement> {
    /// Whether an access may wait: of the readout, or of a counter's low word.
    fn waits(offset: u32, write: bool) -> bool {
        let counters = registers::COUNTERS_OFFSET..registers::ADDRESS_SPACE;
        match write {
            true => offset == at::TABLE_INDEX,
            false => {
                offset == at::TABLE_DATA || counters.contains(&offset) && offset.is_multiple_of(8)
            }
        }
    }
    fn check<M: Protocol>(name: &str, fewest: u64) -> Result<(), Disagreement> {
        let mut bench = bench::<M>(&Harness::of_master::<M>(name));
        for offset in (0..bench.geometry().address_space()).step_by(4) {
            for write in [false, true]
                .into_iter()
                .filter(|write| !waits(offset, *write))
            {
                bench.settle()?;
                let before = bench.cycles();
                match write {
                    true => bench.write(offset, 0),
                    false => bench.read(offset),
                }
                bench.finish_bus()?;
                let cycles = bench.cycles() - before;
                assert_eq!(cycles, fewest, "{offset:#04x}, write {write}");
            }
        }
        bench.check_everything()
    }
    for name in ["smallest", "drained", "sequential-associative"] {
        check::<Axi4LiteMaster>(name, 4)?;
        check::<ApbMaster>(name, 2)?;
        check::<NativeMaster>(name, 2)?;
    }
    Ok(())
}
