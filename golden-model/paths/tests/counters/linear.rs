//! What a set of counters determines, by linear algebra and without any tree.
use hpp_paths::graph::{BlockId, EdgeId, Flow};

/// All flows that a closed graph allows: rows that must be 0. The last column is the closing edge.
pub struct Flows<'a> {
    flow: &'a Flow,
    edges: Vec<EdgeId>,
}

type Row = Vec<i64>;

/// Beyond any determinant that a matrix of the few columns here can have, so that ranks are those of the rationals.
const PRIME: i64 = 1_000_000_007;

impl<'a> Flows<'a> {
    pub fn of(flow: &'a Flow) -> Self {
        let reached = flow.reachable();
        let edges = flow.edges().filter(|&e| reached[flow.ends(e).0.index()]);
        Flows {
            flow,
            edges: edges.collect(),
        }
    }

    /// The edges that control can reach.
    pub fn edges(&self) -> &[EdgeId] {
        &self.edges
    }

    /// Whether counters with these rows determine what has those.
    pub fn determine(&self, counted: &[Row], profiled: &[Row]) -> bool {
        let known = [self.conservation(), counted.to_vec()].concat();
        rank(known.clone()) == rank([known, profiled.to_vec()].concat())
    }

    /// The frequency of an edge as a row.
    pub fn edge(&self, edge: EdgeId) -> Row {
        let mut row: Row = self.edges.iter().map(|&e| i64::from(e == edge)).collect();
        row.push(0);
        row
    }

    /// The frequency of a block as a row: what comes in.
    pub fn block(&self, block: BlockId) -> Row {
        self.row(|_, to| i64::from(to == block))
    }

    fn conservation(&self) -> Vec<Row> {
        let row = |b| self.row(|from, to| i64::from(to == b) - i64::from(from == b));
        self.flow.blocks().map(row).collect()
    }

    fn row(&self, entry: impl Fn(BlockId, BlockId) -> i64) -> Row {
        let closing = (self.flow.exit(), self.flow.entry());
        let ends = self.edges.iter().map(|&e| self.flow.ends(e));
        ends.chain([closing])
            .map(|(from, to)| entry(from, to))
            .collect()
    }
}

/// Gaussian elimination modulo a prime.
fn rank(mut rows: Vec<Row>) -> usize {
    let columns = rows.first().map_or(0, Vec::len);
    let mut rank = 0;
    for column in 0..columns {
        let Some(pivot) = (rank..rows.len()).find(|&r| rows[r][column].rem_euclid(PRIME) != 0)
        else {
            continue;
        };
        rows.swap(rank, pivot);
        let (above, below) = rows.split_at_mut(rank + 1);
        let pivot = &above[rank];
        for row in below {
            let (a, b) = (pivot[column], row[column]);
            for (x, p) in row.iter_mut().zip(pivot) {
                *x = (*x * a - p * b).rem_euclid(PRIME);
            }
        }
        rank += 1;
    }
    rank
}
