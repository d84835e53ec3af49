//! The table's side of the reference: paths looked up, and when what they change can be read.

use super::shown::Change;
use super::{Reference, SkewedTiming, View};
use hpp_golden::path::CompletedPath;
use hpp_golden::profiler::register_file::shadow_word;
use hpp_golden::profiler::{Admission, Lookup};
use hpp_golden::registers::{Counter, errors};

impl Reference {
    /// The table's side: one completed path.
    pub(super) fn look_up(&mut self, path: &CompletedPath) {
        let (from, to) = self.clearing;
        if (from..to).contains(&self.model_now) || self.registers().frozen() {
            return;
        }
        self.counted[0] += u64::from(path.count);
        match (self.timing.skewed, self.timing.sequential) {
            (Some(timing), _) if self.table.shadow().is_some() => {
                self.look_up_in_shadow(timing, path);
            }
            (Some(timing), _) => self.look_up_by_values(timing, path),
            (None, Some(_)) => self.look_up_in_turn(path),
            (None, None) if self.drain.is_some() => {
                let lookup = self.record(self.model_now + self.timing.departs, path);
                self.change_where_found(self.model_now + self.timing.stored, path);
                self.report(lookup);
            }
            (None, None) => {
                let stored = self.model_now + self.timing.stored;
                let (lookup, admission) = self.table.admit(path);
                match admission {
                    Admission::Promoted { at, moved } => {
                        moved.into_iter().for_each(|to| self.change(stored, to));
                        self.change(stored, at);
                    }
                    _ => self.change_where_found(stored, path),
                }
                self.report(lookup);
            }
        }
    }

    /// One way after another.
    fn look_up_in_turn(&mut self, path: &CompletedPath) {
        let timing = self.timing.sequential.expect("it was seen");
        let ways = u64::from(self.geometry.ways);
        let length = match self.table.find(&path.descriptor) {
            Some(number) => number as u64 % ways + timing.found,
            None => ways + timing.missed,
        };
        let lookups = self.lookups.as_mut().expect("lookups take time");
        let last = self.model_now + length - 1;
        lookups.enter(last, last + 1);
        let lookup = self.record(last + 1, path);
        self.change_where_found(last + 1, path);
        self.due.push_back((last - timing.behind, lookup));
    }

    /// Records a path; what it evicts comes into the drain in that cycle.
    fn record(&mut self, comes: u64, path: &CompletedPath) -> Lookup {
        let lookup = self.table.record(path);
        if let (Some(drain), Some(entry)) = (&mut self.drain, lookup.evicted()) {
            drain.enter(comes, entry);
        }
        lookup
    }

    /// In a table with shadows.
    fn look_up_in_shadow(&mut self, timing: SkewedTiming, path: &CompletedPath) {
        let lookups = self.lookups.as_mut().expect("lookups take time");
        let decided = lookups.first(self.model_now + timing.enter);
        let shadow = self.table.shadow().expect("the geometry asks for it");
        let scale = u64::from(shadow.scale());
        let (lookup, admission) = self.table.admit(path);
        let judgement = timing.judge(decided, admission, self.geometry.ways.into(), scale);
        let again = match admission {
            Admission::None => 1,
            _ => timing.again,
        };
        lookups.enter(judgement.last, judgement.last + again);
        let stored = self.timing.stored - timing.behind;
        match admission {
            Admission::Promoted { at, moved } => {
                if let Some(to) = moved {
                    self.change(judgement.moved + stored, to);
                }
                self.change(judgement.placed + stored, at);
            }
            _ => self.change_where_found(decided + stored, path),
        }
        let shadow = self.table.shadow().expect("the geometry asks for it");
        let word = shadow_word(shadow);
        let stepped = hpp_golden::registers::shadow::SCALE.put(scale as u32)
            | hpp_golden::registers::shadow::CHANCE.put(shadow.chance());
        self.chances.push_back((decided + 1, stepped));
        self.chances.push_back((judgement.last + 1, word));
        self.due.push_back((judgement.last - timing.behind, lookup));
    }

    /// In a skewed table from which the entry with the least value leaves.
    fn look_up_by_values(&mut self, timing: SkewedTiming, path: &CompletedPath) {
        let lookups = self.lookups.as_mut().expect("lookups take time");
        let decided = lookups.first(self.model_now + timing.enter);
        let lookup = self.table.record(path);
        let (last, next) = match lookup {
            Lookup::Replaced { .. } => (timing.takes_place(decided), timing.again),
            Lookup::Inserted => (decided, timing.again),
            Lookup::Hit { .. } | Lookup::Restarted { .. } | Lookup::Nothing | Lookup::Frozen => {
                (decided, 1)
            }
        };
        lookups.enter(last, last + next);
        let taken = last - timing.behind;
        if let (Some(drain), Some(entry)) = (&mut self.drain, lookup.evicted()) {
            drain.enter(taken + self.timing.departs, entry);
        }
        self.change_where_found(taken + self.timing.stored, path);
        self.due.push_back((taken, lookup));
    }

    /// The entry that holds the path, if any, can be read from that cycle on.
    fn change_where_found(&mut self, cycle: u64, path: &CompletedPath) {
        if let Some(number) = self.table.find(&path.descriptor) {
            self.change(cycle, number);
        }
    }

    fn change(&mut self, cycle: u64, number: usize) {
        self.shown.enter(Change {
            cycle,
            number,
            entry: self.table.entry(number),
        });
    }

    /// What the lookups say that are over in this cycle.
    pub(super) fn report_due(&mut self) {
        let cycle = self.model_now;
        while let Some((_, lookup)) = self.due.pop_front_if(|(due, _)| *due <= cycle) {
            self.report(lookup);
        }
        while (self.chances.get(1)).is_some_and(|(from, _)| *from < cycle) {
            self.chances.pop_front();
        }
    }

    fn report(&mut self, lookup: Lookup) {
        match lookup {
            Lookup::Hit { saturated } => {
                self.tally.add(Counter::Hits, 1);
                if saturated {
                    self.raise(errors::ACCUMULATOR_SATURATED);
                }
            }
            Lookup::Restarted { .. } => self.tally.add(Counter::Hits, 1),
            Lookup::Replaced { .. } => self.tally.add(Counter::Replacements, 1),
            Lookup::Inserted | Lookup::Nothing | Lookup::Frozen => {}
        }
    }

    pub(super) fn watch_changed(&mut self) {
        for View { watch, .. } in &mut self.views {
            let number = watch.number();
            watch.change(|| self.shown.words(number));
        }
    }
}
