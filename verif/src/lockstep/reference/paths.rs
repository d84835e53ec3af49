//! The paths that show, against those the model completes.

use super::Reference;

impl Reference {
    /// Paths seen and expected, in order, each in its cycle.
    pub(super) fn compare_paths(&mut self) -> Result<(), String> {
        while let Some(&(cycle, path)) = self.seen.front().filter(|seen| seen.0 < self.model_now) {
            match self.expected.pop_front() {
                Some(expected) if expected == (cycle, path) => self.paths += 1,
                Some((due, expected)) => {
                    return Err(format!(
                        "path {} with count {} in cycle {cycle}; the model completes {} with count {}, due in \
                         cycle {due}",
                        path.descriptor, path.count, expected.descriptor, expected.count
                    ));
                }
                None => {
                    return Err(format!(
                        "path {} with count {} in cycle {cycle}; the model completes none",
                        path.descriptor, path.count
                    ));
                }
            }
            self.seen.pop_front();
        }
        match self.expected.front() {
            Some((due, path)) if *due < self.model_now => Err(format!(
                "no path in cycle {due}; the model completes {} with count {}",
                path.descriptor, path.count
            )),
            _ => Ok(()),
        }
    }
}
