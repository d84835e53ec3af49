//! One file of a program, its debug sections decompressed.

use std::collections::BTreeMap;

use object::{CompressionFormat, Object, ObjectSection};

#[derive(Debug, Default)]
pub(crate) struct Part {
    pub bytes: Vec<u8>,
    /// Sections that are compressed in the file, by name.
    sections: BTreeMap<String, Vec<u8>>,
    /// Sections that cannot be decompressed, and why.
    pub damaged: Option<String>,
}

impl Part {
    pub fn new(bytes: Vec<u8>) -> Self {
        let (sections, damaged) = decompressed(&bytes);
        Self {
            bytes,
            sections,
            damaged,
        }
    }

    /// A section's data, decompressed; nothing where there is none.
    pub fn section<'a>(&'a self, file: &object::File<'a>, name: &str) -> &'a [u8] {
        if let Some(data) = self.sections.get(name) {
            return data;
        }
        let section = file.section_by_name(name);
        let data = section.and_then(|section| section.data().ok());
        data.unwrap_or_default()
    }
}

/// The debug sections that are compressed in a file, and why one cannot be decompressed.
fn decompressed(bytes: &[u8]) -> (BTreeMap<String, Vec<u8>>, Option<String>) {
    let (mut sections, mut damaged) = (BTreeMap::new(), None);
    let Ok(file) = object::File::parse(bytes) else {
        return (sections, damaged);
    };
    for section in file.sections() {
        let Ok(name) = section.name() else { continue };
        let name = name.replacen(".zdebug_", ".debug_", 1);
        let data = match section.compressed_data() {
            Ok(data) if !name.starts_with(".debug_") || data.format == CompressionFormat::None => {
                continue;
            }
            Ok(data) => data.decompress(),
            Err(error) => Err(error),
        };
        match data {
            Ok(data) => drop(sections.insert(name, data.into_owned())),
            Err(error) if name.starts_with(".debug_") => {
                damaged.get_or_insert_with(|| {
                    format!("the section {name} cannot be decompressed ({error})")
                });
            }
            Err(_) => {}
        }
    }
    (sections, damaged)
}
