//! Where functions are declared: the lines that compilers count a function's lines from.

use std::collections::BTreeMap;

use gimli::{AttributeValue, DebuggingInformationEntry, Dwarf, Reader, Unit};

/// The line of each function's definition, by symbol. Damaged parts are left out.
pub(crate) fn declared<R: Reader>(dwarf: &Dwarf<R>) -> BTreeMap<String, u32> {
    let mut found = BTreeMap::new();
    let mut units = dwarf.units();
    while let Ok(Some(header)) = units.next() {
        if let Ok(unit) = dwarf.unit(header) {
            // What was read before an error is kept.
            let _ = of_unit(dwarf, &unit, &mut found);
        }
    }
    found
}

fn of_unit<R: Reader>(
    dwarf: &Dwarf<R>,
    unit: &Unit<R>,
    found: &mut BTreeMap<String, u32>,
) -> gimli::Result<()> {
    let mut entries = unit.entries();
    while let Some(entry) = entries.next_dfs()? {
        let is_declaration = entry.attr_value(gimli::DW_AT_declaration).is_some();
        if entry.tag() != gimli::DW_TAG_subprogram || is_declaration {
            continue;
        }
        let line = entry.attr_value(gimli::DW_AT_decl_line);
        let line = line.and_then(|line| line.udata_value());
        if let (Some(line), Some(name)) = (line, name(dwarf, unit, entry)?) {
            found.insert(name, u32::try_from(line).unwrap_or(0));
        }
    }
    Ok(())
}

/// The symbol of a function, which a definition may leave to its declaration.
fn name<R: Reader>(
    dwarf: &Dwarf<R>,
    unit: &Unit<R>,
    entry: &DebuggingInformationEntry<R>,
) -> gimli::Result<Option<String>> {
    for attribute in [gimli::DW_AT_linkage_name, gimli::DW_AT_name] {
        if let Some(value) = entry.attr_value(attribute) {
            let text = dwarf.attr_string(unit, value)?;
            return Ok(Some(text.to_string_lossy()?.into_owned()));
        }
    }
    match entry.attr_value(gimli::DW_AT_specification) {
        Some(AttributeValue::UnitRef(offset)) => name(dwarf, unit, &unit.entry(offset)?),
        _ => Ok(None),
    }
}
