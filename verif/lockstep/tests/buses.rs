//! The profiler on AXI4-Lite and APB, in lockstep with the model: whatever records come and whatever its bus allows a master to do, the
//! bus's rules hold in every cycle, and what software reads is what the model says.

use hpp_gen::Bus;
use hpp_golden::registers::{self, REGISTERS, control};
use hpp_lockstep::bus::{ApbMaster, Axi4LiteMaster, BusDevice, NativeMaster, Protocol};
use hpp_lockstep::geometries::Named;
use hpp_lockstep::stream::{Hazard, HazardStream, Mixture, Stream, rng};
use hpp_lockstep::{
    Bench, Disagreement, Harness, Pace, Request, corners, epoch, first_seed, stress,
};

const EPOCHS: u64 = 3;
const RECORDS: u64 = 20_000;

fn named(name: &str) -> Named {
    Named::find(name).expect("a test geometry")
}

fn longest(harness: &Harness) -> u64 {
    harness.named().geometry.longest_access().into()
}

/// Whole lives of a profiler, with every freedom for the master in some of their phases; then each hazard.
fn live<M: Protocol>(harness: &Harness, master: impl Fn(u64) -> M) {
    let first = first_seed("buses");
    for seed in first..first + EPOCHS {
        let mut bench = harness
            .bench_on(master(longest(harness)))
            .expect("it resets");
        epoch::run(&mut bench, seed, RECORDS)
            .unwrap_or_else(|error| panic!("HPP_SEED={seed}: {error}"));
    }
    let mut bench = harness
        .bench_on(master(longest(harness)))
        .expect("it resets");
    epoch::hazards(&mut bench, first, 500)
        .unwrap_or_else(|(hazard, error)| panic!("HPP_SEED={first}, {hazard:?}: {error}"));
}

fn harness(bus: Bus, name: &str) -> Harness {
    Harness::build_bus(&named(name), bus).unwrap_or_else(|error| panic!("{error:#}"))
}

#[test]
fn axi4_lite_agrees_with_the_model() {
    for name in ["smallest", "sequential", "sequential-associative"] {
        live(&harness(Bus::Axi4Lite, name), Axi4LiteMaster::new);
    }
}

#[test]
fn apb_agrees_with_the_model() {
    for name in ["smallest", "sequential", "sequential-associative"] {
        live(&harness(Bus::Apb, name), ApbMaster::new);
    }
}

#[test]
fn the_register_port_agrees_with_the_model() {
    for name in ["smallest", "sequential", "drained-guarded"] {
        live(&harness(Bus::Native, name), NativeMaster::new);
    }
}

/// On APB such a read acts in the very first cycle.
#[test]
fn every_register_can_be_read_in_the_first_cycles_after_a_reset() -> Result<(), Disagreement> {
    fn read<M: Protocol>(mut bench: Bench<BusDevice<M>>) -> Result<(), Disagreement> {
        for offset in (0..bench.geometry().address_space()).step_by(4) {
            for moment in 0..4 {
                bench.reset(1)?;
                bench.idle(moment)?;
                bench.read_now(offset)?;
            }
        }
        bench.check_everything()
    }
    let apb = harness(Bus::Apb, "shadow");
    let bench = apb.bench_on(ApbMaster::new(longest(&apb)));
    read(bench.expect("it resets"))?;
    let axi = harness(Bus::Axi4Lite, "shadow");
    let bench = axi.bench_on(Axi4LiteMaster::new(longest(&axi)));
    read(bench.expect("it resets"))
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
                bench.write(registers::CONTROL.offset, enable);
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
    fn write<M: Protocol>(harness: &Harness, master: M) {
        let mut bench = harness.bench_on(master).expect("it resets");
        write_after_resets(&mut bench)
            .unwrap_or_else(|error| panic!("`{}`: {error}", harness.named().name));
    }
    for name in ["drained", "shadow", "sequential-odd"] {
        let apb = harness(Bus::Apb, name);
        write(&apb, ApbMaster::new(longest(&apb)));
        let axi = harness(Bus::Axi4Lite, name);
        write(&axi, Axi4LiteMaster::new(longest(&axi)));
    }
}

/// Every register by every choice of byte lanes, with a lock and without, and lives without any order.
#[test]
fn every_lane_of_every_register_agrees_with_the_model() {
    fn drive<M: Protocol>(harness: &Harness, master: impl Fn() -> M) {
        let place = |what: &str| format!("{what} of `{}`", harness.named().name);
        let mut bench = harness.bench_on(master()).expect("it resets");
        corners::lanes(&mut bench).unwrap_or_else(|error| panic!("{}: {error}", place("lanes")));
        let seed = first_seed("buses");
        let mut bench = harness.bench_on(master()).expect("it resets");
        stress::run(&mut bench, seed, 200)
            .unwrap_or_else(|error| panic!("{}, HPP_SEED={seed}: {error}", place("stress")));
    }
    for name in ["drained-guarded", "drained-odd"] {
        let apb = harness(Bus::Apb, name);
        drive(&apb, || ApbMaster::new(longest(&apb)));
        let axi = harness(Bus::Axi4Lite, name);
        drive(&axi, || Axi4LiteMaster::new(longest(&axi)));
        let native = harness(Bus::Native, name);
        drive(&native, || NativeMaster::new(longest(&native)));
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
    let harness = harness(Bus::Axi4Lite, "smallest");
    for deaf_reads in [true, false] {
        let mut bench = harness
            .bench_on(Axi4LiteMaster::new(longest(&harness)))
            .expect("it resets");
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
    let harness = harness(Bus::Axi4Lite, "smallest");
    let mut bench = harness
        .bench_on(Axi4LiteMaster::new(longest(&harness)))
        .expect("it resets");
    bench.settle()?;
    bench.device_mut().master().be_hasty();
    let before = bench.cycles();
    for word in 0..EACH {
        bench.write(registers::PPCR_MODE.offset, word as u32 & 1);
        bench.read(registers::ID_REGISTER.offset);
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
            true => offset == registers::TABLE_INDEX.offset,
            false => {
                offset == registers::TABLE_DATA.offset
                    || counters.contains(&offset) && offset.is_multiple_of(8)
            }
        }
    }
    fn check<M: Protocol>(mut bench: Bench<BusDevice<M>>, fewest: u64) -> Result<(), Disagreement> {
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
        let axi = harness(Bus::Axi4Lite, name);
        let bench = axi.bench_on(Axi4LiteMaster::new(longest(&axi)));
        check(bench.expect("it resets"), 4)?;
        let apb = harness(Bus::Apb, name);
        let bench = apb.bench_on(ApbMaster::new(longest(&apb)));
        check(bench.expect("it resets"), 2)?;
        let native = harness(Bus::Native, name);
        let bench = native.bench_on(NativeMaster::new(longest(&native)));
        check(bench.expect("it resets"), 2)?;
    }
    Ok(())
}
