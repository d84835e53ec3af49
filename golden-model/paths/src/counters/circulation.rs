//! Flow that is conserved at every vertex, known on the chords of a forest and recovered on the forest.
//!
//! Both profiles by edges and profiles by blocks are such flows: the first on the graph itself, closed by an edge
//! from exit to entry, the second on the graph of ports. See figure 6 of the document for the recovery. There it
//! takes the absolute difference of what comes in and what goes out; here it is signed, because with pruned counters
//! the flow of an edge may be negative while that of the blocks is right.
use std::collections::VecDeque;

use crate::placement::spanning::maximal_forest;

/// Directed edges between vertices, and a forest among them.
#[derive(Clone, Debug)]
pub(super) struct Circulation {
    ends: Vec<(usize, usize)>,
    forest: Vec<bool>,
    /// The vertices with the forest's edge towards the root of each, before those below them.
    order: Vec<(usize, Option<usize>)>,
}

/// An edge of a cycle, and whether the cycle goes along it in its direction.
pub(super) type Walked = (usize, bool);

impl Circulation {
    /// With a maximal spanning forest; edges without a preference are left out of it. O(E log E).
    pub(super) fn maximal(
        vertices: usize,
        ends: Vec<(usize, usize)>,
        preference: impl Fn(usize) -> Option<f64>,
    ) -> Self {
        let preferred: Vec<(usize, f64)> = (0..ends.len())
            .filter_map(|edge| Some((edge, preference(edge)?)))
            .collect();
        let weighed = preferred.iter().map(|&(edge, weight)| {
            let (from, to) = ends[edge];
            (weight, from, to)
        });
        let members = maximal_forest(vertices, [], weighed);
        let mut forest = vec![false; ends.len()];
        for (&(edge, _), member) in preferred.iter().zip(members) {
            forest[edge] = member;
        }
        Circulation {
            order: order(vertices, &ends, &forest),
            ends,
            forest,
        }
    }

    pub(super) fn in_forest(&self, edge: usize) -> bool {
        self.forest[edge]
    }

    /// Sets the values of the forest's edges so that what comes in and the `supply` of a vertex together go out of
    /// it. The supplies add up to 0. Returns a vertex where flow is not conserved for all that, and what it has too
    /// much: if the values outside of the forest are those of no flow. Postorder on the forest, O(V + E).
    pub(super) fn propagate(
        &self,
        values: &mut [i128],
        mut supply: Vec<i128>,
    ) -> Option<(usize, i128)> {
        for (edge, &(from, to)) in self.ends.iter().enumerate() {
            if !self.forest[edge] {
                supply[from] -= values[edge];
                supply[to] += values[edge];
            }
        }
        for &(vertex, up) in self.order.iter().rev() {
            let Some(edge) = up else { continue };
            let (from, to) = self.ends[edge];
            values[edge] = match from == vertex {
                true => supply[vertex],
                false => -supply[vertex],
            };
            supply[from] -= values[edge];
            supply[to] += values[edge];
        }
        supply.into_iter().enumerate().find(|&(_, left)| left != 0)
    }

    /// The forest's edge above each vertex, for [`cycle`](Self::cycle). O(V).
    pub(super) fn parents(&self) -> Vec<Option<usize>> {
        let mut parents = vec![None; self.order.len()];
        for &(vertex, up) in &self.order {
            parents[vertex] = up;
        }
        parents
    }

    /// The cycle that an edge closes with the forest, beginning with this edge. O(V).
    pub(super) fn cycle(&self, edge: usize, parents: &[Option<usize>]) -> Vec<Walked> {
        let climb = |vertex: usize| {
            let above = |v: &usize| parents[*v].map(|e| self.other(e, *v));
            std::iter::successors(Some(vertex), above).collect::<Vec<usize>>()
        };
        let (from, to) = self.ends[edge];
        let (mut down, mut up) = (climb(from), climb(to));
        // What both ways to the root share is not part of the cycle, but for its lowest vertex.
        while down.len() > 1 && up.len() > 1 && down[down.len() - 2] == up[up.len() - 2] {
            down.pop();
            up.pop();
        }
        down.pop();
        up.pop();
        let step = |vertex: usize, upwards: bool| {
            let edge = parents[vertex].expect("a vertex below another has an edge to it");
            (edge, (self.ends[edge].0 == vertex) == upwards)
        };
        let there = up.into_iter().map(|v| step(v, true));
        let back = down.into_iter().rev().map(|v| step(v, false));
        std::iter::once((edge, true))
            .chain(there)
            .chain(back)
            .collect()
    }

    /// The vertices an edge joins.
    pub(super) fn ends(&self, edge: usize) -> (usize, usize) {
        self.ends[edge]
    }

    fn other(&self, edge: usize, vertex: usize) -> usize {
        let (from, to) = self.ends[edge];
        if from == vertex { to } else { from }
    }
}

/// Every tree of the forest from a root down.
fn order(vertices: usize, ends: &[(usize, usize)], forest: &[bool]) -> Vec<(usize, Option<usize>)> {
    let mut incident = vec![Vec::new(); vertices];
    for (edge, &(from, to)) in ends.iter().enumerate().filter(|(edge, _)| forest[*edge]) {
        incident[from].push((edge, to));
        incident[to].push((edge, from));
    }
    let mut order = Vec::with_capacity(vertices);
    let mut seen = vec![false; vertices];
    for root in 0..vertices {
        let mut open = VecDeque::from([(root, None)]);
        while let Some((vertex, up)) = open.pop_front() {
            if std::mem::replace(&mut seen[vertex], true) {
                continue;
            }
            order.push((vertex, up));
            open.extend(
                incident[vertex]
                    .iter()
                    .map(|&(edge, next)| (next, Some(edge))),
            );
        }
    }
    order
}
