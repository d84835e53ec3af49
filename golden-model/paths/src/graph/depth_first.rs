//! Depth-first search that tells which edges close a cycle.
use super::flow::{BlockId, EdgeId, Flow};

/// What a search knows of a block.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

/// The back edges among the edges that are kept: those that lead to a block whose search has not
/// ended, and all that lead to the entry. Without them the kept edges form no cycle, nor would they
/// with edges from the entry to every other block.
///
/// The search starts at the entry, then at every other reachable block in order (with edges left
/// out, not all is reachable from the entry), and follows edges in the order of declaration. Its
/// stack is on the heap, so deep graphs are fine. O(V + E).
pub(crate) fn back_edges(
    flow: &Flow,
    reachable: &[bool],
    kept: impl Fn(EdgeId) -> bool,
) -> Vec<EdgeId> {
    let mut states = vec![State::New; reachable.len()];
    let mut found = Vec::new();
    let roots = std::iter::once(flow.entry()).chain(flow.blocks().filter(|b| reachable[b.index()]));
    for root in roots {
        if states[root.index()] == State::New {
            search(flow, root, &kept, &mut states, &mut found);
        }
    }
    found
}

/// Searches what is new below one root.
fn search(
    flow: &Flow,
    root: BlockId,
    kept: &impl Fn(EdgeId) -> bool,
    states: &mut [State],
    found: &mut Vec<EdgeId>,
) {
    states[root.index()] = State::Open;
    let mut stack = vec![(root, flow.successors(root).iter())];
    while let Some((block, edges)) = stack.last_mut() {
        let Some(&edge) = edges.next() else {
            // Every block is after the entry, by a dummy edge if not by a kept one.
            if *block != flow.entry() {
                states[block.index()] = State::Done;
            }
            stack.pop();
            continue;
        };
        if !kept(edge) {
            continue;
        }
        let target = flow.ends(edge).1;
        match states[target.index()] {
            State::New => {
                states[target.index()] = State::Open;
                stack.push((target, flow.successors(target).iter()));
            }
            State::Open => found.push(edge),
            State::Done => {}
        }
    }
}
