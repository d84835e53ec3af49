//! Debug information in files of its own: `.dwo` files and packages of them (DWARF 5, section 7.3.2 and appendix F).

use std::path::{Path, PathBuf};
use std::sync::Arc;

use addr2line::{LookupContinuation, LookupResult, SplitDwarfLoad};
use gimli::{Dwarf, DwarfFileType, DwarfPackage, DwarfSections, DwoId, EndianSlice, LittleEndian};

use crate::part::Part;

pub(crate) type Bytes<'a> = EndianSlice<'a, LittleEndian>;

/// The debug information in a program's own sections.
pub(crate) fn dwarf<'a>(part: &'a Part, file: &object::File<'a>) -> Option<Dwarf<Bytes<'a>>> {
    let section =
        |id: gimli::SectionId| Ok::<_, gimli::Error>(bytes(part.section(file, id.name())));
    Dwarf::load(section).ok()
}

fn bytes(data: &[u8]) -> Bytes<'_> {
    EndianSlice::new(data, LittleEndian)
}

/// Where the compiler wrote the units that are in files of their own.
pub(crate) fn units_elsewhere(part: &Part) -> Vec<PathBuf> {
    let Ok(file) = object::File::parse(&*part.bytes) else {
        return Vec::new();
    };
    let Some(dwarf) = dwarf(part, &file) else {
        return Vec::new();
    };
    let text = |value: Bytes<'_>| String::from_utf8_lossy(value.slice()).into_owned();
    let (mut paths, mut units) = (Vec::new(), dwarf.units());
    while let Ok(Some(header)) = units.next() {
        let Ok(unit) = dwarf.unit(header) else {
            continue;
        };
        let name = unit.dwo_name().ok().flatten();
        let name = name.and_then(|name| dwarf.attr_string(&unit, name).ok());
        if let Some(name) = name {
            let folder = unit.comp_dir.map_or(String::new(), text);
            paths.push(Path::new(&folder).join(text(name)));
        }
    }
    paths
}

/// The units of a program that are in files of their own.
#[derive(Default)]
pub(crate) struct Split<'a> {
    /// A file each, with the IDs of its units.
    files: Vec<(Vec<DwoId>, DwarfSections<Bytes<'a>>)>,
    package: Option<DwarfPackage<Bytes<'a>>>,
}

impl<'a> Split<'a> {
    pub fn new(parts: &'a [Part]) -> Self {
        let mut split = Self::default();
        for part in parts {
            let Ok(file) = object::File::parse(&*part.bytes) else {
                continue;
            };
            let section = |id: gimli::SectionId| {
                let name = id.dwo_name().unwrap_or_default();
                Ok::<_, gimli::Error>(bytes(part.section(&file, name)))
            };
            if !part.section(&file, ".debug_cu_index").is_empty() {
                split.package = DwarfPackage::load(section, bytes(&[])).ok();
                continue;
            }
            let Ok(sections) = DwarfSections::load(section) else {
                continue;
            };
            let dwarf = dwo(&sections);
            let (mut ids, mut units) = (Vec::new(), dwarf.units());
            while let Ok(Some(header)) = units.next() {
                ids.extend(dwarf.unit(header).ok().and_then(|unit| unit.dwo_id));
            }
            split.files.push((ids, sections));
        }
        split
    }

    /// The answer to a question, for which units that are elsewhere are looked up here.
    pub fn resolve<L: LookupContinuation<Buf = Bytes<'a>>>(
        &self,
        mut result: LookupResult<L>,
    ) -> L::Output {
        loop {
            result = match result {
                LookupResult::Output(output) => return output,
                LookupResult::Load { load, continuation } => continuation.resume(self.find(&load)),
            };
        }
    }

    fn find(&self, load: &SplitDwarfLoad<Bytes<'a>>) -> Option<Arc<Dwarf<Bytes<'a>>>> {
        if let Some(package) = &self.package {
            return package
                .find_cu(load.dwo_id, &load.parent)
                .ok()
                .flatten()
                .map(Arc::new);
        }
        let has = |(ids, _): &&(Vec<DwoId>, _)| ids.contains(&load.dwo_id);
        let (_, sections) = self.files.iter().find(has)?;
        let mut dwarf = dwo(sections);
        dwarf.make_dwo(&load.parent);
        Some(Arc::new(dwarf))
    }
}

/// The debug information of a file of units.
fn dwo<'a>(sections: &DwarfSections<Bytes<'a>>) -> Dwarf<Bytes<'a>> {
    let mut dwarf = sections.borrow(|section| *section);
    dwarf.file_type = DwarfFileType::Dwo;
    dwarf
}
