//! The order in which a module computes its signals.

use std::collections::{BTreeMap, BTreeSet};

use crate::verilog::passes::cone::Cone;
use crate::verilog::tree::expr::SignalId;

/// The cones, each after those it reads, else in their order.
pub fn sorted(cones: &[Cone]) -> Vec<&Cone> {
    let mut driver: BTreeMap<SignalId, usize> = BTreeMap::new();
    for (index, cone) in cones.iter().enumerate() {
        driver.extend(cone.targets.iter().map(|&id| (id, index)));
    }
    let sources: Vec<BTreeSet<SignalId>> = cones.iter().map(Cone::reads).collect();
    let mut done = vec![false; cones.len()];
    let mut order = Vec::new();
    for start in 0..cones.len() {
        let mut open = vec![(start, false)];
        while let Some((index, leaving)) = open.pop() {
            if leaving {
                order.push(&cones[index]);
            } else if !std::mem::replace(&mut done[index], true) {
                open.push((index, true));
                let before = sources[index].iter().rev().filter_map(|id| driver.get(id));
                open.extend(
                    before
                        .filter(|&&index| !done[index])
                        .map(|&index| (index, false)),
                );
            }
        }
    }
    order
}
