//! Whose paths they are: a printed profile, walked back through the program's code.

use std::fmt;

use thiserror::Error;

use crate::Image;
use crate::walk::{AddressRange, Walk, WalkError, walk};
use hpp_golden::config::GeometryError;
use hpp_golden::path::PathDescriptor;
use hpp_golden::printout::Printout;
use hpp_golden::profiler::{IllegalRow, TableEntry};

/// Why a profile and a program do not belong together.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum HotPathError {
    /// No profiler has such sizes.
    #[error("the profile's geometry registers are those of no profiler: {0}")]
    Geometry(#[from] GeometryError),
    /// No profiler has such a control register.
    #[error("the profile's PPCR_ROWS is that of no profiler: {0}")]
    Row(#[from] IllegalRow),
    /// A descriptor leads out of the program's code.
    #[error("path {path} in {place}: {error}")]
    Walk {
        /// The path.
        path: PathDescriptor,
        /// Where it begins.
        place: String,
        /// Where it leads to.
        error: WalkError,
    },
}

/// One path of the table, walked.
pub struct HotPath {
    /// The table's entry.
    pub entry: TableEntry,
    /// Its share of everything the table holds, from 0 to 1.
    pub share: f64,
    /// Where the path begins: function and offset.
    pub place: String,
    /// Its blocks.
    pub walk: Walk,
    /// The blocks' addresses, and the function where it is another than the block's before.
    blocks: Vec<String>,
}

/// The paths of a printed profile, hottest first.
///
/// # Errors
///
/// If a descriptor cannot be walked through the code: then profile and program do not belong together.
pub fn hot_paths(printout: &Printout, image: &Image) -> Result<Vec<HotPath>, HotPathError> {
    let geometry = printout.sizes()?;
    let ppcr = printout.control(&geometry)?;
    let total = printout.profile().total() as f64;
    let hot_path = |entry: TableEntry| {
        let TableEntry { descriptor, count } = entry;
        let place = place(image, descriptor.start);
        let walk = match walk(image, &ppcr, geometry.max_branches, &descriptor) {
            Ok(walk) => walk,
            Err(error) => {
                let path = descriptor;
                return Err(HotPathError::Walk { path, place, error });
            }
        };
        Ok(HotPath {
            entry,
            share: f64::from(count) / total,
            place,
            blocks: blocks(&walk, image),
            walk,
        })
    };
    printout.hottest().into_iter().map(hot_path).collect()
}

/// `name` or `name+0x12` of an address, or the bare address where no function is.
fn place(image: &Image, address: u64) -> String {
    match image.functions().at(address) {
        Some(function) if function.address == address => function.name.clone(),
        Some(function) => format!("{}+{:#x}", function.name, address - function.address),
        None => format!("{address:#x}"),
    }
}

/// Start and end of every block; a block in another function than the one before it says in which.
fn blocks(walk: &Walk, image: &Image) -> Vec<String> {
    let function = |block: &AddressRange| image.functions().at(block.start);
    let mut last = walk.blocks.first().and_then(function);
    let text = |block: &AddressRange| {
        let here = function(block);
        let changed = here != std::mem::replace(&mut last, here);
        let name = here
            .filter(|_| changed)
            .map_or(String::new(), |f| format!(" {}", f.name));
        format!("{:x}-{:x}{name}", block.start, block.end)
    };
    walk.blocks.iter().map(text).collect()
}

impl fmt::Display for HotPath {
    /// Count, share, place and outcomes on one line, the blocks on further ones.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TableEntry { descriptor, count } = self.entry;
        let outcomes: String = (0..descriptor.length)
            .map(|i| {
                if descriptor.outcome(i) == Some(true) {
                    'T'
                } else {
                    'N'
                }
            })
            .collect();
        write!(
            f,
            "{count:>9} {:>5.1} %  {:<28} {outcomes}",
            100.0 * self.share,
            self.place
        )?;
        for line in self.blocks.chunks(6) {
            write!(f, "\n{:21}{}", "", line.join("  "))?;
        }
        Ok(())
    }
}
