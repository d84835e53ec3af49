//! Running an instrumented program: an interpreter of probes over the edges control takes.
use crate::Number;
use crate::graph::{Control, Crossing, EdgeId, PathError};
use crate::placement::{Probe, Probes};

/// One procedure under instrumentation.
#[derive(Clone, Debug)]
pub struct Instrumented<'a> {
    probes: &'a Probes,
    register: Option<Number>,
    executed: u64,
}

impl<'a> Instrumented<'a> {
    /// The procedure before its first call.
    pub fn new(probes: &'a Probes) -> Self {
        Instrumented {
            probes,
            register: None,
            executed: 0,
        }
    }

    /// Runs one call over the edges control takes, and hands the number of each path to `count` at
    /// the moment a counter would be incremented. Counting can come before the path ends, so a
    /// call that stops short of the exit may have counted a path it did not finish. O(edges).
    ///
    /// # Errors
    ///
    /// If an edge does not go on where the one before it ended.
    pub fn call(
        &mut self,
        edges: &[EdgeId],
        mut count: impl FnMut(&Number),
    ) -> Result<(), PathError> {
        let mut control = Control::enter(self.probes.dag());
        self.begin(&mut count);
        for &edge in edges {
            self.cross(control.take(edge)?, &mut count);
        }
        if control.is_out() {
            self.run(self.probes.at_exit(), &mut count);
        }
        Ok(())
    }

    /// How many probes have run.
    pub fn executed(&self) -> u64 {
        self.executed
    }

    fn cross(&mut self, crossing: Crossing, count: &mut impl FnMut(&Number)) {
        match crossing {
            Crossing::Inside(edge) => self.run(self.probes.on(edge), count),
            Crossing::Break { stop, start } => {
                self.run(self.probes.on(stop), count);
                match start {
                    Some(start) => {
                        self.register = None;
                        self.run(self.probes.on(start), count);
                    }
                    None => self.begin(count),
                }
            }
        }
    }

    /// A path begins at the entry.
    fn begin(&mut self, count: &mut impl FnMut(&Number)) {
        self.register = None;
        self.run(self.probes.at_entry(), count);
    }

    fn run(&mut self, probe: Option<&Probe>, count: &mut impl FnMut(&Number)) {
        const SET: &str = "a probe sets the register before any reads it";
        let Some(probe) = probe else { return };
        self.executed += 1;
        match probe {
            Probe::Set(value) => self.register = Some(value.clone()),
            Probe::Add(value) => *self.register.as_mut().expect(SET) += value,
            Probe::Count(value) => count(&(self.register.as_ref().expect(SET) + value)),
            Probe::CountAt(value) => count(value),
        }
    }
}
