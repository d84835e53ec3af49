//! The paths of a function as trees: one for each block where paths begin.

use std::collections::HashMap;

use super::HotPath;

/// A block after a beginning that it shares with other paths.
pub struct Node {
    pub block: usize,
    /// How often control came here so.
    pub count: f64,
    /// Those that come next.
    pub children: Vec<usize>,
    /// Where the next path begins, of paths that end here, and how often.
    pub then: Vec<(usize, f64)>,
}

/// The trees.
#[derive(Default)]
pub struct Trees {
    pub nodes: Vec<Node>,
    /// The node of each block where paths begin.
    pub roots: HashMap<usize, usize>,
    /// How often control went from a block to another.
    pub edges: HashMap<(usize, usize), f64>,
}

impl Trees {
    /// The trees of these paths. Linear in their blocks times the ways out of a block.
    pub fn new(paths: &[HotPath]) -> Self {
        let mut trees = Trees::default();
        for path in paths {
            trees.add(path);
        }
        trees
    }

    fn add(&mut self, path: &HotPath) {
        let mut at = None;
        for &block in &path.blocks {
            let node = match at {
                None => self.roots.get(&block).copied(),
                Some(parent) => self.child(parent, block),
            };
            let node = node.unwrap_or_else(|| self.put(at, block));
            self.nodes[node].count += path.count;
            at = Some(node);
        }
        if let (Some(leaf), Some(then)) = (at, path.then) {
            let ends = &mut self.nodes[leaf].then;
            match ends.iter_mut().find(|(block, _)| *block == then) {
                Some((_, count)) => *count += path.count,
                None => ends.push((then, path.count)),
            }
        }
        let after = path.blocks.iter().copied().skip(1).chain(path.then);
        for edge in path.blocks.iter().copied().zip(after) {
            *self.edges.entry(edge).or_default() += path.count;
        }
    }

    fn child(&self, parent: usize, block: usize) -> Option<usize> {
        let mut children = self.nodes[parent].children.iter().copied();
        children.find(|&child| self.nodes[child].block == block)
    }

    fn put(&mut self, parent: Option<usize>, block: usize) -> usize {
        let node = self.nodes.len();
        self.nodes.push(Node {
            block,
            count: 0.0,
            children: Vec::new(),
            then: Vec::new(),
        });
        match parent {
            Some(parent) => self.nodes[parent].children.push(node),
            None => {
                self.roots.insert(block, node);
            }
        }
        node
    }
}
