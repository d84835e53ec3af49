//! Running an instrumented program: an interpreter of probes over the edges control takes.
use num_bigint::{BigInt, BigUint};
use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;

use crate::graph::{Acyclic, BlockId, Cfg, Crossing, EdgeId, PathError};
use crate::placement::{Probe, Probes};

/// One procedure under instrumentation.
#[derive(Clone, Debug)]
pub struct Instrumented<'a> {
    cfg: &'a Cfg,
    dag: &'a Acyclic,
    probes: &'a Probes,
    register: Option<BigInt>,
    control: BlockId,
    executed: u64,
}

impl<'a> Instrumented<'a> {
    /// The procedure before its first call.
    pub fn new(cfg: &'a Cfg, dag: &'a Acyclic, probes: &'a Probes) -> Self {
        Instrumented {
            cfg,
            dag,
            probes,
            register: None,
            control: dag.entry(),
            executed: 0,
        }
    }

    /// Runs one call over the edges control takes, and hands the number of each path to `count` at
    /// the moment a counter would be incremented. Counting can come before the path ends, so a
    /// call that stops short of the exit may have counted a path it did not finish. O(edges).
    pub fn call(
        &mut self,
        edges: &[EdgeId],
        mut count: impl FnMut(&BigInt),
    ) -> Result<(), PathError> {
        self.begin(&mut count);
        self.control = self.dag.entry();
        for (position, &edge) in edges.iter().enumerate() {
            let (from, to) = self.cfg.ends(edge);
            let crossing = self.dag.crossing(edge).filter(|_| from == self.control);
            let Some(crossing) = crossing else {
                return Err(PathError::Gap {
                    position,
                    from: self.cfg.name(from).into(),
                    control: self.cfg.name(self.control).into(),
                });
            };
            self.cross(crossing, &mut count);
            self.control = to;
        }
        Ok(())
    }

    /// How many probes have run.
    pub fn executed(&self) -> u64 {
        self.executed
    }

    fn cross(&mut self, crossing: Crossing, count: &mut impl FnMut(&BigInt)) {
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
    fn begin(&mut self, count: &mut impl FnMut(&BigInt)) {
        self.register = None;
        self.run(self.probes.at_entry(), count);
    }

    fn run(&mut self, probe: Option<&Probe>, count: &mut impl FnMut(&BigInt)) {
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

/// How counters are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// An array of so many counters, indexed by path number.
    Array(usize),
    /// A hash table with the path number as key.
    Hash,
}

impl Storage {
    /// The largest array of Vaswani's experiments (thesis, section 3.6).
    pub const THRESHOLD: usize = 2_500;

    /// An array for at most `threshold` numbers, from 0, and a hash table beyond: the policy of Ball
    /// and Larus's profiler and of Vaswani's thesis, section 3.2.3. An array costs memory for paths
    /// that never run, a hash table time for each that does.
    pub fn choose(numbers: &BigUint, threshold: usize) -> Self {
        match numbers.to_usize() {
            Some(count) if count <= threshold => Storage::Array(count),
            _ => Storage::Hash,
        }
    }
}

/// Counters for path numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counters {
    kept: Kept,
    out_of_range: u64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kept {
    Array(Vec<u64>),
    Hash(FxHashMap<BigInt, u64>),
}

impl Counters {
    /// Counters at 0.
    pub fn new(storage: Storage) -> Self {
        let kept = match storage {
            Storage::Array(count) => Kept::Array(vec![0; count]),
            Storage::Hash => Kept::Hash(FxHashMap::default()),
        };
        Counters {
            kept,
            out_of_range: 0,
        }
    }

    /// Counts a number. One that lies outside of an array is counted as such. O(1).
    pub fn count(&mut self, number: &BigInt) {
        match &mut self.kept {
            Kept::Hash(counters) => *counters.entry(number.clone()).or_default() += 1,
            Kept::Array(counters) => match number.to_usize().and_then(|at| counters.get_mut(at)) {
                Some(counter) => *counter += 1,
                None => self.out_of_range += 1,
            },
        }
    }

    /// How often a number was counted.
    pub fn get(&self, number: &BigInt) -> u64 {
        let kept = match &self.kept {
            Kept::Array(counters) => number.to_usize().and_then(|at| counters.get(at)),
            Kept::Hash(counters) => counters.get(number),
        };
        kept.copied().unwrap_or(0)
    }

    /// How many counts fell outside of an array.
    pub fn out_of_range(&self) -> u64 {
        self.out_of_range
    }

    /// The numbers counted at least once, with their counts, in order.
    pub fn counted(&self) -> Vec<(BigInt, u64)> {
        let mut counted: Vec<(BigInt, u64)> = match &self.kept {
            Kept::Array(counters) => (0u64..)
                .map(BigInt::from)
                .zip(counters.iter().copied())
                .collect(),
            Kept::Hash(counters) => counters.iter().map(|(n, &c)| (n.clone(), c)).collect(),
        };
        counted.retain(|(_, count)| *count > 0);
        counted.sort();
        counted
    }
}
