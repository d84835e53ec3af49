//! A value on every edge of an acyclic form: the result of a numbering.
use num_bigint::{BigInt, Sign};

use crate::graph::{Acyclic, DagEdgeId, DagPath};

/// The values of one numbering, one for each edge of an [`Acyclic`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeValues {
    values: Vec<BigInt>,
}

impl EdgeValues {
    /// The value 0 on every edge.
    pub fn zero(dag: &Acyclic) -> Self {
        EdgeValues {
            values: vec![BigInt::ZERO; dag.edge_count()],
        }
    }

    /// These values, by edge index.
    pub fn new(values: Vec<BigInt>) -> Self {
        EdgeValues { values }
    }

    /// The value of an edge.
    pub fn get(&self, edge: DagEdgeId) -> &BigInt {
        &self.values[edge.index()]
    }

    /// Changes the value of an edge.
    pub fn set(&mut self, edge: DagEdgeId, value: BigInt) {
        self.values[edge.index()] = value;
    }

    /// The path sum: the values along a path, added up.
    pub fn sum(&self, path: &DagPath) -> BigInt {
        path.edges().iter().map(|&e| self.get(e)).sum()
    }

    /// How many edges need a probe when each edge with a value other than 0 gets one; the count
    /// Apiwattanapong and Harrold compare algorithms by ("Selective Path Profiling", section 4).
    pub fn probes(&self) -> usize {
        let needs = |v: &&BigInt| v.sign() != Sign::NoSign;
        self.values.iter().filter(needs).count()
    }
}
