//! What a tiny profiler may be like, and how it differs: its one memory has words of 32 bits, and its microprogram knows one way to profile.

use super::{Engine, Geometry, GeometryError};

/// Cells of the memory that are registers.
const REGISTERS: u32 = 32;

impl Geometry {
    /// Whether the profiler is one memory and a microprogram.
    #[inline]
    pub const fn is_tiny(&self) -> bool {
        matches!(self.engine, Engine::Tiny)
    }

    /// Whether an entry is stored, compared and indexed by [`marked`](Self::marked) outcomes. Else it has a word for its length.
    #[inline]
    pub const fn marks_outcomes(&self) -> bool {
        self.is_tiny()
    }

    /// Whether software reads an entry that was latched as a whole, at an index of its own. Else each word is read as it is at that
    /// moment, the index reads 0, and emptying the table uses it.
    pub const fn latches_entries(&self) -> bool {
        !self.is_tiny()
    }

    /// Whether a write takes each byte lane by itself. Else the lowest lane stands for all.
    pub const fn writes_lanes(&self) -> bool {
        !self.is_tiny()
    }

    /// Whether software sets the rows, the modes and the lossy mode. Else each is as after reset.
    pub const fn has_modes(&self) -> bool {
        !self.is_tiny()
    }

    /// Whether paths count events.
    pub const fn counts_events(&self) -> bool {
        !self.is_tiny()
    }

    /// Whether records wait in a queue. Else one that arrives while another is processed is lost.
    pub const fn has_queue(&self) -> bool {
        !self.is_tiny()
    }

    /// Whether the core may have compressed instructions.
    pub const fn takes_compressed(&self) -> bool {
        !self.is_tiny()
    }

    /// The defaults of an engine.
    pub fn of_engine(engine: Engine) -> Self {
        match engine {
            Engine::Full => Self::default(),
            Engine::Tiny => Self::tiny(),
        }
    }

    /// The defaults of a tiny profiler.
    pub fn tiny() -> Self {
        Self {
            sets: 64,
            max_branches: 31,
            align: 2,
            counter_bits: 32,
            engine: Engine::Tiny,
            ..Self::default()
        }
    }

    /// Cycles in which a microprogram, if there is one, empties the table and has nothing else to do: two for each step of three
    /// words, one for each of the others.
    pub(super) const fn program_clear(&self) -> Option<u32> {
        match self.engine {
            Engine::Full => None,
            Engine::Tiny => Some(4 * self.entries() + 16),
        }
    }

    /// Most cycles of an access to a tiny profiler, whatever retires; `None` for another engine. First may come a record, which visits all ways twice
    /// or empties the stack, and an access that zeroes eight counters. Six steps stand around these.
    pub(crate) const fn program_access(&self) -> Option<u32> {
        let (lookup, purge) = (6 * self.ways + 23, 4 * self.stack_depth + 5);
        match self.engine {
            Engine::Full => None,
            Engine::Tiny => Some(8 + 6 + if lookup > purge { lookup } else { purge }),
        }
    }

    /// Outcomes and length in one word: the outcomes, the last one highest, below them a 1, and zeros.
    #[inline]
    pub const fn marked(&self, length: u32, outcomes: u64) -> u64 {
        (outcomes << 1 | 1) << (self.max_branches.saturating_sub(length))
    }

    /// Length and outcomes after a mark; `None` if there is no mark.
    pub const fn unmarked(&self, marked: u64) -> Option<(u32, u64)> {
        match marked {
            0 => None,
            _ => Some((
                self.max_branches.saturating_sub(marked.trailing_zeros()),
                marked >> marked.trailing_zeros() >> 1,
            )),
        }
    }

    /// What keeps a tiny profiler from being built: every parameter but a few sizes has one value.
    pub(super) fn tiny_violations(&self) -> Vec<GeometryError> {
        if !self.is_tiny() {
            return Vec::new();
        }
        let entries = self.sets.saturating_mul(self.ways);
        let sized = |name| {
            let (fits, allowed) = match name {
                "ways" => ([2, 4, 8].contains(&self.ways), "2, 4 or 8"),
                "sets" => (
                    (2 * REGISTERS..=256).contains(&entries) && self.sets >= 8,
                    "8 to 128, so that sets times ways is 64 to 256",
                ),
                "max-branches" => ((16..=31).contains(&self.max_branches), "16 to 31"),
                "stack-depth" => {
                    let most = entries / 4;
                    let allowed = format!("at most {most}, a quarter of sets times ways");
                    return Some((self.stack_depth <= most, allowed));
                }
                _ => return None,
            };
            Some((fits, allowed.to_string()))
        };
        let values = self.values().into_iter().zip(Self::tiny().values());
        let refused = values.filter_map(|((name, value), (_, default))| {
            let (fits, allowed) = sized(name).unwrap_or((value == default, default));
            (!fits).then_some(GeometryError::Tiny {
                name,
                value,
                allowed,
            })
        });
        refused.collect()
    }

    /// The parameters beside the engine, as a configuration says them: first the numbers.
    fn values(&self) -> Vec<(&'static str, String)> {
        let numbers = Self::PARAMETERS.iter().zip(self.numbers());
        let numbers =
            numbers.filter_map(|(parameter, value)| Some((parameter.name, value?.to_string())));
        let index_scheme = format!("{:?}", self.index_scheme).to_lowercase();
        let lookup = format!("{:?}", self.lookup).to_lowercase();
        let choices = [
            ("index-scheme", index_scheme),
            ("lookup", lookup),
            ("replacement", self.replacement.to_string()),
            ("stack-check", self.stack_check.to_string()),
            ("triggers", self.triggers.to_string()),
        ];
        numbers.chain(choices).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::branch::{BranchKind, BranchRecord};
    use crate::config::{IndexScheme, LookupScheme, Replacement};
    use crate::dump::Dump;
    use crate::profiler::{Profiler, ResetValues};

    #[test]
    fn its_defaults_are_legal_and_whatever_it_lacks_is_refused_with_what_is_allowed() {
        assert_eq!(Geometry::tiny().validate(), Ok(()));
        let asked = Geometry {
            ways: 3,
            stack_depth: 128,
            align: 1,
            drain_depth: 64,
            index_scheme: IndexScheme::Start,
            lookup: LookupScheme::Parallel,
            replacement: Replacement::Rrip,
            triggers: true,
            stack_check: true,
            ..Geometry::tiny()
        };
        let said: Vec<String> = asked
            .tiny_violations()
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            said,
            [
                "ways = 3 is not for engine = tiny; allowed: 2, 4 or 8",
                "stack-depth = 128 is not for engine = tiny; allowed: at most 48, a quarter of sets times ways",
                "align = 1 is not for engine = tiny; allowed: 2",
                "drain-depth = 64 is not for engine = tiny; allowed: 0",
                "index-scheme = start is not for engine = tiny; allowed: full",
                "lookup = parallel is not for engine = tiny; allowed: sequential",
                "replacement = rrip is not for engine = tiny; allowed: lfu",
                "stack-check = true is not for engine = tiny; allowed: false",
                "triggers = true is not for engine = tiny; allowed: false",
            ]
        );
    }

    #[test]
    fn what_it_prints_is_read_back() {
        let reset = ResetValues::enabled();
        let mut profiler = Profiler::new(&Geometry::tiny(), &reset).expect("a legal geometry");
        for step in 0..400_u64 {
            profiler.profile(&BranchRecord {
                kind: BranchKind::from_code(((step * 7) >> 3) as u8 & 7),
                taken: step % 3 > 0,
                target: step * step % 64 * 4,
                next: 0,
                events: 0,
            });
        }
        let dump = Dump::of(&profiler);
        assert!(dump.entries.len() > 10, "{}", dump.entries.len());
        assert_eq!(Dump::read(&dump.to_string()), Ok(dump));
    }

    #[test]
    fn it_counts_no_events_so_none_are_too_many() {
        let mut profiler =
            Profiler::new(&Geometry::tiny(), &ResetValues::enabled()).expect("a legal geometry");
        profiler.profile(&BranchRecord {
            kind: BranchKind::Forward,
            taken: true,
            target: 8,
            next: 4,
            events: u32::MAX,
        });
        let dump = Dump::of(&profiler);
        assert_eq!((dump.counters[0], dump.errors), (1, 0));
    }

    #[test]
    fn what_is_marked_is_read_back() {
        let geometry = Geometry::tiny();
        for (length, outcomes) in [(0, 0), (1, 0), (1, 1), (5, 0b10110), (31, 0x7fff_ffff)] {
            let marked = geometry.marked(length, outcomes);
            assert_eq!(marked >> 32, 0);
            assert_eq!(geometry.unmarked(marked), Some((length, outcomes)));
        }
        assert_eq!(geometry.unmarked(0), None);
    }
}
