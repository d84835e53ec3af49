//! A run in which one command after another profiles something, with what the core's own retirements give meanwhile.

use super::{System, contexts};
use crate::{Meanwhile, Replay, Run, Watcher};
use anyhow::{Context, Result, ensure};
use hpp_golden::config::Geometry;
use hpp_golden::dump::Dump;
use hpp_golden::path::PathDescriptor;
use hpp_golden::profiler::ExactProfile;
use hpp_golden::registers::{COMMAND, Counter, command};
use hpp_riscv::Retirement;
use std::collections::{BTreeSet, HashMap};

/// A command, from its prompt to the next.
pub struct Session {
    pub command: String,
    pub text: String,
    /// Every path that reached the table, and how often: what a table without bounds holds of this command.
    pub exact: HashMap<PathDescriptor, u64>,
    /// By how much the golden model's counters grew.
    pub counters: [u64; Counter::COUNT],
}

impl Session {
    /// The dump that was printed.
    ///
    /// # Errors
    ///
    /// If none was, or it is damaged.
    pub fn dump(&self) -> Result<Dump> {
        let Self { command, text, .. } = self;
        Dump::read(text).with_context(|| format!("what {command} printed:\n{text}"))
    }

    pub fn contexts(&self, geometry: &Geometry) -> BTreeSet<u8> {
        contexts(self.exact.keys(), geometry)
    }

    pub fn paths_in(
        &self,
        geometry: &Geometry,
        contexts: &BTreeSet<u8>,
    ) -> HashMap<PathDescriptor, u64> {
        let mut paths = self.exact.clone();
        paths.retain(|path, _| contexts.contains(&geometry.address_and_context(path.start).1));
        paths
    }
}

impl System {
    /// Runs what is in memory, whose first process prints each of these commands before it carries it out; `progress` as of [`run`](Self::run).
    ///
    /// # Errors
    ///
    /// If the run does not end, ends with a status that is not 0, or did not carry out every command.
    pub fn sessions(
        &self,
        image: &str,
        commands: &[String],
        progress: impl FnMut(u64, &[u8]),
    ) -> Result<(Run, Vec<Session>)> {
        let mut watcher = Watching {
            replay: self.replay()?,
            past: ExactProfile::new(),
            commands,
            marks: Vec::new(),
            progress,
        };
        let run = self.soc.run_image(image, "the system", &mut watcher)?;
        run.ended_well("the system")?;
        let uart = &run.uart;
        ensure!(
            watcher.marks.len() == commands.len(),
            "the system carried out {} of {} commands:\n{uart}",
            watcher.marks.len(),
            commands.len()
        );
        watcher.mark(uart.len());
        let sessions = commands.iter().zip(watcher.marks.windows(2));
        let sessions = sessions.map(|(command, marks)| session(command, uart, marks));
        let sessions = sessions.collect();
        Ok((run, sessions))
    }
}

fn session(command: &str, uart: &str, marks: &[Mark]) -> Session {
    let [begin, end] = marks else {
        unreachable!("windows of two")
    };
    let grown = end.exact.iter().map(|(path, count)| {
        let before = begin.exact.get(path).copied().unwrap_or(0);
        (*path, count - before)
    });
    let mut counters = end.counters;
    for (counter, before) in counters.iter_mut().zip(begin.counters) {
        *counter -= before;
    }
    Session {
        command: command.to_string(),
        text: uart[begin.place..end.place].to_string(),
        exact: grown.filter(|(_, count)| *count != 0).collect(),
        counters,
    }
}

/// The state at a prompt, when nothing is profiled.
struct Mark {
    /// In what was printed.
    place: usize,
    exact: HashMap<PathDescriptor, u64>,
    counters: [u64; Counter::COUNT],
}

struct Watching<'a, F> {
    replay: Replay,
    /// What the table held that was cleared since.
    past: ExactProfile,
    commands: &'a [String],
    marks: Vec<Mark>,
    progress: F,
}

impl<F> Watching<'_, F> {
    fn mark(&mut self, place: usize) {
        let mut exact: HashMap<_, _> = HashMap::new();
        for (path, count) in self.past.iter().chain(self.replay.exact().iter()) {
            *exact.entry(*path).or_default() += count;
        }
        let counters = self.replay.dump().counters;
        self.marks.push(Mark {
            place,
            exact,
            counters,
        });
    }

    fn look_for_prompt(&mut self, uart: &[u8]) {
        let Some(command) = self.commands.get(self.marks.len()) else {
            return;
        };
        let prompt = format!("# {command}");
        let from = self.marks.last().map_or(0, |mark| mark.place + 1);
        let lines = uart[from..].split_inclusive(|byte| *byte == b'\n');
        let mut place = from;
        for line in lines {
            if line.ends_with(b"\n") && line.trim_ascii() == prompt.as_bytes() {
                self.mark(place);
                return;
            }
            place += line.len();
        }
    }
}

impl<F: FnMut(u64, &[u8])> Watcher for Watching<'_, F> {
    fn retired(&mut self, retirement: &Retirement) {
        self.replay.retired(retirement);
    }

    fn retired_in(&mut self, meanwhile: &Meanwhile, retirement: &Retirement) {
        self.replay.retired_in(meanwhile, retirement);
    }

    fn register_written(&mut self, word: u32, value: u32) {
        if 4 * word == COMMAND.offset && command::CLEAR.get(value) == 1 {
            for (path, count) in self.replay.exact().iter() {
                self.past.add(*path, count);
            }
        }
        self.replay.register_written(word, value);
    }

    fn progress(&mut self, cycles: u64, uart: &[u8]) {
        self.look_for_prompt(uart);
        (self.progress)(cycles, uart);
    }
}
