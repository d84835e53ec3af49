//! The emitted Verilog with RVFI ingress against what was executed, whatever the core does, and against the model in every cycle.

use hpp_golden::branch::BranchKind;
use hpp_golden::config::{Geometry, LookupScheme};
use hpp_golden::registers::{self, Counter, control, errors};
use hpp_lockstep::geometries::Named;
use hpp_lockstep::ingress::{Executed, Front, Mix, Retirements, Shown, xlen};
use hpp_lockstep::stream::{StreamRng, rng};
use hpp_lockstep::{Bench, Disagreement, Harness, Protocol, VerilatedDevice, first_seed};
use hpp_riscv::{Instruction, Retirement, Transfer, Xlen, decode};
use rand::RngExt;
use std::sync::LazyLock;

const CYCLES: u64 = 50_000;
const SEEDS: u64 = 2;

fn harness(name: &str) -> Harness {
    let named = Named::find(name).expect("a test geometry");
    let compressed = Named {
        geometry: Geometry {
            align: 1,
            ..named.geometry
        },
        ..named
    };
    let harness = Harness::build(&compressed, &Front::rvfi(1).config());
    harness.unwrap_or_else(|error| panic!("{error:#}"))
}

static RV32: LazyLock<Harness> = LazyLock::new(|| harness("parallel"));
static RV64: LazyLock<Harness> = LazyLock::new(|| harness("rv64"));
/// Its queue is soon full, and paths wait for their lookups.
static SEQUENTIAL: LazyLock<Harness> = LazyLock::new(|| harness("sequential"));

#[derive(Debug, Clone, Copy)]
struct Core {
    /// It retires nothing while it is asked to hold.
    holds: bool,
    lossy: bool,
    mix: Mix,
    /// An instruction retires in a cycle with this chance of 256.
    pace: u32,
}

const NO_OPERATION: Retirement = Retirement {
    pc: 0,
    insn: 0x0000_0013,
    next_pc: 4,
    trap: false,
    intr: false,
    loop_end: false,
    context: 0,
};

/// A core, a profiler, and the list of what was executed.
struct Run {
    bench: Bench<VerilatedDevice>,
    xlen: Xlen,
    executed: Executed,
    paths: u64,
    /// What retired last, if it is a control transfer.
    last: Option<(Retirement, Instruction)>,
    /// Transfers whose target nobody shows, with a handler right after them.
    hidden: u32,
}

impl Run {
    fn new(harness: &Harness, core: Core) -> Result<Self, String> {
        let geometry = &harness.named().geometry;
        let xlen = xlen(geometry);
        let bench = harness.bench(Protocol::default());
        let mut bench = bench.map_err(|error| format!("{error:#}"))?;
        bench.set_holds(core.holds);
        let lossy = control::LOSSY.put(core.lossy.into());
        bench.write(registers::CONTROL.offset, control::ENABLE.put(1) | lossy);
        bench.finish_bus().map_err(text)?;
        Ok(Self {
            bench,
            xlen,
            executed: Executed::new(xlen, geometry),
            paths: 0,
            last: None,
            hidden: 0,
        })
    }

    /// What a register reads when nothing moves.
    fn read(&mut self, offset: u32) -> Result<u32, String> {
        self.bench.read_now(offset).map_err(text)
    }

    /// One cycle; whether the retirement happened.
    fn cycle(&mut self, retirement: Option<&Retirement>) -> Result<bool, String> {
        let shown = retirement.map_or(Shown::Nothing, |retirement| (*retirement).into());
        let free = self.bench.show(shown, 0).map_err(text)?;
        let retired = retirement.filter(|_| free);
        if let Some(retirement) = retired {
            self.retire(retirement);
        }
        if let Some(path) = self.bench.reference().last_seen().path {
            self.paths += 1;
            self.executed.check(&path.descriptor)?;
        }
        Ok(retired.is_some())
    }

    fn retire(&mut self, retirement: &Retirement) {
        let enters = self.executed.retire(retirement);
        if let Some((last, instruction)) = self.last.filter(|_| enters) {
            let returns = |transfer: Transfer| transfer.kind == BranchKind::TrapReturn;
            let passes = instruction.transfer.is_some_and(returns);
            let next = self.bench.geometry().address(instruction.next);
            let unknown = passes && last.next_pc == next;
            self.hidden += u32::from(unknown || last.next_pc == retirement.pc);
        }
        let instruction = decode(retirement.insn, retirement.pc, self.xlen);
        let moves = instruction.transfer.is_some() && !retirement.trap;
        self.last = moves.then_some((*retirement, instruction));
    }

    /// Nothing retires until nothing moves; then every record is counted: among those that were seen, or those that
    /// were not. A retirement that is lost counts once, also if it would have made two, and so does a target that nobody showed.
    /// Returns how many were lost for want of a place.
    fn check(&mut self) -> Result<u32, String> {
        // The last record needs a retirement after it.
        self.cycle(None)?;
        while !self.cycle(Some(&NO_OPERATION))? {}
        for _ in 0..2000 {
            self.cycle(None)?;
        }
        let executed = self.executed.records() as u32;
        let seen = self.read(Counter::Records.offset())?;
        let lost = self.read(Counter::LostRecords.offset())?;
        let unseen = executed.checked_sub(seen);
        let (hidden, least) = (self.hidden, lost.saturating_sub(self.hidden));
        if unseen.is_none_or(|unseen| !(least..=2 * lost).contains(&unseen)) {
            return Err(format!(
                "{executed} executed, {seen} seen, {lost} lost, {hidden} hidden"
            ));
        }
        let flagged = errors::RECORDS_LOST.get(self.read(registers::ERRORS.offset)?);
        if flagged != u32::from(lost > 0) {
            return Err(format!("{lost} lost, RECORDS_LOST is {flagged}"));
        }
        self.bench.check_everything().map_err(text)?;
        Ok(least)
    }
}

fn text(difference: Disagreement) -> String {
    difference.to_string()
}

/// What a program shows is what was executed; returns how many records were lost, and how many paths were reported.
fn drive(harness: &Harness, core: Core, rng: &mut StreamRng) -> Result<(u32, u64), String> {
    let mut run = Run::new(harness, core)?;
    let mut program = Retirements::new(core.mix, &harness.named().geometry);
    for _ in 0..CYCLES {
        let retirement = program.draw(rng);
        let offered = rng.random_range(0..256) < core.pace;
        if run.cycle(offered.then_some(&retirement))? {
            program.advance(&retirement);
        }
    }
    Ok((run.check()?, run.paths))
}

#[test]
fn every_path_was_executed_and_every_record_is_counted() {
    let first = first_seed("rvfi_lockstep");
    for harness in [&*RV32, &*RV64, &*SEQUENTIAL] {
        for seed in first..first + SEEDS {
            for (holds, lossy) in [(true, false), (true, true), (false, false), (false, true)] {
                for mix in [Mix::Uniform, Mix::Vectored] {
                    for pace in [256, 200, 60] {
                        let core = Core {
                            holds,
                            lossy,
                            mix,
                            pace,
                        };
                        let name = harness.named().name;
                        let place =
                            |what| format!("geometry `{name}`, HPP_SEED={seed}, {core:?}: {what}");
                        let outcome = drive(harness, core, &mut rng(seed)).map_err(place);
                        let (lost, paths) = outcome.unwrap_or_else(|what| panic!("{what}"));
                        let kept = holds && !lossy;
                        assert!(!kept || lost == 0, "{}", place(format!("{lost} lost")));
                        let sequential =
                            harness.named().geometry.lookup == LookupScheme::Sequential;
                        // A record in every cycle is more than it takes, and each loss purges the stack: hardly a path is whole.
                        match sequential && !kept && pace == 256 {
                            true => assert!(lost > 100, "{}", place(format!("{lost} lost"))),
                            false => assert!(paths > 50, "{}", place(format!("{paths} paths"))),
                        }
                    }
                }
            }
        }
    }
}

/// A handler whose first instruction is a jump makes two records, and the branch after it retires in the cycle in which the
/// second is still to go: it vanished, and a path was reported without it.
#[test]
fn a_branch_right_after_the_jump_of_a_vector_is_in_its_path() {
    const JUMP: u32 = 0x0100_006f;
    const BEQ_FORWARD: u32 = 0x0000_0463;
    const BEQ_BACKWARD: u32 = 0xfe00_0ce3;
    let retire = |pc, insn, next_pc| Retirement {
        pc,
        insn,
        next_pc,
        ..Retirement::default()
    };
    let vector = Retirement {
        intr: true,
        ..retire(0x2000, JUMP, 0x2010)
    };
    let not_taken = retire(0x2010, BEQ_FORWARD, 0x2014);
    let backward = retire(0x2014, BEQ_BACKWARD, 0x200c);
    for lossy in [false, true] {
        let core = Core {
            holds: false,
            lossy,
            mix: Mix::Vectored,
            pace: 256,
        };
        let mut run = Run::new(&RV32, core).expect("it resets");
        let warm = retire(0x1000, JUMP, 0x1010);
        let all = [warm, vector, not_taken, backward];
        let outcome = all
            .iter()
            .try_for_each(|retirement| run.cycle(Some(retirement)).map(drop));
        outcome
            .and_then(|()| run.check())
            .unwrap_or_else(|what| panic!("lossy {lossy}: {what}"));
    }
}
