//! Debug information that a program has and that was not read.

use object::Object;

use crate::numbers::number_of;
use crate::part::Part;

/// What of a program's debug information is not read, why, and what to do; `None` if all is, or there is none. `debug` is the file that has it.
pub(crate) fn unread(
    program: &object::File<'_>,
    (part, debug): (&Part, &object::File<'_>),
    missing_units: usize,
) -> Option<String> {
    if let Some(why) = &part.damaged {
        return Some(format!(
            "{why}: source lines and inlined functions are missing; decompress it \
             (objcopy --decompress-debug-sections PROGRAM) and give that file"
        ));
    }
    if let Some(name) = elsewhere(program).filter(|_| !has(debug, ".debug_info")) {
        return Some(format!(
            "the program's debug information was taken out into `{name}`, which is not beside it, or is another program's: source lines \
             and inlined functions are missing; put the file there"
        ));
    }
    for (name, lost) in [
        (".debug_abbrev", "source lines and inlined functions"),
        (".debug_line", "source lines"),
    ] {
        if has(debug, ".debug_info") && !has(debug, name) {
            return Some(format!(
                "the program has debug information without the section {name}: {lost} are missing; build it anew, or strip less of it"
            ));
        }
    }
    (missing_units > 0).then(|| {
        format!(
            "{} of the program's debug information missing (.dwo, or one .dwp): inlined functions are missing; \
             put them beside the program, or build it without -gsplit-dwarf",
            number_of(missing_units as u64, "file")
        )
    })
}

fn has(file: &object::File<'_>, name: &str) -> bool {
    file.section_by_name(name).is_some()
}

/// The file that the debug information was taken out into.
fn elsewhere(file: &object::File<'_>) -> Option<String> {
    let (name, _) = file.gnu_debuglink().ok().flatten()?;
    Some(String::from_utf8_lossy(name).into_owned())
}
