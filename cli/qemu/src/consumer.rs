//! The thread that keeps the profile and writes the trace.

use std::io::{BufWriter, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{
    Receiver, Sender, SyncSender, TryRecvError, TrySendError, channel, sync_channel,
};
use std::thread;
use std::time::{Duration, Instant};

use hpp_explore::Run;
use hpp_trace::{Ending, TraceWriter};

use crate::batch::Batch;
use crate::blocks::{Translated, Translating};
use crate::isolation::{self, Guarded};
use crate::recorder::Recorder;
use crate::session::{Ended, Folder, Outcome, Progress, Settings};

/// Blocks that are handed over at once.
pub const BLOCKS: usize = 1 << 12;

/// Blocks that began, one after another, by number.
pub type Blocks = [u32; BLOCKS];

/// Room for blocks.
#[must_use]
pub fn no_blocks() -> Box<Blocks> {
    let room = vec![0; BLOCKS].into_boxed_slice();
    room.try_into().expect("it has as many places")
}

/// How often blocks may be handed over before the first are taken: half a million blocks, so that neither thread waits where a program is now
/// hard for the one, now for the other.
const WAITING: usize = 128;

/// How long to wait for the other thread before looking again, at first and at most. To be woken would cost QEMU's thread more than it
/// costs this one to look.
const NAP: Duration = Duration::from_micros(50);
const LONGEST_NAP: Duration = Duration::from_micros(100);

/// How often to say how far it is.
const PERIOD: Duration = Duration::from_millis(200);

/// What the thread is told.
enum Message {
    /// Blocks, how many they are, and the instructions so far.
    Blocks(Box<Blocks>, usize, u64),
    /// It ends, or may end: say what came of it, then go on.
    End(Summary, Sender<()>),
    /// It did not end.
    GoOn,
    /// Where a handler of signals begins.
    Handler(u64),
}

/// What the plugin knows at the end.
#[derive(Clone, Debug)]
pub struct Summary {
    /// How it ended.
    pub ended: Ended,
    /// Instructions of the hart; if another ended it, they are not known, and those that were handed over count.
    pub instructions: Option<u64>,
    /// Instructions of harts that are not profiled.
    pub other_instructions: u64,
    /// Child processes.
    pub forks: u64,
    /// Since the first block.
    pub time: Duration,
}

impl Summary {
    /// What a trace does not hold, a line each.
    fn left_out(&self, unseen_signals: u64) -> Vec<String> {
        let mut lines = Vec::new();
        if unseen_signals > 0 {
            lines.push(format!(
                "the beginning of {unseen_signals} signal handlers, taken for where a return or a jump led"
            ));
        }
        if self.other_instructions > 0 {
            lines.push(format!(
                "{} instructions of other harts",
                self.other_instructions
            ));
        }
        if self.forks > 0 {
            lines.push(format!("child processes: {}", self.forks));
        }
        lines
    }

    fn ending(&self, unseen_signals: u64) -> Ending {
        let reason = match self.ended {
            Ended::Exited => "the program ended",
            Ended::Limit => "the limit of instructions was reached",
            Ended::Replaced => "the program was replaced by another one",
        };
        Ending {
            reason: reason.into(),
            left_out: self.left_out(unseen_signals),
        }
    }
}

/// The plugin's end of the line to the thread.
#[derive(Debug)]
pub struct Consumer {
    to: SyncSender<Message>,
    empty: Receiver<Box<Blocks>>,
}

impl Consumer {
    /// Starts the thread.
    ///
    /// # Errors
    ///
    /// What is impossible about the settings, or why the trace cannot be written.
    pub fn start(
        folder: Folder,
        settings: &Settings,
        translating: Translating,
    ) -> Result<Self, String> {
        let settings = settings.clone();
        let (to, messages) = sync_channel(WAITING);
        let (back, empty) = channel();
        let (starts, started) = channel();
        let serve = move || {
            let problem = isolation::isolate();
            let model = problem.and_then(|()| Model::new(folder.clone(), &settings, translating));
            let mut model = match model {
                Ok(model) => model,
                Err(problem) => return drop(starts.send(Err(problem))),
            };
            let _ = starts.send(Ok(()));
            let served = AssertUnwindSafe(|| model.serve(&messages, &back));
            if catch_unwind(served).is_err() {
                let problem = "the model panicked; please report it as a defect of hpp";
                let _ = folder.set_outcome(&Err(problem.into()));
            }
        };
        let thread = thread::Builder::new().name("hpp-model".into());
        isolation::without_signals(|| thread.spawn(serve))
            .map_err(|error| format!("no thread for the model: {error}"))?;
        let gone = |_| Err("the model's thread is gone".to_owned());
        started.recv().unwrap_or_else(gone)?;
        Ok(Self { to, empty })
    }

    /// Another end of the line to the thread.
    #[must_use]
    pub fn line(&self) -> Line {
        Line(self.to.clone())
    }

    /// Room for blocks: such as the thread is done with, if there are any.
    #[must_use]
    pub fn empty(&self) -> Box<Blocks> {
        self.empty.try_recv().unwrap_or_else(|_| no_blocks())
    }

    /// Hands over so many blocks, and the instructions so far. Waits while the thread is busy.
    pub fn send(&self, blocks: Box<Blocks>, count: usize, instructions: u64) {
        let mut message = Message::Blocks(blocks, count, instructions);
        loop {
            match self.to.try_send(message) {
                Ok(()) => return,
                Err(TrySendError::Full(again)) => message = again,
                // It has said why. What would come now would be lost.
                // SAFETY: ends the process at once.
                Err(TrySendError::Disconnected(_)) => unsafe { libc::_exit(1) },
            }
            thread::sleep(NAP);
        }
    }
}

/// An end of the line to the thread, for any thread.
#[derive(Clone, Debug)]
pub struct Line(SyncSender<Message>);

impl Line {
    /// Waits until what was sent is processed and the outcome is there. More may be sent.
    pub fn end(&self, summary: Summary) {
        let (done, wait) = channel();
        if self.0.send(Message::End(summary, done)).is_ok() {
            let _ = wait.recv();
        }
    }

    /// Signals are to be handled by what begins here.
    pub fn handler(&self, address: u64) {
        let _ = self.0.send(Message::Handler(address));
    }

    /// What was said to be the end was none.
    pub fn go_on(&self) {
        let _ = self.0.send(Message::GoOn);
    }
}

/// What the thread owns.
struct Model {
    folder: Folder,
    recorder: Recorder,
    batch: Batch,
    run: Run,
    /// Whether the recorder finds the paths; if not, the profiler does.
    finds_paths: bool,
    /// Paths that the run knows.
    defined: usize,
    trace: Option<TraceWriter<BufWriter<Guarded>>>,
    instructions: u64,
    unseen_signals: u64,
    problem: Option<String>,
    said: Instant,
}

impl Model {
    fn new(folder: Folder, settings: &Settings, translating: Translating) -> Result<Self, String> {
        let run =
            Run::new(&settings.geometry, &settings.reset).map_err(|error| error.to_string())?;
        let detector = run.detector();
        let trace = |path| -> Result<_, hpp_trace::TraceError> {
            TraceWriter::new(BufWriter::new(Guarded::create(path)?), &settings.header)
        };
        let trace = match &settings.write {
            Some(path) => Some(
                trace(path).map_err(|error| format!("cannot write {}: {error}", path.display()))?,
            ),
            None => None,
        };
        Ok(Self {
            folder,
            finds_paths: detector.is_some(),
            recorder: Recorder::new(Translated::new(translating), detector, trace.is_some()),
            batch: Batch::default(),
            run,
            defined: 0,
            trace,
            instructions: 0,
            unseen_signals: 0,
            problem: None,
            said: Instant::now(),
        })
    }

    fn serve(&mut self, messages: &Receiver<Message>, back: &Sender<Box<Blocks>>) {
        let mut nap = NAP;
        loop {
            let message = messages.try_recv();
            nap = match message {
                Err(TryRecvError::Empty) => LONGEST_NAP.min(2 * nap),
                _ => NAP,
            };
            match message {
                Ok(Message::Blocks(blocks, count, instructions)) => {
                    self.blocks(&blocks[..count]);
                    let _ = back.send(blocks);
                    self.instructions = instructions;
                    self.say();
                }
                Ok(Message::End(summary, done)) => {
                    let outcome = self.outcome(&summary);
                    // Without a folder to say it in, the command sees that nothing came.
                    let _ = self.folder.set_outcome(&outcome);
                    let _ = done.send(());
                }
                Ok(Message::Handler(address)) => self.recorder.handler(address),
                Ok(Message::GoOn) => {
                    // Were it still there, it would be what came of a program that is killed later.
                    let _ = self.folder.remove_outcome();
                }
                Err(TryRecvError::Empty) => thread::sleep(nap),
                Err(TryRecvError::Disconnected) => return,
            }
        }
    }

    fn blocks(&mut self, blocks: &[u32]) {
        self.batch.clear();
        self.recorder.run(blocks, &mut self.batch);
        let (records, batch) = (self.recorder.records(), &self.batch);
        self.unseen_signals += batch.unseen_signals;
        if self.finds_paths {
            let paths = self.recorder.paths();
            self.run.define(paths.iter().skip(self.defined));
            self.defined = paths.len();
            self.run.complete(batch.records, batch.tally, &batch.paths);
        } else {
            self.run.profile(records, &batch.numbers);
        }
        if let Some(trace) = &mut self.trace
            && let Err(error) = trace.numbers(records, &batch.numbers)
        {
            self.problem = Some(format!("cannot write the trace: {error}"));
            self.trace = None;
        }
    }

    fn say(&mut self) {
        if self.said.elapsed() >= PERIOD {
            self.said = Instant::now();
            // It is only for the eye.
            let _ = self.folder.set_progress(Progress {
                instructions: self.instructions,
                records: self.run.records(),
            });
        }
    }

    fn outcome(&mut self, summary: &Summary) -> Result<Outcome, String> {
        if let Some(trace) = &mut self.trace {
            let ended = trace.checkpoint(&summary.ending(self.unseen_signals));
            if let Err(error) = ended.and_then(|()| Ok(trace.get_mut().flush()?)) {
                self.problem = Some(format!("cannot write the trace: {error}"));
            }
        }
        if let Some(problem) = &self.problem {
            return Err(problem.clone());
        }
        Ok(Outcome {
            ended: summary.ended.clone(),
            is_cut: summary.instructions.is_none(),
            instructions: summary.instructions.unwrap_or(self.instructions),
            other_instructions: summary.other_instructions,
            forks: summary.forks,
            unseen_signals: self.unseen_signals,
            seconds: summary.time.as_secs_f64(),
            held: self.run.held(),
        })
    }
}
