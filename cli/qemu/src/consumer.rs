//! The thread that runs the model and writes the trace.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use hpp_explore::Run;
use hpp_golden::branch::BranchRecord;
use hpp_trace::{Ending, TraceWriter};

use crate::recorder::BATCH;
use crate::session::{Ended, Folder, Outcome, Progress, Settings};

/// Batches that may wait.
const WAITING: usize = 8;

/// How often to say how far it is.
const PERIOD: Duration = Duration::from_millis(200);

/// What the thread is told.
enum Message {
    /// Records that were numbered since, and numbers.
    Batch(Vec<BranchRecord>, Vec<u32>, u64),
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
    pub fn start(folder: Folder, settings: &Settings) -> Result<Self, String> {
        let mut model = Model::new(folder, settings)?;
        let (to, messages) = sync_channel(WAITING);
        let (back, empty) = channel();
        thread::Builder::new()
            .name("hpp-model".into())
            .spawn(move || model.serve(&messages, &back))
            .map_err(|error| format!("no thread for the model: {error}"))?;
        Ok(Self { to, empty })
    }

    /// Hands over records that were numbered since the last call, and numbers; an empty batch in return. Waits while
    /// the thread is busy.
    #[must_use]
    pub fn send(&self, new: &[BranchRecord], numbers: Vec<u32>, instructions: u64) -> Vec<u32> {
        // The thread ends with the process only; were it gone, records would have nowhere to go.
        let _ = self
            .to
            .send(Message::Batch(new.into(), numbers, instructions));
        self.empty
            .try_recv()
            .unwrap_or_else(|_| Vec::with_capacity(BATCH))
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
    run: Run,
    records: Vec<BranchRecord>,
    trace: Option<TraceWriter<BufWriter<File>>>,
    problem: Option<String>,
    said: Instant,
}

impl Model {
    fn new(folder: Folder, settings: &Settings) -> Result<Self, String> {
        let run =
            Run::new(&settings.geometry, &settings.reset).map_err(|error| error.to_string())?;
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
            run,
            records: Vec::new(),
            trace,
            problem: None,
            said: Instant::now(),
        })
    }

    fn serve(&mut self, messages: &Receiver<Message>, back: &Sender<Vec<u32>>) {
        for message in messages {
            match message {
                Message::Batch(new, mut numbers, instructions) => {
                    self.records.extend(new);
                    self.batch(&numbers);
                    numbers.clear();
                    let _ = back.send(numbers);
                    self.say(instructions);
                }
                Message::End(summary, done) => {
                    let outcome = self.outcome(&summary);
                    // Without a folder to say it in, the command sees that nothing came.
                    let _ = self.folder.set_outcome(&outcome);
                    let _ = done.send(());
                }
            }
        }
    }

    fn batch(&mut self, numbers: &[u32]) {
        self.run.profile(&self.records, numbers);
        if let Some(trace) = &mut self.trace
            && let Err(error) = trace.numbers(&self.records, numbers)
        {
            self.problem = Some(format!("cannot write the trace: {error}"));
            self.trace = None;
        }
    }

    fn say(&mut self, instructions: u64) {
        if self.said.elapsed() >= PERIOD {
            self.said = Instant::now();
            let records = self.run.records();
            // It is only for the eye.
            let _ = self.folder.set_progress(Progress {
                instructions,
                records,
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
