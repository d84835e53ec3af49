//! Which blocks are duplicated, and where each copy leads.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::flow::estimate;
use super::tree::Trees;
use super::{HotPath, successors};
use crate::assembly::{Ending, Function};

/// How far code may grow.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Instructions that are put in, as a share of those of all functions.
    pub growth: f64,
    /// Rounds of a loop one after the other.
    pub rounds: u32,
    /// What runs less often than this share of all path executions is not duplicated.
    pub least: f64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            growth: 0.2,
            rounds: 4,
            least: 1e-4,
        }
    }
}

/// A block, or a duplicate of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Copy {
    /// The block.
    pub block: usize,
    /// The copies that control goes to, in the order of the block's ways out.
    pub to: Vec<usize>,
    /// How often it goes there.
    pub flow: Vec<f64>,
    /// Whether a path goes on after it.
    goes_on: bool,
}

/// The copies of a function's blocks. The first are the blocks themselves.
#[derive(Clone, Debug, PartialEq)]
pub struct Copies(pub Vec<Copy>);

/// A way that a path takes out of a copy.
struct Step {
    count: f64,
    function: usize,
    from: usize,
    way: usize,
    node: usize,
    /// What counts of its tree are multiplied by.
    scale: f64,
    rounds: u32,
}

impl Ord for Step {
    fn cmp(&self, other: &Self) -> Ordering {
        let place = |step: &Step| (step.function, step.from, step.way);
        let by_count = self.count.total_cmp(&other.count);
        by_count.then_with(|| place(other).cmp(&place(self)))
    }
}

impl PartialOrd for Step {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Step {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Step {}

/// A function while its copies are made.
struct Forming<'a> {
    function: &'a Function,
    trees: Trees,
    copies: Vec<Copy>,
    /// The share of each way out of each duplicate, in the order of the block's.
    chances: Vec<Vec<f64>>,
    claimed: Vec<bool>,
}

/// Forms superblocks of functions, heaviest first, until nothing that is left is worth it. O(n log n) in the steps of all paths.
pub fn form(functions: &[&Function], profiles: &[Vec<HotPath>], limits: &Limits) -> Vec<Copies> {
    let mut forming: Vec<Forming<'_>> = functions
        .iter()
        .zip(profiles)
        .map(|(function, paths)| Forming::new(function, paths))
        .collect();
    let instructions = functions.iter().flat_map(|function| &function.blocks);
    let instructions: usize = instructions.map(|block| block.end - block.body).sum();
    let mut room = instructions as f64 * limits.growth;
    let all = profiles.iter().flatten().map(|path| path.count);
    let least = all.sum::<f64>() * limits.least;
    let mut queue = BinaryHeap::new();
    for (at, one) in forming.iter().enumerate() {
        for (&block, &root) in &one.trees.roots {
            one.steps(at, block, root, 1.0, 1, &mut queue);
        }
    }
    while let Some(step) = queue.pop() {
        let at = step.function;
        if let Some(copy) = forming[at].take(&step, limits, least, &mut room) {
            let rounds = step.rounds;
            forming[at].steps(at, copy, step.node, step.scale, rounds, &mut queue);
        }
    }
    let done = forming.into_iter();
    done.map(|one| one.finish(limits.rounds)).collect()
}

impl<'a> Forming<'a> {
    fn new(function: &'a Function, paths: &[HotPath]) -> Self {
        let copy = |block: usize| {
            let to = successors(function, block);
            Copy {
                block,
                flow: vec![0.0; to.len()],
                to,
                goes_on: false,
            }
        };
        let trees = Trees::new(paths);
        let count = function.blocks.len();
        Forming {
            function,
            copies: (0..count).map(copy).collect(),
            claimed: (0..count).map(|at| trees.roots.contains_key(&at)).collect(),
            chances: Vec::new(),
            trees,
        }
    }

    /// Puts the ways out of a copy that stands for a node into the queue.
    fn steps(
        &self,
        function: usize,
        from: usize,
        node: usize,
        scale: f64,
        rounds: u32,
        queue: &mut BinaryHeap<Step>,
    ) {
        let ways = successors(self.function, self.copies[from].block);
        let node = &self.trees.nodes[node];
        let way = |block: usize| ways.iter().position(|&to| to == block);
        // Of so many rounds of a loop, each runs one in so many times.
        let share = scale / f64::from(rounds);
        for &child in &node.children {
            let child_node = &self.trees.nodes[child];
            let Some(way) = way(child_node.block) else {
                continue;
            };
            queue.push(Step {
                count: child_node.count * share,
                function,
                from,
                way,
                node: child,
                scale,
                rounds,
            });
        }
        for &(block, count) in &node.then {
            let root = self.trees.roots.get(&block);
            let (Some(way), Some(&root)) = (way(block), root) else {
                continue;
            };
            queue.push(Step {
                // What one more round saves.
                count: count * share / f64::from(rounds + 1),
                function,
                from,
                way,
                node: root,
                scale: count * scale / self.trees.nodes[root].count,
                rounds: rounds + 1,
            });
        }
    }

    /// Goes a step. Returns the copy it leads to if that is its own.
    fn take(&mut self, step: &Step, limits: &Limits, least: f64, room: &mut f64) -> Option<usize> {
        let from = &self.copies[step.from];
        let block = self.trees.nodes[step.node].block;
        let goes_on = from.goes_on;
        let is_table = matches!(self.function.blocks[from.block].ending, Ending::Table(_));
        self.copies[step.from].goes_on = true;
        if !self.claimed[block] {
            self.claimed[block] = true;
            return Some(block);
        }
        let lines = &self.function.blocks[block];
        let cost = (lines.end - lines.body) as f64;
        let is_worth_it = step.count >= least && cost <= *room && step.rounds <= limits.rounds;
        // A block that is jumped to anyway need not be a copy.
        if goes_on || is_table || !is_worth_it {
            return None;
        }
        *room -= cost;
        let copy = self.copies.len();
        let to = successors(self.function, block);
        self.copies.push(Copy {
            block,
            flow: vec![0.0; to.len()],
            to,
            goes_on: false,
        });
        self.chances.push(self.chances(copy, step.node));
        self.copies[step.from].to[step.way] = copy;
        Some(copy)
    }

    /// How often control goes which way from a duplicate that stands for a node.
    fn chances(&self, copy: usize, node: usize) -> Vec<f64> {
        let node = &self.trees.nodes[node];
        let children = node.children.iter().map(|&child| {
            let child = &self.trees.nodes[child];
            (child.block, child.count)
        });
        let out: Vec<(usize, f64)> = children.chain(node.then.iter().copied()).collect();
        let all: f64 = out.iter().map(|(_, count)| count).sum();
        let ways = self.copies[copy].to.iter();
        ways.map(|&to| {
            let taken = out.iter().filter(|(block, _)| *block == to);
            taken.map(|(_, count)| count / all).sum()
        })
        .collect()
    }

    fn finish(mut self, rounds: u32) -> Copies {
        let count = self.function.blocks.len();
        estimate(count, &mut self.copies, &self.chances, &self.trees, rounds);
        Copies(self.copies)
    }
}
