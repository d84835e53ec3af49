use hpp_riscv::trace::Block;
use hpp_riscv::{LastStage, Retirement};
use std::fmt;

pub const CHANNELS: usize = 4;

/// The output of a core to its ingress in a cycle.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Shown {
    #[default]
    Nothing,
    /// Retirements on the channels of an RVFI, the earliest first.
    Retirements([Option<Retirement>; CHANNELS]),
    Stage(LastStage),
    Block(Block),
}

impl From<[Option<Retirement>; CHANNELS]> for Shown {
    fn from(channels: [Option<Retirement>; CHANNELS]) -> Self {
        Self::Retirements(channels)
    }
}

impl From<Retirement> for Shown {
    fn from(retirement: Retirement) -> Self {
        Self::Retirements([Some(retirement), None, None, None])
    }
}

impl From<LastStage> for Shown {
    fn from(stage: LastStage) -> Self {
        Self::Stage(stage)
    }
}

impl From<Block> for Shown {
    fn from(block: Block) -> Self {
        Self::Block(block)
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("nothing retires"),
            Self::Retirements(channels) => {
                for (channel, retirement) in channels.iter().enumerate() {
                    let Some(retirement) = retirement else {
                        continue;
                    };
                    write!(f, "[{channel}: {:#x} at ", retirement.insn)?;
                    write!(f, "{:#x}, then {:#x}", retirement.pc, retirement.next_pc)?;
                    mark(f, retirement.trap, " trap")?;
                    mark(f, retirement.intr, " intr")?;
                    mark(f, retirement.loop_end, " loop end")?;
                    write!(f, " context {}]", retirement.context)?;
                }
                Ok(())
            }
            Self::Stage(stage) => {
                write!(f, "{:#x} at {:#x}", stage.insn, stage.pc)?;
                mark(f, stage.trap, " trap")?;
                mark(f, stage.expanded, " expanded")?;
                mark(f, stage.loop_end, " loop end")?;
                write!(f, " context {}", stage.context)
            }
            Self::Block(block) => write!(
                f,
                "itype {} at {:#x}, iretire {}, ilastsize {}, context {}",
                block.itype, block.iaddr, block.iretire, block.ilastsize, block.context
            ),
        }
    }
}

fn mark(f: &mut fmt::Formatter<'_>, on: bool, name: &str) -> fmt::Result {
    f.write_str(if on { name } else { "" })
}
