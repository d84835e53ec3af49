//! `hpp top`: the hottest paths of a board that runs, looked at again and again.

mod text;
mod view;

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use hpp::link::Board;
use hpp_golden::dump::Dump;
use hpp_report::{Profile, Program};

use crate::record::{SOON, seconds, signals};
use crate::report::terminal_size;
use crate::{Output, board, input};
use view::{View, Views};

const EXAMPLES: &str = "\
Examples:
  hpp top --openocd 6666 --base 0x20000000 --elf program.elf
  hpp top --litex 1234 --csr csr.csv --elf program.elf --interval 0.5
  hpp top --openocd 6666 --base 0x20000000 --json --count 60 > minute.jsonl

Ctrl-C ends it.

Exit status: 0 ended by a signal or --count; 1 the board does not answer; 2 wrong command line.";

/// Watch the hottest paths of a running board
///
/// Samples the profile periodically, and shows the counts since the last sample. The table is frozen while it is read; the drain is not touched.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    board: board::Args,
    /// The program that runs, for functions and lines
    #[arg(long, value_name = "PROGRAM")]
    elf: Option<PathBuf>,
    /// Only the paths of this context [default: all, added up by address]
    #[arg(long, value_name = "N")]
    context: Option<u8>,
    /// Seconds between two samples
    #[arg(long, value_name = "N", value_parser = seconds, default_value = "1")]
    interval: Duration,
    /// End after this number of samples
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    count: Option<u64>,
    /// Write a JSON object for each sample, one a line
    #[arg(long)]
    json: bool,
    /// Paths of a sample; a terminal shows as many as fit
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
}

struct Watch<'a> {
    board: Board,
    views: Views,
    args: &'a Args,
    program: Option<&'a Program<'a>>,
    stop: &'a AtomicBool,
}

pub fn run(args: &Args) -> Result<bool> {
    let file = args.elf.as_deref().map(input::program).transpose()?;
    let program = file.as_ref().map(input::named).transpose()?;
    let stop = signals().context("cannot wait for signals")?;
    let (board, _) = args.board.open()?;
    let mut watch = Watch {
        board,
        views: Views::default(),
        args,
        program: program.as_ref(),
        stop: &stop,
    };
    watch.run()?;
    Ok(true)
}

impl Watch<'_> {
    /// Looks once. The core is held before, if the way needs that, and goes on after it.
    fn look(&mut self) -> Result<View> {
        self.board.hold()?;
        let at = Instant::now();
        let text = self.board.dump(None, None, false)?;
        self.board.release()?;
        let place = || format!("{}: what was read is no profile", self.board.place());
        let dump = Dump::read(&text).with_context(place)?;
        let profile = Profile::of(&dump)?;
        let profile = profile
            .in_contexts(self.args.context)
            .context("--context")?;
        let mut profile = profile.sign_extended(self.program);
        // A board cannot say which program it runs: the one that was given is believed.
        let id = self.program.and_then(Program::build_id);
        profile.program = id.map(str::to_owned);
        self.views.next(&profile, self.program, at)
    }

    fn run(&mut self) -> Result<()> {
        let place = self.board.place().to_owned();
        for looks in 1.. {
            let began = Instant::now();
            let mut view = self.look()?;
            view.paths.truncate(self.args.top);
            let text = match self.args.json {
                true => serde_json::to_string(&view)? + "\n",
                false => match terminal_size() {
                    Some([width, height]) => {
                        on_screen(&text::write(&place, &view, Some(width)), height)
                    }
                    None => text::write(&place, &view, None) + "\n",
                },
            };
            crate::write(&Output::styled(text, true))?;
            if self.args.count.is_some_and(|count| looks >= count) {
                break;
            }
            while began.elapsed() < self.args.interval {
                if self.stop.load(Relaxed) {
                    return Ok(());
                }
                let left = self.args.interval.saturating_sub(began.elapsed());
                thread::sleep(left.min(SOON));
            }
        }
        Ok(())
    }
}

/// The lines that fit on a screen, in the place of those before.
fn on_screen(text: &str, height: u16) -> String {
    const CLEAR: &str = "\x1b[H\x1b[2J";
    let lines = text.lines().take(usize::from(height).saturating_sub(1));
    lines.fold(CLEAR.to_owned(), |screen, line| screen + line + "\n")
}
