//! `hpp record`: a profile taken from a board.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use hpp::link::Board;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;

use crate::{Output, atomic_write, board, input};

const EXAMPLES: &str = "\
Examples:
  hpp record --openocd 6666 --base 0x20000000 -o profile.txt     the table's contents; the profiler continues
  hpp record run --seconds 10 --gdb 3333 --base 0x20000000 -o profile.txt
                                                       ten seconds from an empty table, or until ctrl-C
  hpp record reset --litex 1234 --csr csr.csv && hpp record start --litex 1234 --csr csr.csv
  hpp record --litex 1234 --csr csr.csv --elf program.elf -o profile.txt
  hpp report profile.txt --elf program.elf

Exit status: 0 all well; 1 no profile, and the file is unchanged; 2 wrong command line.";

/// Take a profile from a board
///
/// Reads the profiler's registers through a debugger or a LiteX bridge, without firmware. The table is frozen while it is read.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// What to do
    #[arg(value_enum, default_value_t = Action::Snapshot)]
    action: Action,
    #[command(flatten)]
    board: board::Args,
    /// How long `run` profiles [default: until ctrl-C]
    #[arg(long, value_name = "N", value_parser = seconds)]
    seconds: Option<Duration>,
    /// The program that runs, whose build ID is put into the profile
    #[arg(long, value_name = "PROGRAM")]
    elf: Option<PathBuf>,
    /// Leave the entries in the drain to the firmware or the drain writer
    #[arg(long)]
    keep_drain: bool,
    /// The file for the profile, replaced atomically [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// What to do with the profiler.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Action {
    /// Read the profile; the profiler continues
    Snapshot,
    /// Reset, start, wait, stop, and read the profile
    Run,
    /// Enable the profiler and unfreeze the table
    Start,
    /// Disable the profiler and freeze the table
    Stop,
    /// Disable the profiler and clear table, counters and errors
    Reset,
}

impl Action {
    const fn reads(self) -> bool {
        matches!(self, Self::Snapshot | Self::Run)
    }
}

pub fn seconds(text: &str) -> Result<Duration, String> {
    let number: Option<f64> = text.parse().ok();
    number
        .and_then(|number| Duration::try_from_secs_f64(number).ok())
        .filter(|time| !time.is_zero())
        .ok_or_else(|| "give a time in seconds above 0, below 1e19".into())
}

pub fn run(args: &Args) -> Result<Output> {
    if args.seconds.is_some() && args.action != Action::Run {
        bail!("--seconds is how long `hpp record run` profiles");
    }
    if !args.action.reads() && (args.output.is_some() || args.elf.is_some() || args.keep_drain) {
        bail!(
            "only `snapshot` and `run` write a profile: leave --output, --elf and --keep-drain out"
        );
    }
    let inputs = args.board.files().chain(args.elf.as_deref());
    let file = atomic_write::output_file(args.output.as_deref());
    atomic_write::check(file, inputs)?;
    let program = args.elf.as_deref().map(build_id).transpose()?;
    let stop = signals().context("cannot wait for signals")?;
    let (mut board, configuration) = args.board.open()?;
    match args.action {
        Action::Snapshot => {}
        Action::Run => profile(&mut board, args.seconds, &stop)?,
        Action::Start => board.start()?,
        Action::Stop => board.stop()?,
        Action::Reset => board.reset()?,
    }
    if !args.action.reads() {
        board.release()?;
        return Ok(Output::plain(Vec::new()));
    }
    let text = board.dump(
        configuration.as_deref(),
        program.as_deref(),
        !args.keep_drain,
    )?;
    board.release()?;
    Output::to(file, text)
}

/// Profiles from an empty table until the time is over or a signal comes.
fn profile(board: &mut Board, time: Option<Duration>, stop: &AtomicBool) -> Result<()> {
    board.reset()?;
    board.start()?;
    board.release()?;
    let began = Instant::now();
    while !stop.load(Relaxed) && time.is_none_or(|time| began.elapsed() < time) {
        let left = time.map_or(SOON, |time| time.saturating_sub(began.elapsed()));
        thread::sleep(left.min(SOON));
    }
    board.hold()?;
    board.stop()
}

/// How soon a signal is noticed.
pub const SOON: Duration = Duration::from_millis(50);

/// Whether a signal came that ends this process. From now on only a second one does by itself.
pub fn signals() -> io::Result<Arc<AtomicBool>> {
    let came = Arc::new(AtomicBool::new(false));
    for number in [SIGINT, SIGTERM, SIGHUP] {
        flag::register_conditional_default(number, Arc::clone(&came))?;
        flag::register(number, Arc::clone(&came))?;
    }
    Ok(came)
}

fn build_id(file: &Path) -> Result<Vec<u8>> {
    let elf = input::program(file)?;
    let program = input::named(&elf)?;
    let id = program.build_id().with_context(|| {
        format!(
            "{} has no build ID: link it with --build-id, or leave --elf out",
            file.display()
        )
    })?;
    let bytes = id.as_bytes().chunks(2).map(|digits| {
        let digits = str::from_utf8(digits).expect("hexadecimal digits");
        u8::from_str_radix(digits, 16).expect("hexadecimal digits")
    });
    Ok(bytes.collect())
}
