//! The table in the reference: lookups of paths, and the cycles in which their changes can be read.

use super::shown::Change;
use super::{Reference, View};
use hpp_golden::path::CompletedPath;
use hpp_golden::profiler::register_file::shadow_word;
use hpp_golden::profiler::{Lookup, LookupCycles, set_index};
use hpp_golden::registers::{Counter, errors};

impl Reference {
    pub(super) fn look_up(&mut self, path: &CompletedPath) {
        let (from, to) = self.clearing;
        let shown_before = self.shown_set;
        if self.geometry.repeats_paths() {
            self.shown_set = set_index(&self.geometry, &path.descriptor);
        }
        if (from..to).contains(&self.model_now) || self.registers().frozen() {
            return;
        }
        self.counted[0] += u64::from(path.count);
        match self.timing.sequential {
            Some(lag) => self.look_up_in_turn(lag, path, shown_before),
            None if self.drain.is_some() => {
                let lookup = self.record(self.model_now + self.timing.departs, path);
                self.change_where_found(self.model_now + self.timing.stored, path);
                self.report(lookup);
            }
            None => {
                let stored = self.model_now + self.timing.stored;
                let lookup = self.table.record(path);
                self.change_where_found(stored, path);
                self.report(lookup);
            }
        }
    }

    /// Sequential lookup. Under LFU the last entry of the previous lookup is compared first.
    fn look_up_in_turn(&mut self, lag: u64, path: &CompletedPath, shown_before: usize) {
        let now = self.model_now;
        let ways = u64::from(self.geometry.ways);
        let found = self.table.find(&path.descriptor);
        let way = found.map(|number| number as u64 % ways);
        let lfu = self.geometry.repeats_paths();
        let again = lfu && self.repeats(found, shown_before);
        if lfu {
            self.ended_with = Some(way.map_or_else(|| self.least_way(), |way| way as usize));
        }
        let scale = (self.table.shadow()).map_or(0, |shadow| shadow.scale());
        let done = self.table.admit(path);
        let missed = || LookupCycles::missed(&self.geometry, (&done.0, &done.1), scale);
        let cycles = match way {
            _ if again => LookupCycles::REPEATED,
            Some(way) => LookupCycles::found(way as u32),
            None => missed(),
        };
        // Under LFU a lookup that scans all ways announces its last cycle one cycle earlier.
        let early = lfu && cycles == missed();
        let [outcome, last] = [cycles.outcome, cycles.all].map(|cycles| u64::from(cycles) - 1);
        let lookups = self.lookups.as_mut().expect("lookups take time");
        lookups.enter(now + last, now + last + u64::from(!early));
        if let (Some(drain), Some(entry)) = (&mut self.drain, done.0.evicted()) {
            drain.enter(now + outcome + 1, entry);
        }
        self.change_where_found(now + last + 1, path);
        if let Some(shadow) = self.table.shadow() {
            self.scales.push_back((now + last + 1, shadow_word(shadow)));
        }
        self.due.push_back((now + outcome - lag, done.0));
    }

    /// Whether the path is stored in the last entry of the previous lookup, and comes late enough after it.
    fn repeats(&self, found: Option<usize>, shown_before: usize) -> bool {
        let ways = self.geometry.ways as usize;
        let reread = self.ended_with.map(|way| shown_before * ways + way);
        let lookups = self.lookups.as_ref().expect("lookups take time");
        found.is_some()
            && found == reread
            && lookups.rested(self.model_now, LookupCycles::REPEATED.all.into())
    }

    /// The way with the least accumulator in the set of the path, of equals the lowest.
    fn least_way(&self) -> usize {
        let ways = self.geometry.ways as usize;
        let count = |way: &usize| {
            let entry = self.table.entry(self.shown_set * ways + way);
            entry.map_or(0, |entry| entry.count)
        };
        (0..ways).min_by_key(count).unwrap_or(0)
    }

    /// Records a path. An entry that it evicts arrives in the drain in the cycle `comes`.
    fn record(&mut self, comes: u64, path: &CompletedPath) -> Lookup {
        let lookup = self.table.record(path);
        if let (Some(drain), Some(entry)) = (&mut self.drain, lookup.evicted()) {
            drain.enter(comes, entry);
        }
        lookup
    }

    /// The entry that holds the path, if any, can be read from this cycle on.
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

    /// Reports the results of the lookups that end in this cycle.
    pub(super) fn report_due(&mut self) {
        let cycle = self.model_now;
        while let Some((_, lookup)) = self.due.pop_front_if(|(due, _)| *due <= cycle) {
            self.report(lookup);
        }
        while (self.scales.get(1)).is_some_and(|(from, _)| *from < cycle) {
            self.scales.pop_front();
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
