//! The profiler on AXI4-Lite and APB, in lockstep with the model: whatever records come and whatever its bus allows a master to do, the
//! bus's rules hold in every cycle, and what software reads is what the model says.

use hpp_gen::Bus;
use hpp_golden::registers::{self, REGISTERS};
use hpp_lockstep::bus::{ApbMaster, Axi4LiteMaster, BusDevice, Protocol};
use hpp_lockstep::geometries::Named;
use hpp_lockstep::stream::{Mixture, rng};
use hpp_lockstep::{Bench, Disagreement, Pace, Request, Rig, epoch, first_seed};

const EPOCHS: u64 = 3;
const RECORDS: u64 = 20_000;

fn named(name: &str) -> Named {
    Named::find(name).expect("a test geometry")
}

fn longest(rig: &Rig) -> u64 {
    rig.named().geometry.longest_access().into()
}

/// Whole lives of a profiler, with every freedom for the master in some of their phases; then each hazard.
fn live<M: Protocol>(rig: &Rig, master: impl Fn(u64) -> M) {
    let first = first_seed("buses");
    for seed in first..first + EPOCHS {
        let mut bench = rig.bench_on(master(longest(rig))).expect("it resets");
        epoch::run(&mut bench, seed, RECORDS)
            .unwrap_or_else(|error| panic!("HPP_SEED={seed}: {error}"));
    }
    let mut bench = rig.bench_on(master(longest(rig))).expect("it resets");
    epoch::hazards(&mut bench, first, 500)
        .unwrap_or_else(|(hazard, error)| panic!("HPP_SEED={first}, {hazard:?}: {error}"));
}

fn rig(bus: Bus, name: &str) -> Rig {
    Rig::build_bus(&named(name), bus).unwrap_or_else(|error| panic!("{error:#}"))
}

#[test]
fn axi4_lite_agrees_with_the_model() {
    for name in ["smallest", "serial"] {
        live(&rig(Bus::Axi4Lite, name), Axi4LiteMaster::new);
    }
}

#[test]
fn apb_agrees_with_the_model() {
    for name in ["smallest", "serial"] {
        live(&rig(Bus::Apb, name), ApbMaster::new);
    }
}

/// On APB such a read acts in the very first cycle.
#[test]
fn every_register_can_be_read_in_the_first_cycles_behind_a_reset() -> Result<(), Disagreement> {
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
    let apb = rig(Bus::Apb, "shadow");
    let bench = apb.bench_on(ApbMaster::new(longest(&apb)));
    read(bench.expect("it resets"))?;
    let axi = rig(Bus::Axi4Lite, "shadow");
    let bench = axi.bench_on(Axi4LiteMaster::new(longest(&axi)));
    read(bench.expect("it resets"))
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
    let rig = rig(Bus::Axi4Lite, "smallest");
    for deaf_reads in [true, false] {
        let mut bench = rig
            .bench_on(Axi4LiteMaster::new(longest(&rig)))
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

/// A register that waits for nothing is read in three cycles on AXI4-Lite, and without a wait state on APB.
#[test]
fn most_accesses_take_the_fewest_cycles() -> Result<(), Disagreement> {
    fn cycles<M: Protocol>(mut bench: Bench<BusDevice<M>>) -> Result<u64, Disagreement> {
        bench.settle()?;
        let before = bench.cycles();
        assert_eq!(
            bench.read_now(registers::ID_REGISTER.offset)?,
            registers::ID
        );
        Ok(bench.cycles() - before)
    }
    let axi = rig(Bus::Axi4Lite, "smallest");
    let bench = axi.bench_on(Axi4LiteMaster::new(longest(&axi)));
    assert_eq!(cycles(bench.expect("it resets"))?, 4);
    let apb = rig(Bus::Apb, "smallest");
    let bench = apb.bench_on(ApbMaster::new(longest(&apb)));
    assert_eq!(cycles(bench.expect("it resets"))?, 2);
    Ok(())
}
