//! The files that commands read: dumps in logs, merged profiles, programs; and the form they write.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use hpp::log::input::open;
use hpp_golden::dump::{Dump, DumpError, Logged};
use hpp_report::{ElfFile, Manifest, Profile, Program};

#[derive(Clone, Copy, clap::ValueEnum)]
pub enum Format {
    /// Text for people
    Text,
    /// One JSON object
    Json,
}

#[derive(Clone, Copy, clap::ValueEnum)]
pub enum TableFormat {
    /// Tables for people
    Text,
    /// JSON, as one object or array
    Json,
    /// A line for each row
    Csv,
}

#[derive(clap::Args)]
pub struct Source {
    /// A log with a dump, other text included, or a profile from `hpp merge`; `-` for standard input
    pub dump: PathBuf,
    /// Which of several dumps in the file, from 1 [default: the last]
    #[arg(long = "dump", value_name = "N")]
    pub number: Option<usize>,
    /// Only the paths of this one of the harts that share the profiler [default: all, added up by address]
    #[arg(long, value_name = "N")]
    pub hart: Option<u8>,
    /// Only the paths of this context [default: all, added up by address]
    #[arg(long, value_name = "N")]
    pub context: Option<u8>,
    /// The manifest of the profiler, hpp.json, which names its event inputs
    #[arg(long, value_name = "FILE")]
    pub profiler: Option<PathBuf>,
}

impl Source {
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        [Some(&self.dump), self.profiler.as_ref()]
            .into_iter()
            .flatten()
            .map(PathBuf::as_path)
    }

    pub fn profile(&self) -> Result<Profile> {
        let profile = profile(&self.dump, self.number)?;
        let mut profile = match self.hart {
            Some(hart) => profile.of_hart(hart, self.context).context("--hart")?,
            None => profile.in_contexts(self.context).context("--context")?,
        };
        if let Some(manifest) = &self.profiler {
            let read = self::manifest(manifest)?;
            profile.name_events(read).with_context(|| shown(manifest))?;
        }
        Ok(profile)
    }
}

pub fn manifest(path: &Path) -> Result<Manifest> {
    Manifest::read(&text(path)?).with_context(|| shown(path))
}

/// The profile of a file: of its last dump, or of the one with this number.
pub fn profile(path: &Path, number: Option<usize>) -> Result<Profile> {
    let name = || shown(path);
    let text = log_text(path)?;
    if is_merged(&text) {
        if number.is_some() {
            bail!("{}: {NO_LOG}", name());
        }
        return Profile::from_json(&text).with_context(name);
    }
    let dumps = Dump::all(&text);
    let Some(last) = dumps.len().checked_sub(1) else {
        return Err(DumpError::Missing).with_context(name);
    };
    let index = match number {
        None => last,
        Some(number) if (1..=dumps.len()).contains(&number) => number - 1,
        Some(number) => bail!(
            "{}: there is no dump {number}; there {}",
            name(),
            match dumps.len() {
                1 => "is one".into(),
                n => format!("are {n}"),
            }
        ),
    };
    whole(&dumps, index, path)
}

/// The text of a file that should be a log or a merged profile. The project's other files are refused by what they begin with.
fn log_text(path: &Path) -> Result<String> {
    let (text, name) = (text(path)?, shown(path));
    if text.starts_with("\u{7f}ELF") {
        bail!("{name} is a program; the profile comes first, the program after --elf");
    }
    if text.starts_with("HPPTRACE") {
        bail!("{name} is a record trace; `hpp replay {name} --profile FILE` makes a profile of it");
    }
    Ok(text)
}

/// The profile of every dump of a log.
pub fn profiles(path: &Path) -> Result<Vec<Profile>> {
    let dumps = dumps(path)?;
    let profile = |index| whole(&dumps, index, path);
    (0..dumps.len()).map(profile).collect()
}

/// The profile of a dump of a log, unless it is damaged.
fn whole(dumps: &[Logged], index: usize, path: &Path) -> Result<Profile> {
    let place = match dumps.len() {
        1 => shown(path),
        n => format!("{}: dump {} of {n}", shown(path), index + 1),
    };
    match &dumps[index].dump {
        Ok(dump) => Ok(Profile::of(dump)?),
        Err(error) => bail!("{place}: {error}{}", whole_before(&dumps[..index])),
    }
}

/// Which dump can be taken in the place of the next, which is damaged.
fn whole_before(dumps: &[Logged]) -> String {
    let whole = dumps.iter().rposition(|logged| logged.dump.is_ok());
    whole.map_or(String::new(), |index| {
        let number = index + 1;
        format!(
            ". Dump {number} is intact: report, annotate and export take it with --dump {number}"
        )
    })
}

/// A profile that `hpp merge` wrote in the place of a log.
const NO_LOG: &str = "a profile that `hpp merge` wrote has no dumps to choose from or to list: give the logs it was made of, or \
     leave --dump, --list or --all-dumps out";

fn is_merged(text: &str) -> bool {
    text.trim_start().starts_with('{')
}

pub fn dumps(path: &Path) -> Result<Vec<Logged>> {
    let text = log_text(path)?;
    let dumps = Dump::all(&text);
    match dumps.is_empty() {
        true if is_merged(&text) => bail!("{}: {NO_LOG}", shown(path)),
        true => Err(DumpError::Missing).with_context(|| shown(path)),
        false => Ok(dumps),
    }
}

/// A program's file, and those that hold the rest of it.
pub fn program(path: &Path) -> Result<ElfFile> {
    ElfFile::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// A program of which the names are needed.
pub fn named(file: &ElfFile) -> Result<Program<'_>> {
    Program::named(file).with_context(|| shown(file.path()))
}

/// A program whose code is needed, not its names alone.
pub fn decoded(file: &ElfFile) -> Result<Program<'_>> {
    let hint = match Program::named(file) {
        Ok(program) if !program.image().is_riscv() => {
            "; of x86-64 programs, report and diff name functions and lines"
        }
        _ => "",
    };
    let program = Program::from_elf(file).map_err(anyhow::Error::from);
    program.map_err(|error| anyhow::anyhow!("{}: {error:#}{hint}", file.path().display()))
}

/// Refuses standard input that is given twice: after the first time nothing is left of it.
pub fn stdin_once<'a>(files: impl IntoIterator<Item = &'a PathBuf>) -> Result<()> {
    let given = files.into_iter().filter(|file| *file == Path::new("-"));
    match given.count() {
        0 | 1 => Ok(()),
        _ => bail!("standard input (`-`) can be given once"),
    }
}

pub fn shown(path: &Path) -> String {
    match path == Path::new("-") {
        true => "standard input".into(),
        false => path.display().to_string(),
    }
}

/// The file's text; bytes that are none (noise on a line) become replacement characters. UTF-16 is what `>` of PowerShell writes.
fn text(path: &Path) -> Result<String> {
    let bytes = bytes(path)?;
    let word: fn([u8; 2]) -> u16 = match bytes.get(..2) {
        Some([0xff, 0xfe]) => u16::from_le_bytes,
        Some([0xfe, 0xff]) => u16::from_be_bytes,
        _ => return Ok(String::from_utf8_lossy(&bytes).into_owned()),
    };
    let (words, _) = bytes[2..].as_chunks();
    let words: Vec<u16> = words.iter().copied().map(word).collect();
    Ok(String::from_utf16_lossy(&words))
}

/// What is in a file, or `-`, standard input.
pub fn bytes(path: &Path) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = open(path).and_then(|mut file| file.read_to_end(&mut bytes));
    read.with_context(|| format!("cannot read {}", shown(path)))?;
    Ok(bytes)
}
