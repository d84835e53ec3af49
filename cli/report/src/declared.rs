//! Where functions are declared: the lines that compilers count a function's lines from.

use gimli::{AttributeValue, Reader, UnitOffset, UnitRef};

/// How many entries may refer one to the next: an inlined copy to the function, its definition to its declaration.
const MOST: u32 = 16;

/// The line of a function's definition, by its entry in a unit: the function's own, or that of a copy. Another of the same name
/// may have another line.
pub(crate) fn declared<R: Reader>(
    unit: UnitRef<'_, R>,
    offset: UnitOffset<R::Offset>,
) -> Option<u32> {
    followed(unit, offset, MOST)
}

fn followed<R: Reader>(
    unit: UnitRef<'_, R>,
    offset: UnitOffset<R::Offset>,
    most: u32,
) -> Option<u32> {
    let entry = unit.entry(offset).ok()?;
    let line = entry.attr_value(gimli::DW_AT_decl_line);
    if let Some(line) = line.and_then(|line| line.udata_value()) {
        return u32::try_from(line).ok();
    }
    let most = most.checked_sub(1)?;
    let origins = [gimli::DW_AT_abstract_origin, gimli::DW_AT_specification];
    match origins.iter().find_map(|&name| entry.attr_value(name))? {
        AttributeValue::UnitRef(offset) => followed(unit, offset, most),
        // Linked as a whole, programs have functions of one unit in another.
        AttributeValue::DebugInfoRef(offset) => {
            let mut units = unit.dwarf.units();
            while let Some(header) = units.next().ok()? {
                if let Some(offset) = offset.to_unit_offset(&header) {
                    let other = unit.dwarf.unit(header).ok()?;
                    return followed(UnitRef::new(unit.dwarf, &other), offset, most);
                }
            }
            None
        }
        _ => None,
    }
}
