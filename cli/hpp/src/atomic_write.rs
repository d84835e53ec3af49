//! Files that commands write: each is written whole or not at all, and none overwrites an input.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use tempfile::NamedTempFile;

/// What a file is written through.
enum Draft {
    /// Beside the place that it takes in the end. It goes away with this value.
    Beside(NamedTempFile, PathBuf),
    /// A device or a pipe, whose place nothing can take.
    Stream(File),
}

impl Draft {
    fn of(file: &Path) -> io::Result<Self> {
        // Where a link leads, so that the link stays.
        let place = fs::canonicalize(file).unwrap_or_else(|_| file.into());
        match fs::metadata(&place) {
            Ok(data) => {
                // A rename does not ask whether the file may be written.
                let old = OpenOptions::new().write(true).open(&place)?;
                match data.is_file() {
                    true => Self::beside(place, Some(data.permissions())),
                    false => Ok(Self::Stream(old)),
                }
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Self::beside(place, None),
            Err(error) => Err(error),
        }
    }

    fn beside(place: PathBuf, permissions: Option<Permissions>) -> io::Result<Self> {
        let folder = place.parent().filter(|folder| *folder != Path::new(""));
        let draft = tempfile::Builder::new()
            .prefix(".hpp-")
            // Less what the user's mask takes away.
            .permissions(Permissions::from_mode(0o666))
            .tempfile_in(folder.unwrap_or(Path::new(".")))
            .map_err(without_place)?;
        if let Some(permissions) = permissions {
            draft.as_file().set_permissions(permissions)?;
        }
        Ok(Self::Beside(draft, place))
    }
}

/// The error without the name of the draft, which says nothing to anybody.
fn without_place(error: io::Error) -> io::Error {
    let text = error.to_string();
    let cause = text.split(" at path ").next().unwrap_or_default();
    io::Error::new(error.kind(), cause)
}

fn cannot_write(file: &Path) -> String {
    format!("cannot write {}", file.display())
}

/// The output of a command that writes to standard output unless it gets a file; `-` is none.
pub fn output_file(output: Option<&Path>) -> Option<&Path> {
    output.filter(|file| *file != Path::new("-"))
}

pub fn write(file: &Path, bytes: impl AsRef<[u8]>) -> Result<()> {
    let written = Draft::of(file).and_then(|draft| match draft {
        Draft::Stream(mut file) => file.write_all(bytes.as_ref()),
        Draft::Beside(mut draft, place) => {
            draft.write_all(bytes.as_ref())?;
            draft.persist(place).map(drop).map_err(|error| error.error)
        }
    });
    written.with_context(|| cannot_write(file))
}

/// Whether these files can be written, and each is neither one that is read nor another one that is written: to be asked before
/// work that takes its time.
pub fn check<'a>(
    outputs: impl IntoIterator<Item = &'a Path>,
    inputs: impl IntoIterator<Item = &'a Path>,
) -> Result<()> {
    let inputs: Vec<PathBuf> = inputs.into_iter().map(place).collect();
    let mut seen = Vec::new();
    for file in outputs {
        if file == Path::new("-") {
            bail!(
                "`-` names no file to write: /dev/stdout is standard output, ./- a file of that name"
            );
        }
        let place = place(file);
        if is_stream(&place) {
            continue;
        }
        if inputs.contains(&place) {
            bail!(
                "{} is an input of this command and would be overwritten: write to another file",
                file.display()
            );
        }
        if seen.contains(&place) {
            bail!(
                "{} would be written twice: give each output its own file",
                file.display()
            );
        }
        seen.push(place);
        Draft::of(file).with_context(|| cannot_write(file))?;
    }
    Ok(())
}

/// The same for all names of one file. Standard input may be a file, too.
fn place(file: &Path) -> PathBuf {
    let file = match file == Path::new("-") {
        true => Path::new("/dev/stdin"),
        false => file,
    };
    let new = || {
        let file = std::path::absolute(file).ok()?;
        let folder = fs::canonicalize(file.parent()?).ok()?;
        Some(folder.join(file.file_name()?))
    };
    fs::canonicalize(file)
        .ok()
        .or_else(new)
        .unwrap_or_else(|| file.into())
}

/// Refuses what can be read once alone.
pub fn refuse_pipe(file: &Path) -> Result<()> {
    match file == Path::new("-") || is_stream(file) {
        true => {
            bail!("it is read twice, and a pipe is gone after the first time: save it as a file")
        }
        false => Ok(()),
    }
}

/// Whether it is a device or a pipe. A folder is neither: it cannot be written.
fn is_stream(place: &Path) -> bool {
    fs::metadata(place).is_ok_and(|data| !data.is_file() && !data.is_dir())
}
