//! Where counters stand, and the counters of a run.
use crate::graph::{BlockId, EdgeId, Flow, PathError, Weights};

/// The edges and blocks of a graph that have a counter.
#[derive(Clone, Debug)]
pub struct CounterPlaces {
    flow: Flow,
    edges: Vec<bool>,
    blocks: Vec<bool>,
}

impl CounterPlaces {
    pub(super) fn new(
        flow: &Flow,
        edge: impl Fn(EdgeId) -> bool,
        block: impl Fn(BlockId) -> bool,
    ) -> Self {
        CounterPlaces {
            flow: flow.clone(),
            edges: flow.edges().map(edge).collect(),
            blocks: flow.blocks().map(block).collect(),
        }
    }

    /// A counter in each block that control can reach: what optimal placements are measured against. O(V + E).
    pub fn redundant(flow: &Flow) -> Self {
        let reached = flow.reachable();
        Self::in_blocks(flow, |block| reached[block.index()])
    }

    /// A counter in each of these blocks. O(V + E).
    pub fn in_blocks(flow: &Flow, block: impl Fn(BlockId) -> bool) -> Self {
        Self::new(flow, |_| false, block)
    }

    /// The graph.
    pub fn flow(&self) -> &Flow {
        &self.flow
    }

    /// Whether an edge has a counter.
    pub fn has_edge(&self, edge: EdgeId) -> bool {
        self.edges[edge.index()]
    }

    /// Whether a block has a counter.
    pub fn has_block(&self, block: BlockId) -> bool {
        self.blocks[block.index()]
    }

    /// The edges that have one, in order.
    pub fn edges(&self) -> impl Iterator<Item = EdgeId> {
        self.flow.edges().filter(|&edge| self.has_edge(edge))
    }

    /// The blocks that have one, in order.
    pub fn blocks(&self) -> impl Iterator<Item = BlockId> {
        self.flow.blocks().filter(|&block| self.has_block(block))
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.edges().count() + self.blocks().count()
    }

    /// How many increments run under these frequencies. O(V + E).
    pub fn cost(&self, weights: &Weights) -> f64 {
        let edges: f64 = self.edges().map(|edge| weights.edge(edge)).sum();
        let blocks = self.blocks().map(|block| weights.block(&self.flow, block));
        edges + blocks.sum::<f64>()
    }

    /// Counters at 0 in these places.
    pub fn counters(&self) -> Counters {
        Counters {
            edges: vec![0; self.edges.len()],
            blocks: vec![0; self.blocks.len()],
            early_exits: vec![0; self.blocks.len()],
            places: self.clone(),
        }
    }
}

/// The counters of an instrumented procedure while it runs.
#[derive(Clone, Debug)]
pub struct Counters {
    places: CounterPlaces,
    edges: Vec<u64>,
    blocks: Vec<u64>,
    early_exits: Vec<u64>,
}

impl Counters {
    /// Runs one call over the edges control takes from the entry on. If it stops short of the exit, it has exited
    /// early. O(edges).
    ///
    /// # Errors
    ///
    /// If an edge does not go on where the one before it ended; what ran before is counted.
    pub fn call(&mut self, execution: &[EdgeId]) -> Result<(), PathError> {
        let mut control = self.places.flow.entry();
        self.enter(control);
        for (position, &edge) in execution.iter().enumerate() {
            let (from, to) = self.places.flow.ends(edge);
            if from != control {
                let name = |block| self.places.flow.name(block).into();
                let (from, control) = (name(from), name(control));
                return Err(PathError::Gap {
                    position,
                    from,
                    control,
                });
            }
            self.take(edge);
            control = to;
        }
        if control != self.places.flow.exit() {
            self.exit_early(control);
        }
        Ok(())
    }

    /// Control comes into the procedure's first block.
    pub fn begin(&mut self) {
        self.enter(self.places.flow.entry());
    }

    /// Control takes an edge.
    pub fn take(&mut self, edge: EdgeId) {
        self.edges[edge.index()] += u64::from(self.places.has_edge(edge));
        self.enter(self.places.flow.ends(edge).1);
    }

    /// The procedure ends while control is in this block, which is not its exit.
    pub fn exit_early(&mut self, block: BlockId) {
        self.early_exits[block.index()] += 1;
    }

    fn enter(&mut self, block: BlockId) {
        self.blocks[block.index()] += u64::from(self.places.has_block(block));
    }

    /// The count of an edge; 0 without a counter.
    pub fn edge(&self, edge: EdgeId) -> u64 {
        self.edges[edge.index()]
    }

    /// The count of a block; 0 without a counter.
    pub fn block(&self, block: BlockId) -> u64 {
        self.blocks[block.index()]
    }

    /// How often the procedure ended in a block other than its exit.
    pub fn early_exits(&self, block: BlockId) -> u64 {
        self.early_exits[block.index()]
    }

    /// How many increments ran, those of early exits left out.
    pub fn increments(&self) -> u64 {
        self.edges.iter().chain(&self.blocks).sum()
    }

    /// Early exits as flow into vertices numbered like blocks: out of where they happen, into the exit.
    pub(super) fn supply(&self) -> Vec<i128> {
        let mut supply: Vec<i128> = self.early_exits.iter().map(|&n| -i128::from(n)).collect();
        let early: i128 = supply.iter().sum();
        supply[self.places.flow.exit().index()] -= early;
        supply
    }
}
