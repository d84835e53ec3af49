//! A value on every edge of an acyclic form: the result of a numbering.
use crate::Number;
use crate::graph::{Acyclic, DagEdgeId, DagPath};

/// The values of one numbering, one for each edge of the [`Acyclic`] it numbers.
#[derive(Clone)]
pub struct EdgeValues {
    dag: Acyclic,
    values: Vec<Number>,
}

impl EdgeValues {
    /// The value 0 on every edge.
    pub fn zero(dag: &Acyclic) -> Self {
        Self::from_fn(dag, |_| Number::ZERO)
    }

    /// These values.
    pub fn from_fn(dag: &Acyclic, value: impl FnMut(DagEdgeId) -> Number) -> Self {
        EdgeValues {
            values: dag.edges().map(value).collect(),
            dag: dag.clone(),
        }
    }

    /// What they number.
    pub fn dag(&self) -> &Acyclic {
        &self.dag
    }

    /// The value of an edge.
    pub fn get(&self, edge: DagEdgeId) -> &Number {
        &self.values[edge.index()]
    }

    /// Changes the value of an edge.
    pub fn set(&mut self, edge: DagEdgeId, value: Number) {
        self.values[edge.index()] = value;
    }

    /// The path sum: the values along a path, added up. O(length).
    pub fn sum(&self, path: &DagPath) -> Number {
        path.edges().iter().map(|&e| self.get(e)).sum()
    }

    /// How many edges have a value other than 0; the count
    /// Apiwattanapong and Harrold compare algorithms by ("Selective Path Profiling", section 4).
    pub fn probes(&self) -> usize {
        self.values.iter().filter(|v| !v.is_zero()).count()
    }
}

/// Two are equal if their values are.
impl PartialEq for EdgeValues {
    fn eq(&self, other: &Self) -> bool {
        self.values == other.values
    }
}

impl Eq for EdgeValues {}

impl std::fmt::Debug for EdgeValues {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let values = self
            .dag
            .edges()
            .map(|e| (self.dag.edge_name(e), self.get(e)));
        f.debug_map().entries(values).finish()
    }
}
