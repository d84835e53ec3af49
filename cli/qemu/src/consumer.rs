//! The process that keeps the profile and writes the trace.

use core::sync::atomic::AtomicBool;
use core::sync::atomic::Ordering::Relaxed;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, Sender, SyncSender, TrySendError, channel, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use hpp_explore::Run;
use hpp_explore::trace::TraceWriter;
use hpp_golden::profiler::PathStack;

use crate::blocks::{Translated, Translating};
use crate::ending::Ending;
use crate::isolation;
use crate::recorder::{Batch, Recorder};
use crate::session::{Folder, Outcome, Progress, Settings};

/// Whether the program asked to be replaced by another one. If it is, nothing comes after that.
pub(crate) static REPLACING: AtomicBool = AtomicBool::new(false);

/// How many blocks are handed over at once, in a buffer of 64 KiB.
pub const BLOCKS: usize = 1 << 14;

/// Blocks that began, one after another, by number. By its address, a place behind the last one is told from the others.
#[derive(Debug)]
#[repr(align(65536))]
pub struct Blocks(pub [u32; BLOCKS]);

pub fn no_blocks() -> Box<Blocks> {
    // SAFETY: all zeros are numbers.
    unsafe { Box::new_zeroed().assume_init() }
}

/// How many buffers may wait to be processed: half a million blocks, so that neither thread waits when the work of the two
/// varies.
const WAITING: usize = 32;

/// How many buffers are used in turn, 8 MB. A buffer that the model has just read is in its processor's cache. If QEMU wrote to it next, its thread would wait
/// for each cache line to be transferred.
const ROOMS: usize = 4 * WAITING;

/// How long to wait for the other thread before looking again, at first and at most. To be woken would cost QEMU's thread more than it
/// costs this one to look; to look often costs a virtual machine a tenth of its time.
const NAP: Duration = Duration::from_micros(500);
const LONGEST_NAP: Duration = Duration::from_micros(1000);
/// How long to wait once the program was replaced, when only the end is left.
const LAST_NAP: Duration = Duration::from_millis(20);

fn longest_nap() -> Duration {
    match REPLACING.load(Relaxed) {
        true => LAST_NAP,
        false => LONGEST_NAP,
    }
}

/// How often to report progress.
const PERIOD: Duration = Duration::from_millis(200);

/// What is known when a hart ends whose model got so many buffers: the blocks that it did not get, and how the run ended. `None` if no block began.
pub type AtTheEnd = fn(hart: u8, times: u64) -> Option<(&'static [u32], Ending)>;

enum Message {
    /// Blocks, and the instructions so far.
    Blocks(Box<Blocks>, u64),
    /// Where a handler of signals begins.
    Handler(u64),
}

/// The plugin's end of the line to the process.
#[derive(Debug)]
pub struct Consumer {
    to: SyncSender<Message>,
    empty: Receiver<Box<Blocks>>,
    /// Buffers that the process has finished, the oldest first.
    rooms: VecDeque<Box<Blocks>>,
    /// How many buffers there are.
    made: usize,
    process: JoinHandle<()>,
}

impl Consumer {
    pub fn start(
        hart: u8,
        folder: Folder,
        settings: &Settings,
        translating: Translating,
        at_the_end: AtTheEnd,
    ) -> Result<Self, String> {
        let settings = settings.clone();
        let (to, messages) = sync_channel(WAITING);
        let (back, empty) = channel();
        let (starts, started) = channel();
        let qemu = process();
        let serve = move || {
            let named = folder.set_model(process()).map_err(|e| e.to_string());
            let model = named.and_then(|()| {
                Model::new(hart, folder.clone(), &settings, translating, at_the_end)
            });
            let mut model = match model {
                Ok(model) => model,
                Err(problem) => return drop(starts.send(Err(problem))),
            };
            let _ = starts.send(Ok(()));
            let served = AssertUnwindSafe(|| model.serve(qemu, &messages, &back));
            if catch_unwind(served).is_err() {
                let problem = "the model panicked; please report it as a defect of hpp";
                let _ = folder.set_outcome(&Err(problem.into()));
            }
        };
        let process = isolation::beside(serve)
            .map_err(|error| format!("no thread for the model: {error}"))?;
        let gone = |_| Err("the system lets no process share QEMU's memory".to_owned());
        started.recv().unwrap_or_else(gone)?;
        Ok(Self {
            to,
            empty,
            rooms: VecDeque::new(),
            made: 0,
            process,
        })
    }

    /// Another end of the line to the process.
    pub fn line(&self) -> Line {
        Line(self.to.clone())
    }

    /// The next buffer for blocks.
    pub fn empty(&mut self) -> Box<Blocks> {
        self.rooms.extend(self.empty.try_iter());
        let used = match self.made < ROOMS {
            true => None,
            false => self.rooms.pop_front(),
        };
        used.unwrap_or_else(|| {
            self.made += 1;
            no_blocks()
        })
    }

    /// Hands over the blocks, if a buffer is free, and the number of instructions so far.
    pub fn send(&self, blocks: Box<Blocks>, instructions: u64) -> Result<(), Box<Blocks>> {
        match self.to.try_send(Message::Blocks(blocks, instructions)) {
            Err(TrySendError::Full(Message::Blocks(blocks, _))) => Err(blocks),
            Ok(()) | Err(TrySendError::Full(_)) => Ok(()),
            Err(TrySendError::Disconnected(_)) => end(),
        }
    }

    /// Waits a little for the process.
    pub fn wait(&self) {
        if self.process.is_finished() {
            end();
        }
        thread::sleep(NAP);
    }
}

/// The model has said why it ended. Further blocks would be lost.
fn end() -> ! {
    // SAFETY: ends the process at once.
    unsafe { libc::_exit(1) }
}

fn process() -> i32 {
    // SAFETY: asks for a number.
    unsafe { libc::getpid() }
}

/// An end of the line to the process, for any thread.
#[derive(Clone, Debug)]
pub struct Line(SyncSender<Message>);

impl Line {
    /// Signals are to be handled by what begins here.
    pub fn handler(&self, address: u64) {
        let _ = self.0.send(Message::Handler(address));
    }
}

struct Model {
    hart: u8,
    at_the_end: AtTheEnd,
    folder: Folder,
    recorder: Recorder,
    batch: Batch,
    run: Run,
    /// Whether the recorder finds the paths; if not, the profiler does.
    finds_paths: bool,
    /// Whether instructions are counted here, by the words of blocks; if not, by QEMU's thread.
    counts: bool,
    trace: Option<TraceWriter<BufWriter<File>>>,
    instructions: u64,
    unseen_signals: u64,
    problem: Option<String>,
    began: Instant,
    said: Instant,
}

impl Model {
    fn new(
        hart: u8,
        folder: Folder,
        settings: &Settings,
        translating: Translating,
        at_the_end: AtTheEnd,
    ) -> Result<Self, String> {
        // In a whole machine user code has a context that changes.
        let context = if settings.is_machine { 0 } else { hart };
        let run =
            Run::new(&settings.geometry, &settings.reset).map_err(|error| error.to_string())?;
        // In a whole machine a record may lead to another context than the one before it, of which frames kept here know nothing.
        let can_tell = |stack: &PathStack| !(stack.is_checked() && settings.is_machine);
        let detector = run.detector().filter(can_tell);
        let trace = |path| -> Result<_, hpp_explore::trace::TraceError> {
            TraceWriter::new(BufWriter::new(File::create(path)?), &settings.header)
        };
        let trace = match &settings.write {
            Some(path) => Some(
                trace(path).map_err(|error| format!("cannot write {}: {error}", path.display()))?,
            ),
            None => None,
        };
        Ok(Self {
            hart,
            at_the_end,
            folder,
            finds_paths: detector.is_some(),
            recorder: Recorder::new(Translated::new(translating), detector, trace.is_some())
                .in_context(settings.geometry, context, settings.is_machine),
            batch: Batch::default(),
            run,
            counts: !settings.is_machine && settings.limit.is_none(),
            trace,
            instructions: 0,
            unseen_signals: 0,
            problem: None,
            began: Instant::now(),
            said: Instant::now(),
        })
    }

    /// Processes blocks until QEMU's process has ended, then those that it did not hand over.
    fn serve(&mut self, qemu: i32, messages: &Receiver<Message>, back: &Sender<Box<Blocks>>) {
        let mut nap = NAP;
        let mut times = 0;
        loop {
            // SAFETY: asks for a number.
            let has_ended = unsafe { libc::getppid() } != qemu;
            match messages.try_recv() {
                Ok(Message::Blocks(blocks, instructions)) => {
                    self.blocks(&blocks.0);
                    let _ = back.send(blocks);
                    if !self.counts {
                        self.instructions = instructions;
                    }
                    times += 1;
                    self.say();
                    nap = NAP;
                }
                Ok(Message::Handler(address)) => self.recorder.handler(address),
                Err(_) if has_ended => return self.end(times),
                Err(_) => {
                    thread::sleep(nap);
                    nap = longest_nap().min(2 * nap);
                }
            }
        }
    }

    fn end(&mut self, times: u64) {
        let Some((blocks, ending)) = (self.at_the_end)(self.hart, times) else {
            return;
        };
        self.blocks(blocks);
        if !self.counts {
            self.instructions = ending.instructions;
        }
        let outcome = self.outcome(&ending);
        // If the folder cannot be written either, the command finds no result and reports that.
        let _ = self.folder.set_outcome(&outcome);
    }

    fn blocks(&mut self, blocks: &[u32]) {
        self.batch.clear();
        if self.counts {
            self.instructions += self.recorder.instructions(blocks);
        }
        (self.recorder).run(blocks, &mut self.batch, &mut self.run);
        self.unseen_signals += self.batch.unseen_signals;
        let (records, batch) = (self.recorder.records(), &self.batch);
        if self.finds_paths {
            self.run.complete(batch.records, batch.tally, &[]);
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
            // A missing progress report does no harm.
            let _ = self.folder.set_progress(Progress {
                instructions: self.instructions,
                records: self.run.records(),
            });
        }
    }

    fn outcome(&mut self, ending: &Ending) -> Result<Outcome, String> {
        if let Some(trace) = &mut self.trace {
            let ended = trace.checkpoint(&ending.of_trace(self.unseen_signals));
            if let Err(error) = ended.and_then(|()| Ok(trace.get_mut().flush()?)) {
                self.problem = Some(format!("cannot write the trace: {error}"));
            }
        }
        if let Some(problem) = &self.problem {
            return Err(problem.clone());
        }
        Ok(Outcome {
            ended: ending.ended.clone(),
            instructions: self.instructions,
            other_instructions: ending.other_instructions,
            forks: ending.forks,
            unseen_signals: self.unseen_signals,
            followed: ending.followed,
            noted: ending.noted.clone(),
            spaces: ending.spaces.clone(),
            mapped: ending.mapped.clone(),
            seconds: self.began.elapsed().as_secs_f64(),
            held: self.run.held(),
        })
    }
}
