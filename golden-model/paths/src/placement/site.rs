//! Where the code of an edge goes.
use crate::graph::{EdgeId, Flow};

/// The place for an edge's code that no other edge leads through.
///
/// ```
/// use hpp_paths::graph::Cfg;
/// use hpp_paths::placement::Site;
/// let cfg = Cfg::from_edges([("a", "b"), ("a", "c"), ("b", "c"), ("c", "d")])?;
/// let sites: Vec<Site> = cfg.edges().map(|edge| Site::of(&cfg, edge)).collect();
/// assert_eq!(sites, [Site::Target, Site::Split, Site::Source, Site::Source]);
/// # Ok::<(), hpp_paths::graph::CfgError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Site {
    /// At the end of its source, which has no other way out.
    Source,
    /// At the head of its target, which has no other way in.
    Target,
    /// In a block of its own: the edge is critical.
    Split,
}

impl Site {
    /// The place for an edge's code, the source before the target. The entry has another way in, by calls, and the exit may be
    /// no place of the program. O(1).
    pub fn of(flow: &Flow, edge: EdgeId) -> Self {
        let (from, to) = flow.ends(edge);
        if flow.successors(from).len() == 1 {
            Site::Source
        } else if flow.predecessors(to).len() == 1 && to != flow.entry() && to != flow.exit() {
            Site::Target
        } else {
            Site::Split
        }
    }
}
