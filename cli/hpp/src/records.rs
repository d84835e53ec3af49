//! The branch records that commands read: a trace, or the log of a simulator.

use std::fs;
use std::io::{BufRead, ErrorKind, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use hpp::etrace::{self, Packets};
use hpp::log::formats::Reader;
use hpp::log::{Log, Options, ReadParts, input};
use hpp::waveform::Waveform;
use hpp_explore::trace::{Ending, Header, MAGIC, TraceReader};
use hpp_golden::branch::BranchRecord;
use hpp_riscv::{Image, Xlen};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::choices::{Choice, one_of};
use crate::input::{named, program, shown};

/// How to read a log of execution.
#[derive(Clone, Debug, Default, PartialEq, clap::Args)]
#[command(next_help_heading = "Log of execution")]
pub struct LogArgs {
    /// The program that ran: gives the instructions that a log does not have, and the build ID of a profile
    #[arg(long, value_name = "PROGRAM")]
    pub elf: Option<PathBuf>,
    /// The instruction set, where neither the log nor the program tells
    #[arg(long, value_parser = one_of(&WIDTHS))]
    pub isa: Option<Xlen>,
    /// The hart to take from the log [default: the first in it]
    #[arg(long, value_name = "N")]
    pub hart: Option<u32>,
    /// A regular expression for a line, with the groups `pc` and, as far as they are there, `insn`, `mode` and `hart`
    #[arg(long, value_name = "REGEX")]
    pub log_pattern: Option<String>,
    /// What the encoder of packets was built with, where that is not found out: `framing=` esp32, pulp, smi or encapsulation, and parameters of the
    /// specification, such as `iaddress_width_p=40`, with commas between
    #[arg(long, value_name = "NAME=VALUE,..")]
    pub encoder: Option<String>,
}

const WIDTHS: [Choice<Xlen>; 2] = [("rv32", "", Xlen::Rv32), ("rv64", "", Xlen::Rv64)];

impl LogArgs {
    pub fn is_given(&self) -> bool {
        *self != Self::default()
    }

    fn options(&self) -> Result<Options> {
        let pattern = self.log_pattern.as_deref().map(Reader::own).transpose();
        let image = self.elf.as_deref().map(|path| {
            let bytes = fs::read(path).context("cannot be read")?;
            let image = Image::from_elf(&bytes, None)?;
            Ok::<_, anyhow::Error>(image)
        });
        let name = || self.elf.as_deref().map_or(String::new(), shown);
        Ok(Options {
            pattern: pattern.map_err(|error| anyhow!("--log-pattern: {error}"))?,
            hart: self.hart,
            xlen: self.isa,
            image: image.transpose().with_context(name)?,
        })
    }

    fn packets(&self, input: Box<dyn BufRead>) -> Result<Packets> {
        ensure!(
            self.isa.is_none() && self.log_pattern.is_none(),
            "packets of a trace encoder; --isa and --log-pattern are for logs: leave them out"
        );
        let options = self.options()?;
        let image = options.image.context(
            "it is no text; remedy: --elf with the program that ran, if it has the packets of a trace encoder (E-Trace)",
        )?;
        let encoder = self.encoder.as_deref();
        Packets::new(input, image, encoder, self.hart)
    }

    pub fn open(&self, input: Box<dyn BufRead>) -> Result<Log> {
        Log::new(input, self.options()?)
    }

    fn build_id(&self) -> Result<Option<String>> {
        let Some(path) = &self.elf else {
            return Ok(None);
        };
        let file = program(path)?;
        Ok(named(&file)?.build_id().map(str::to_owned))
    }
}

/// A trace or a log that is being read.
pub struct Records {
    pub header: Header,
    source: Source,
}

enum Source {
    Trace(Box<TraceReader<Box<dyn BufRead>>>),
    Parts(Box<dyn ReadParts>),
}

impl Records {
    /// Reads what it is from its beginning. A terminal shows how far it is.
    pub fn open(path: &Path, args: &LogArgs) -> Result<Self> {
        let input = input::open(path).with_context(|| format!("cannot read {}", shown(path)))?;
        let (length, template) = match fs::metadata(path) {
            Ok(file) if file.is_file() => (Some(file.len()), "{msg} {bar:30} {percent} %, {eta}"),
            _ => (None, "{msg} {bytes}, {bytes_per_sec}"),
        };
        let style = ProgressStyle::with_template(template).expect("a template");
        let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr());
        let bar = bar.with_style(style).with_message(shown(path));
        Self::read(path, bar.wrap_read(input), args).with_context(|| shown(path))
    }

    fn read(path: &Path, input: impl Read + 'static, args: &LogArgs) -> Result<Self> {
        let mut input = input::decompressed(input)?;
        let beginning = match input.fill_buf() {
            Err(error) if error.kind() == ErrorKind::UnexpectedEof => bail!(
                "the compressed file ends before its first whole part; remedy: copy it again, or record again"
            ),
            beginning => beginning?,
        };
        // Cut within its first bytes it is one as well.
        if !beginning.is_empty() && beginning.starts_with(&MAGIC[..beginning.len().min(8)]) {
            ensure!(
                !args.is_given(),
                "a record trace; --elf, --isa, --hart, --log-pattern and --encoder are for logs and packets: leave them out"
            );
            let reader = TraceReader::new(input)?;
            return Ok(Self {
                header: reader.header().clone(),
                source: Source::Trace(Box::new(reader)),
            });
        }
        let is_told = args.encoder.is_some() || args.log_pattern.is_some();
        ensure!(
            is_told || !Waveform::is_in(beginning),
            "a waveform, of which `hpp check` judges the signals; remedy: for a profile record a log (docs/from-a-log.md)"
        );
        let are_packets =
            args.encoder.is_some() || args.log_pattern.is_none() && etrace::are_packets(beginning);
        let parts: Box<dyn ReadParts> = match are_packets {
            true => Box::new(args.packets(input)?),
            false => Box::new(args.open(input)?),
        };
        Ok(Self {
            header: Header {
                isa: parts.isa(),
                command: vec![shown(path)],
                events: "instructions".into(),
                build_id: args.build_id()?,
            },
            source: Source::Parts(parts),
        })
    }

    /// Shows the next records by number, and whether some are missing before them. Whether there may be more.
    pub fn next(&mut self, mut show: impl FnMut(bool, &[BranchRecord], &[u32])) -> Result<bool> {
        match &mut self.source {
            Source::Trace(reader) => match reader.next_chunk()? {
                Some((records, numbers)) => {
                    show(false, records, numbers);
                    Ok(true)
                }
                None => Ok(false),
            },
            Source::Parts(source) => {
                let parts = source.next_parts()?;
                for (after_loss, numbers) in &parts {
                    show(*after_loss, source.records(), numbers);
                }
                Ok(!parts.is_empty())
            }
        }
    }

    /// How it ended, once all was shown.
    pub fn ending(&self) -> Option<Ending> {
        match &self.source {
            Source::Trace(reader) => reader.ending().cloned(),
            Source::Parts(source) => Some(source.ending()),
        }
    }

    /// What was read, in a line of the command, the instruction set, `more` and the reason why it ended, and a line for each thing that it does not
    /// hold; whether it holds all.
    pub fn summary(&self, more: &str) -> (String, bool) {
        let Ending { reason, left_out } = self.ending().unwrap_or_default();
        let Header { command, isa, .. } = &self.header;
        let mut text = format!("{} on {isa}{more}; {reason}\n", command.join(" "));
        for line in &left_out {
            text += &format!("not in the trace: {line}\n");
        }
        (text, self.ending().is_some() && left_out.is_empty())
    }
}
