//! The thread that keeps the profile and writes the trace.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::sync::mpsc::{
    Receiver, Sender, SyncSender, TryRecvError, TrySendError, channel, sync_channel,
};
use std::thread;
use std::time::{Duration, Instant};

use hpp_explore::Run;
use hpp_trace::{Ending, TraceWriter};

use crate::batch::Batch;
use crate::blocks::{Translated, Translating};
use crate::recorder::Recorder;
use crate::session::{Ended, Folder, Outcome, Progress, Settings};

/// Blocks that are handed over at once.
pub const BLOCKS: usize = 1 << 12;

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
    /// Blocks that began, one after another, by number, and the instructions so far.
    Blocks(Vec<u32>, u64),
    /// It ends, or may end: say what came of it, then go on.
    End(Summary, Sender<()>),
}

/// What the plugin knows at the end.
#[derive(Clone, Debug)]
pub struct Summary {
    /// How it ended.
    pub ended: Ended,
    /// Instructions of the first thread.
    pub instructions: u64,
    /// Instructions of other threads.
    pub other_instructions: u64,
    /// Child processes.
    pub forks: u64,
    /// Since the first block.
    pub time: Duration,
}

impl Summary {
    /// What a trace does not hold, a line each.
    fn left_out(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if self.other_instructions > 0 {
            lines.push(format!(
                "{} instructions of other threads",
                self.other_instructions
            ));
        }
        if self.forks > 0 {
            lines.push(format!("child processes: {}", self.forks));
        }
        lines
    }

    fn ending(&self) -> Ending {
        let reason = match self.ended {
            Ended::Exited => "the program ended",
            Ended::Limit => "the limit of instructions was reached",
            Ended::Replaced => "the program was replaced by another one",
        };
        Ending {
            reason: reason.into(),
            left_out: self.left_out(),
        }
    }
}

/// The plugin's end of the line to the thread.
#[derive(Debug)]
pub struct Consumer {
    to: SyncSender<Message>,
    empty: Receiver<Vec<u32>>,
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
        let mut model = Model::new(folder, settings, translating)?;
        let (to, messages) = sync_channel(WAITING);
        let (back, empty) = channel();
        thread::Builder::new()
            .name("hpp-model".into())
            .spawn(move || model.serve(&messages, &back))
            .map_err(|error| format!("no thread for the model: {error}"))?;
        Ok(Self { to, empty })
    }

    /// Hands over blocks, and the instructions so far; room for more blocks in return. Waits while the thread is busy.
    #[must_use]
    pub fn send(&self, blocks: Vec<u32>, instructions: u64) -> Vec<u32> {
        let mut message = Message::Blocks(blocks, instructions);
        // The thread ends with the process only; were it gone, blocks would have nowhere to go.
        while let Err(TrySendError::Full(again)) = self.to.try_send(message) {
            message = again;
            thread::sleep(NAP);
        }
        self.empty
            .try_recv()
            .unwrap_or_else(|_| Vec::with_capacity(BLOCKS))
    }

    /// Waits until what was sent is processed and the outcome is there. More may be sent.
    pub fn end(&self, summary: Summary) {
        let (done, wait) = channel();
        if self.to.send(Message::End(summary, done)).is_ok() {
            let _ = wait.recv();
        }
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
    trace: Option<TraceWriter<BufWriter<File>>>,
    problem: Option<String>,
    said: Instant,
}

impl Model {
    fn new(folder: Folder, settings: &Settings, translating: Translating) -> Result<Self, String> {
        let run =
            Run::new(&settings.geometry, &settings.reset).map_err(|error| error.to_string())?;
        let detector = run.detector();
        let trace = |path| -> Result<_, hpp_trace::TraceError> {
            TraceWriter::new(BufWriter::new(File::create(path)?), &settings.header)
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
            problem: None,
            said: Instant::now(),
        })
    }

    fn serve(&mut self, messages: &Receiver<Message>, back: &Sender<Vec<u32>>) {
        let mut nap = NAP;
        loop {
            let message = messages.try_recv();
            nap = match message {
                Err(TryRecvError::Empty) => LONGEST_NAP.min(2 * nap),
                _ => NAP,
            };
            match message {
                Ok(Message::Blocks(mut blocks, instructions)) => {
                    self.blocks(&blocks);
                    blocks.clear();
                    let _ = back.send(blocks);
                    self.say(instructions);
                }
                Ok(Message::End(summary, done)) => {
                    let outcome = self.outcome(&summary);
                    // Without a folder to say it in, the command sees that nothing came.
                    let _ = self.folder.set_outcome(&outcome);
                    let _ = done.send(());
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

    fn say(&mut self, instructions: u64) {
        if self.said.elapsed() >= PERIOD {
            self.said = Instant::now();
            // It is only for the eye.
            let _ = self.folder.set_progress(Progress {
                instructions,
                records: self.run.records(),
            });
        }
    }

    fn outcome(&mut self, summary: &Summary) -> Result<Outcome, String> {
        if let Some(trace) = &mut self.trace {
            let ended = trace.checkpoint(&summary.ending());
            if let Err(error) = ended.and_then(|()| Ok(trace.get_mut().flush()?)) {
                self.problem = Some(format!("cannot write the trace: {error}"));
            }
        }
        if let Some(problem) = &self.problem {
            return Err(problem.clone());
        }
        Ok(Outcome {
            ended: summary.ended.clone(),
            instructions: summary.instructions,
            other_instructions: summary.other_instructions,
            forks: summary.forks,
            seconds: summary.time.as_secs_f64(),
            held: self.run.held(),
        })
    }
}
