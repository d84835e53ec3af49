//! The self-checking testbench of a profiler: its stimulus, and the golden model's answers.
//!
//! ```text
//!   a small program's retirements ----+---------------------> profiler --> paths, registers
//!                                     |                                         =
//!                                     +--> [ ingress ] --> golden model --> paths, registers
//! ```
//!
//! The program is two nested loops around a call, with a trap once in a while, so it has every kind of transfer. The
//! profiler gets what its ingress takes: retirements, the signals of the last stage, or branch records. The testbench
//! shows that a profiler is alive and wired up. It does not replace lockstep.

use hpp_golden::ingress::Retirement;
use hpp_golden::path::CompletedPath;
use hpp_golden::profiler::{Metric, Profiler, ProfilerError};
use hpp_golden::registers::{
    CONTROL, Counter, ERRORS, GEOMETRY0, GEOMETRY1, GEOMETRY2, GEOMETRY3, ID_REGISTER, PPCR_MODE,
    PPCR_ROWS, STATUS, TABLE_DATA, TABLE_INDEX, control, ppcr_mode, status,
};
use hpp_hdl::{Bus, Ingress};
use serde::Serialize;

use crate::config::Config;
use crate::stimulus::Stimulus;

/// Event type "retired instructions": it does not depend on how fast a bench is.
const INSTRUCTIONS: u32 = 1;

/// Rounds of the outer loop.
const ROUNDS: u64 = 12;

/// Everything that the template needs.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Testbench {
    /// What the core shows.
    stimulus: Stimulus,
    /// Paths that must complete, in order.
    paths: Vec<CompletedPath>,
    /// Whether the paths' counts are known: cycles cannot be.
    counts_known: bool,
    /// What the port of its name shows at the end.
    event_select: u32,
    /// Bus accesses before and after the stimulus; none without a bus.
    before: Vec<Access>,
    after: Vec<Access>,
}

/// One access to the registers.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Access {
    Write {
        offset: u32,
        value: u32,
    },
    /// A read, and what it must bring.
    Expect {
        register: String,
        offset: u32,
        value: u32,
    },
    /// Reads until the bits of the mask are 0.
    Await {
        offset: u32,
        mask: u32,
    },
}

impl Testbench {
    /// The testbench of a profiler.
    ///
    /// # Errors
    ///
    /// If the configuration is impossible.
    pub(crate) fn new(config: &Config) -> Result<Self, ProfilerError> {
        let reset = config.effective_reset();
        let mut model = Profiler::new(&config.geometry, &reset)?;
        let with_bus = config.bus != Bus::None;
        let before = match with_bus {
            true => start(&mut model),
            false => Vec::default(),
        };
        let retirements = program(config.geometry.align);
        let one = Config {
            geometry: config.geometry.of_hart(),
            ..config.clone()
        };
        let (stimulus, records) = Stimulus::new(&one, &retirements);
        // The harts run the program in turn.
        let mut paths = Vec::new();
        for hart in 0..config.geometry.harts as usize {
            for record in &records {
                model.offer(hart, record);
                paths.extend(model.step(hart));
            }
        }
        let after = match with_bus {
            true => results(&mut model),
            false => Vec::default(),
        };
        let event_select = ppcr_mode::EVENT_SELECT.get(model.read(PPCR_MODE.offset));
        let counts_itself = config.ingress != Ingress::Native;
        let counts_known = with_bus || !counts_itself || reset.metric == Metric::Executions;
        Ok(Self {
            stimulus,
            paths,
            counts_known,
            event_select,
            before,
            after,
        })
    }

    /// Ports of the core's side, in the order of the stimulus.
    pub(crate) fn stimulus_ports(&self) -> &[&'static str] {
        &self.stimulus.ports
    }
}

/// The identity is right; the profiler counts instructions, and is enabled when its table is empty.
fn start(model: &mut Profiler) -> Vec<Access> {
    let geometry = [GEOMETRY0, GEOMETRY1, GEOMETRY2, GEOMETRY3];
    let constant = [&[ID_REGISTER][..], &geometry, &[PPCR_ROWS]].concat();
    let accesses = constant.iter();
    let mut accesses: Vec<Access> = accesses
        .map(|register| expect(model, register.name, register.offset))
        .collect();
    accesses.push(Access::Await {
        offset: STATUS.offset,
        mask: status::CLEARING.mask(),
    });
    let mode = model.read(PPCR_MODE.offset) & !ppcr_mode::EVENT_SELECT.mask();
    let mode = mode | ppcr_mode::EVENT_SELECT.put(INSTRUCTIONS);
    accesses.push(write(model, PPCR_MODE.offset, mode));
    accesses.push(expect(model, PPCR_MODE.name, PPCR_MODE.offset));
    accesses.push(write(model, CONTROL.offset, control::ENABLE.put(1)));
    accesses
}

/// Counters, errors, and every entry in use.
fn results(model: &mut Profiler) -> Vec<Access> {
    let mut accesses = vec![expect(model, ERRORS.name, ERRORS.offset)];
    for counter in Counter::ALL {
        for word in 0..2 {
            let name = format!("{counter:?}");
            accesses.push(expect(model, &name, counter.offset() + 4 * word));
        }
    }
    let used: Vec<usize> = model.table().entries().map(|(number, _)| number).collect();
    for number in used {
        let index = u32::try_from(number).expect("a table has at most 65536 entries");
        accesses.push(write(model, TABLE_INDEX.offset, index));
        for word in 0..model.geometry().entry_words() {
            let name = format!("entry {number}, word {word}");
            accesses.push(expect(model, &name, TABLE_DATA.offset));
        }
    }
    accesses
}

fn expect(model: &mut Profiler, register: &str, offset: u32) -> Access {
    Access::Expect {
        register: register.to_string(),
        offset,
        value: model.read(offset),
    }
}

fn write(model: &mut Profiler, offset: u32, value: u32) -> Access {
    model.write(offset, value);
    Access::Write { offset, value }
}

/// Two nested loops; the inner one calls a procedure, the outer one jumps through a register and is interrupted.
fn program(align: u32) -> Vec<Retirement> {
    let mut core = Core::default();
    for round in 0..ROUNDS {
        for inner in 0..3 {
            core.retire(0x100, code::NOP, 0x104);
            core.retire(0x104, code::CALL_200, 0x200);
            core.retire(0x200, code::BEQ_8, if inner == 1 { 0x208 } else { 0x204 });
            if inner != 1 {
                core.retire(0x204, code::NOP, 0x208);
            }
            core.retire(0x208, code::RETURN, 0x108);
            let next = if inner == 2 { 0x10c } else { 0x100 };
            core.retire(0x108, code::BNE_BACK_8, next);
        }
        core.retire(0x10c, code::CALL_THROUGH_T1, 0x300);
        // Where instructions can have 2 bytes, this one has.
        let (insn, next) = match align {
            1 => (code::C_NOP, 0x302),
            _ => (code::NOP, 0x304),
        };
        core.retire(0x300, insn, next);
        core.retire(next, code::RETURN, 0x110);
        core.retire(0x110, code::NOP, 0x114);
        if round % 4 == 3 {
            core.interrupted = true;
            core.context = HANDLER;
            core.retire(0x400, code::NOP, 0x404);
            core.retire(0x404, code::MRET, 0x114);
            core.context = PROGRAM;
        }
        core.retire(0x114, code::JUMP_THROUGH_T1, 0x100);
    }
    // What follows the last transfer.
    core.retire(0x100, code::NOP, 0x104);
    core.retirements
}

/// Encodings of the program's instructions.
mod code {
    pub const NOP: u32 = 0x0000_0013;
    pub const C_NOP: u32 = 0x0000_0001;
    /// `jal ra, 0xfc`: from 0x104 to 0x200.
    pub const CALL_200: u32 = 0x0fc0_00ef;
    /// `beq zero, zero, 8`.
    pub const BEQ_8: u32 = 0x0000_0463;
    /// `bne t0, zero, -8`.
    pub const BNE_BACK_8: u32 = 0xfe02_9ce3;
    pub const RETURN: u32 = 0x0000_8067;
    /// `jalr ra, 0(t1)`.
    pub const CALL_THROUGH_T1: u32 = 0x0003_00e7;
    /// `jalr zero, 0(t1)`.
    pub const JUMP_THROUGH_T1: u32 = 0x0003_0067;
    pub const MRET: u32 = 0x3020_0073;
}

/// Contexts of the program and of its handler, where there are contexts.
const PROGRAM: u8 = 0;
const HANDLER: u8 = 3;

#[derive(Default)]
struct Core {
    retirements: Vec<Retirement>,
    interrupted: bool,
    context: u8,
}

impl Core {
    fn retire(&mut self, pc: u64, insn: u32, next_pc: u64) {
        self.retirements.push(Retirement {
            pc,
            insn,
            next_pc,
            trap: false,
            intr: std::mem::take(&mut self.interrupted),
            loop_end: false,
            context: self.context,
        });
    }
}
