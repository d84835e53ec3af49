//! Debug information that a program has somewhere, and that is not read.

use gimli::{Dwarf, Reader};
use object::{CompressionFormat, Object, ObjectSection};

/// What of a program's debug information is not read, why, and what to do; `None` if all is, or there is none.
pub(crate) fn unread<R: Reader>(
    file: &object::File<'_>,
    dwarf: Option<&Dwarf<R>>,
) -> Option<String> {
    if file.sections().any(|section| is_compressed(&section)) {
        let text = "the program's debug information is compressed, which is not read: source lines and inlined functions are missing; \
                    unpack it (objcopy --decompress-debug-sections PROGRAM) and give that file";
        return Some(text.into());
    }
    if let Some(name) = elsewhere(file) {
        return Some(format!(
            "the program's debug information was taken out into `{name}`, which is not read: source lines and inlined functions are \
             missing; put it back (eu-unstrip PROGRAM {name} -o WHOLE) and give that file"
        ));
    }
    dwarf.is_some_and(is_split).then(|| {
        "parts of the program's debug information are in files of their own (.dwo), which are not read: inlined functions are missing; \
         build it without -gsplit-dwarf"
            .into()
    })
}

fn is_compressed<'a>(section: &impl ObjectSection<'a>) -> bool {
    let is_debug = |name: &str| name.starts_with(".debug_") || name.starts_with(".zdebug_");
    let range = section.compressed_file_range();
    section.name().is_ok_and(is_debug)
        && range.is_ok_and(|range| range.format != CompressionFormat::None)
}

/// The file that the debug information was taken out into, if there is none here.
fn elsewhere(file: &object::File<'_>) -> Option<String> {
    let link = file.gnu_debuglink().ok().flatten();
    let (name, _) = link.filter(|_| file.section_by_name(".debug_info").is_none())?;
    Some(String::from_utf8_lossy(name).into_owned())
}

/// Whether a unit says that its functions are in another file.
fn is_split<R: Reader>(dwarf: &Dwarf<R>) -> bool {
    let mut units = dwarf.units();
    while let Ok(Some(header)) = units.next() {
        let unit = dwarf.unit(header);
        if unit.is_ok_and(|unit| matches!(unit.dwo_name(), Ok(Some(_)))) {
            return true;
        }
    }
    false
}
