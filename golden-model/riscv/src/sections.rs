use object::{Object, ObjectSection, SectionKind};

use crate::error::ElfError;

#[derive(Clone, Debug)]
pub(crate) struct Code {
    pub name: String,
    pub address: u64,
    pub bytes: Vec<u8>,
}

/// The executable sections by address.
pub(crate) fn code_sections(file: &object::File<'_>) -> Result<Vec<Code>, ElfError> {
    let is_code = |section: &object::Section<'_, '_>| {
        section.kind() == SectionKind::Text && section.size() > 0
    };
    let mut all: Vec<_> = file.sections().filter(is_code).collect();
    all.sort_by_key(|section| section.address());
    let name = |section: &object::Section<'_, '_>| section.name().unwrap_or("?").to_owned();
    for pair in all.windows(2) {
        let [first, second] = pair else { continue };
        if second.address() - first.address() < first.size() {
            return Err(ElfError::Overlap {
                first: name(first),
                second: name(second),
                at: second.address(),
            });
        }
    }
    let read = |section: &object::Section<'_, '_>| {
        Ok(Code {
            name: name(section),
            address: section.address(),
            bytes: section.data()?.to_vec(),
        })
    };
    all.iter().map(read).collect()
}
