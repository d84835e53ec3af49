//! An execution, the edges control takes one after another, cut into paths.
use super::acyclic::Acyclic;
use super::flow::{BlockId, EdgeId};
use super::form::{Crossing, DagEdgeId};
use super::route::{DagPath, PathError};

/// Control on its way through a procedure: the one place where an execution is followed, edge by edge, and each edge
/// translated into what it does to the path under way.
#[derive(Clone, Debug)]
pub struct Control<'a> {
    dag: &'a Acyclic,
    block: BlockId,
    position: usize,
}

impl<'a> Control<'a> {
    /// Control at the entry.
    pub fn enter(dag: &'a Acyclic) -> Self {
        Self::at(dag, dag.entry())
    }

    /// Control at a block in the midst of an execution.
    pub fn at(dag: &'a Acyclic, block: BlockId) -> Self {
        Control {
            dag,
            block,
            position: 0,
        }
    }

    /// The block control is in.
    pub fn block(&self) -> BlockId {
        self.block
    }

    /// Takes an edge. O(1).
    ///
    /// # Errors
    ///
    /// If the edge does not leave the block control is in.
    pub fn take(&mut self, edge: EdgeId) -> Result<Crossing, PathError> {
        let flow = self.dag.flow();
        let (from, to) = flow.ends(edge);
        let crossing = self.dag.crossing(edge).filter(|_| from == self.block);
        let crossing = crossing.ok_or_else(|| PathError::Gap {
            position: self.position,
            from: flow.name(from).into(),
            control: flow.name(self.block).into(),
        })?;
        self.block = to;
        self.position += 1;
        Ok(crossing)
    }

    /// Whether control has come to the exit.
    pub fn is_out(&self) -> bool {
        self.block == self.dag.exit()
    }
}

/// One execution cut into paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Segments {
    /// The paths that ended, in order.
    pub paths: Vec<DagPath>,
    /// The edges of the path under way when the execution stopped short of the exit.
    pub unfinished: Vec<DagEdgeId>,
}

impl Segments {
    /// Cuts an execution, the edges control takes from the entry on, into its paths. O(length).
    ///
    /// # Errors
    ///
    /// If an edge does not go on where the one before it ended.
    pub fn of(dag: &Acyclic, execution: &[EdgeId]) -> Result<Self, PathError> {
        let mut segments = Segments::default();
        let mut control = Control::enter(dag);
        for &edge in execution {
            match control.take(edge)? {
                Crossing::Inside(edge) => segments.unfinished.push(edge),
                Crossing::Break { stop, start } => {
                    segments.unfinished.push(stop);
                    segments.close();
                    segments.unfinished.extend(start);
                }
            }
        }
        if control.is_out() {
            segments.close();
        }
        Ok(segments)
    }

    fn close(&mut self) {
        let edges = std::mem::take(&mut self.unfinished);
        self.paths.push(DagPath::from_trusted(edges));
    }
}
