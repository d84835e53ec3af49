//! Compares the output paths with those that the model completes.

use super::Reference;
use hpp_golden::path::CompletedPath;

impl Reference {
    /// Compares the path of a cycle, or its absence, with the expected one.
    pub(super) fn compare_path(
        &mut self,
        cycle: u64,
        seen: Option<&CompletedPath>,
    ) -> Result<(), String> {
        match (seen, self.expected.front()) {
            (None, None) => Ok(()),
            (None, Some((due, _))) if *due > cycle => Ok(()),
            (Some(path), Some((due, expected))) if *due == cycle && path == expected => {
                self.expected.pop_front();
                self.paths += 1;
                Ok(())
            }
            (seen, expected) => Err(unlike(cycle, seen, expected)),
        }
    }
}

#[cold]
fn unlike(
    cycle: u64,
    seen: Option<&CompletedPath>,
    expected: Option<&(u64, CompletedPath)>,
) -> String {
    let name = |path: &CompletedPath| format!("{} with count {}", path.descriptor, path.count);
    let seen = match seen {
        Some(path) => format!("path {} in cycle {cycle}", name(path)),
        None => format!("no path in cycle {cycle}"),
    };
    match expected {
        Some((due, path)) => format!(
            "{seen}; the model completes {}, due in cycle {due}",
            name(path)
        ),
        None => format!("{seen}; the model completes none"),
    }
}
