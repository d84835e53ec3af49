//! A program's file with the files that hold the rest of its debug information.
//!
//! | what | where it is looked for |
//! | --- | --- |
//! | symbols and debug information of a stripped program | `/usr/lib/debug/.build-id`, by the build ID; then the name in `.gnu_debuglink`, beside the program, in `.debug` beside it, below `/usr/lib/debug` |
//! | units of a program built with `-gsplit-dwarf` | `PROGRAM.dwp`; then each `.dwo`, where the compiler wrote it, and beside the program |
//!
//! A file is taken only if it belongs to the program: by the build ID, by the checksum in `.gnu_debuglink`, by the ID of the unit. Sections that are
//! compressed with zlib or zstd are decompressed.

use std::path::{Path, PathBuf};
use std::{fs, io};

use object::Object;

use crate::numbers::hexadecimal;
use crate::part::Part;
use crate::split::units_elsewhere;

/// Where distributions put debug information.
const DEBUG: &str = "/usr/lib/debug";

/// A program as it is on disk.
#[derive(Debug, Default)]
pub struct ElfFile {
    path: PathBuf,
    pub(crate) program: Part,
    /// What was taken out of the program.
    pub(crate) debug: Option<Part>,
    /// Files of units: `.dwo` files, or one package of them.
    pub(crate) units: Vec<Part>,
    /// How many such files are missing.
    pub(crate) missing_units: usize,
}

impl ElfFile {
    /// Where it was read from; empty if it is its bytes alone.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The program's file.
    pub fn bytes(&self) -> &[u8] {
        &self.program.bytes
    }

    /// A program that is its bytes, without files beside it.
    pub fn new(bytes: Vec<u8>) -> Self {
        let program = Part::new(bytes);
        Self {
            missing_units: units_elsewhere(&program).len(),
            program,
            ..Self::default()
        }
    }

    /// Reads a program and the files that belong to it. Linear in their size.
    ///
    /// # Errors
    ///
    /// If the program's own file cannot be read. What it holds is judged when it becomes a [`Program`](crate::Program).
    pub fn read(path: &Path) -> io::Result<Self> {
        let program = Part::new(fs::read(path)?);
        let folder = path.parent().unwrap_or(Path::new("."));
        let debug = outside(&program.bytes, folder);
        let (units, missing_units) = units(debug.as_ref().unwrap_or(&program), path, folder);
        Ok(Self {
            path: path.into(),
            program,
            debug,
            units,
            missing_units,
        })
    }
}

/// The file with the debug information of a program that has none, if there is one.
fn outside(bytes: &[u8], folder: &Path) -> Option<Part> {
    let file = object::File::parse(bytes).ok()?;
    if file.section_by_name(".debug_info").is_some()
        || file.section_by_name(".zdebug_info").is_some()
    {
        return None;
    }
    let id = file.build_id().ok().flatten();
    if let Some(id) = id {
        let name = hexadecimal(id);
        let (first, rest) = name.split_at(name.len().min(2));
        let path = Path::new(DEBUG).join(format!(".build-id/{first}/{rest}.debug"));
        let is_same = |bytes: &[u8]| {
            let file = object::File::parse(bytes).ok();
            file.is_some_and(|file| file.build_id().ok().flatten() == Some(id))
        };
        if let Some(bytes) = fs::read(path).ok().filter(|bytes| is_same(bytes)) {
            return Some(Part::new(bytes));
        }
    }
    let (name, checksum) = file.gnu_debuglink().ok().flatten()?;
    let name = String::from_utf8_lossy(name).into_owned();
    let below = fs::canonicalize(folder).ok()?;
    let below = Path::new(DEBUG).join(below.strip_prefix("/").unwrap_or(&below));
    let folders = [folder.to_owned(), folder.join(".debug"), below];
    let bytes = folders
        .iter()
        .filter_map(|folder| fs::read(folder.join(&name)).ok())
        .find(|bytes| crc32fast::hash(bytes) == checksum)?;
    Some(Part::new(bytes))
}

/// The files of a program's units that are there, and how many are not.
fn units(debug: &Part, path: &Path, folder: &Path) -> (Vec<Part>, usize) {
    let wanted = units_elsewhere(debug);
    if wanted.is_empty() {
        return (Vec::new(), 0);
    }
    let mut package = path.as_os_str().to_owned();
    package.push(".dwp");
    if let Ok(bytes) = fs::read(PathBuf::from(package)) {
        return (vec![Part::new(bytes)], 0);
    }
    let find = |written: &PathBuf| {
        let beside = written.file_name().map(|name| folder.join(name));
        let places = [Some(written.clone()), Some(folder.join(written)), beside];
        let mut places = places.into_iter().flatten();
        places.find_map(|place| fs::read(place).ok())
    };
    let found: Vec<Part> = wanted.iter().filter_map(find).map(Part::new).collect();
    let missing = wanted.len() - found.len();
    (found, missing)
}
