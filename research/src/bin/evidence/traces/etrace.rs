//! An encoding like that of RISC-V's Efficient Trace (E-Trace, version 2.0): packets with maps of branch outcomes and
//! addresses where the code does not tell them.
//!
//! | packet | fields, from the low bits | when |
//! | --- | --- | --- |
//! | format 3 | format 2, subformat 2, branch 1, privilege 2, address 31 | once, where the run begins |
//! | format 1 | format 2, branches 5, map 31 | 31 outcomes have come together |
//! | format 1 | format 2, branches 5, map 1, 3, 7, 15 or 31, address 31 | after a computed target, with outcomes before it |
//! | format 2 | format 2, address 31 | after a computed target, with none |
//!
//! Addresses but the first are differences from the last one. Bits at the top that repeat the sign are left out, down
//! to whole bytes; each packet has a header of one byte. `notify`, `updiscon` and `irreport` repeat the bit below
//! them when they say nothing, and so take no room. With
//! *implicit returns* a return to where its call came from is not reported. Left out: time, context, synchronisation from time to
//! time, prediction of branches and of targets.

use anyhow::{Context, Result, ensure};
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_riscv::{ProgramCode, Transfer};
use rustc_hash::FxHashMap;

use crate::runs::{RESET, Run};

/// Outcomes in the largest map.
const FULL: usize = 31;

/// Bits of an address: that of a half word in a space of 32 bits.
const ADDRESS: u32 = 31;

/// Outcomes, and the address after the last of them if it is reported.
struct Packet {
    outcomes: Vec<bool>,
    address: Option<u64>,
}

/// The bits of a run's trace, from which its branches were decoded.
pub fn bits(run: &Run, implicit_returns: bool) -> Result<u64> {
    let packets = Follower::new(run, implicit_returns).encode(&run.records)?;
    Follower::new(run, implicit_returns).decode(&packets, &run.records)?;
    let mut last = RESET;
    let start = 8 + 8 * payload(u128::from(RESET >> 1) << 7 | 0b11, 7 + ADDRESS);
    let mut bits = start;
    for packet in &packets {
        bits += 8 + 8 * packet.payload(&mut last);
    }
    Ok(bits)
}

impl Packet {
    /// The bytes after the header.
    fn payload(&self, last: &mut u64) -> u64 {
        let count = self.outcomes.len();
        let mut value: u128 = if count == 0 { 0b10 } else { 0b01 };
        let mut width = 2;
        if count > 0 {
            // A full map without an address says 0 branches.
            let branches = if self.address.is_none() { 0 } else { count };
            value |= (branches as u128) << width;
            width += 5;
            for (at, &taken) in (width..).zip(&self.outcomes) {
                value |= u128::from(!taken) << at;
            }
            width += [1, 3, 7, 15, 31]
                .into_iter()
                .find(|&map| count <= map)
                .unwrap_or(FULL) as u32;
        }
        if let Some(address) = self.address {
            let difference = address.wrapping_sub(*last) >> 1 & ((1 << ADDRESS) - 1);
            value |= u128::from(difference) << width;
            width += ADDRESS;
            *last = address;
        }
        payload(value, width)
    }
}

/// The fewest bytes from which sign extension restores a number of so many bits.
fn payload(value: u128, width: u32) -> u64 {
    let unused = u128::BITS - width;
    let extended = (value << unused) as i128 >> unused;
    let redundant = match extended < 0 {
        true => extended.leading_ones(),
        false => extended.leading_zeros(),
    };
    u64::from((u128::BITS + 1 - redundant).div_ceil(8))
}

/// The code of a run, followed from branch to branch.
struct Follower<'a> {
    run: &'a Run,
    branches: FxHashMap<u64, (Transfer, u64)>,
    at: u64,
    /// Where calls under way come back to, if returns are implicit.
    returns: Option<Vec<u64>>,
}

/// What the code tells of a branch.
enum Told {
    /// All but the outcome.
    Outcome {
        taken: u64,
        next: u64,
    },
    Target(u64),
    /// Nothing of where it leads.
    Nothing,
}

impl<'a> Follower<'a> {
    fn new(run: &'a Run, implicit_returns: bool) -> Self {
        Follower {
            run,
            branches: FxHashMap::default(),
            at: RESET,
            returns: implicit_returns.then(Vec::new),
        }
    }

    /// Goes on to the next branch.
    fn branch(&mut self) -> Result<Told> {
        let (transfer, next) = match self.branches.get(&self.at) {
            Some(&found) => found,
            None => {
                let found = self.search()?;
                *self.branches.entry(self.at).or_insert(found)
            }
        };
        if let (BranchKind::Call | BranchKind::IndirectCall, Some(returns)) =
            (transfer.kind, &mut self.returns)
        {
            returns.push(next);
        }
        let implicit = match (transfer.kind, &mut self.returns) {
            (BranchKind::Return, Some(returns)) => returns.pop(),
            _ => None,
        };
        Ok(match transfer.target.or(implicit) {
            Some(taken) if transfer.conditional => Told::Outcome { taken, next },
            Some(target) => Told::Target(target),
            None => Told::Nothing,
        })
    }

    fn search(&self) -> Result<(Transfer, u64)> {
        let mut pc = self.at;
        loop {
            let instruction = self.run.image.instruction(pc);
            let instruction = instruction.with_context(|| format!("no code at {pc:#x}"))?;
            match instruction.transfer {
                Some(transfer) => return Ok((transfer, instruction.next)),
                None => pc = instruction.next,
            }
        }
    }

    fn encode(mut self, records: &[BranchRecord]) -> Result<Vec<Packet>> {
        let mut packets = Vec::new();
        let mut outcomes = Vec::new();
        for record in records {
            let told = self.branch()?;
            let address = match told {
                Told::Outcome { .. } => {
                    outcomes.push(record.taken);
                    None
                }
                Told::Target(target) => {
                    ensure!(
                        target == record.target,
                        "a return elsewhere than behind its call"
                    );
                    None
                }
                Told::Nothing => Some(record.target),
            };
            self.at = record.target;
            if address.is_some() || outcomes.len() == FULL {
                let outcomes = std::mem::take(&mut outcomes);
                packets.push(Packet { outcomes, address });
            }
        }
        let address = Some(self.at);
        packets.push(Packet { outcomes, address });
        Ok(packets)
    }

    /// Sees whether the packets and the code tell these branches.
    fn decode(mut self, packets: &[Packet], records: &[BranchRecord]) -> Result<()> {
        let mut packets = packets.iter();
        let mut packet = packets.next().context("a trace has a packet")?;
        let mut outcomes = packet.outcomes.iter();
        for record in records {
            let told = self.branch()?;
            // A full map ends before what comes next.
            if outcomes.len() == 0 && packet.address.is_none() {
                packet = packets.next().context("the trace ends early")?;
                outcomes = packet.outcomes.iter();
            }
            self.at = match told {
                Told::Outcome { taken, next } => match outcomes.next() {
                    Some(true) => taken,
                    Some(false) => next,
                    None => anyhow::bail!("an outcome is missing"),
                },
                Told::Target(target) => target,
                Told::Nothing => {
                    let address = packet.address.filter(|_| outcomes.len() == 0);
                    packet = packets.next().context("the trace ends early")?;
                    outcomes = packet.outcomes.iter();
                    address.context("an address is missing")?
                }
            };
            ensure!(self.at == record.target, "another branch is decoded");
        }
        Ok(())
    }
}
