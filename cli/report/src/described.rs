//! What the debug information says of functions: the lines that compilers count a function's lines from, and names for symbols that no demangler
//! reads.

use gimli::{AttributeValue, DwLang, Reader, UnitOffset, UnitRef};

/// How many entries may refer one to the next: an inlined copy to the function, its definition to its declaration.
const MOST: u32 = 16;

/// A function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Described {
    /// The line of its definition. Another function of the same name may have another.
    pub line: Option<u32>,
    /// Its name, in C++ and D with the scopes around it.
    pub name: Option<String>,
}

impl Described {
    /// The function of an entry in a unit: the function's own, or that of a copy. Linear in the unit if the name has scopes.
    pub fn of<R: Reader>(unit: UnitRef<'_, R>, offset: UnitOffset<R::Offset>) -> Self {
        let mut described = Self::default();
        described.follow(unit, offset, MOST);
        described
    }

    fn follow<R: Reader>(
        &mut self,
        unit: UnitRef<'_, R>,
        offset: UnitOffset<R::Offset>,
        most: u32,
    ) -> Option<()> {
        let entry = unit.entry(offset).ok()?;
        if self.line.is_none() {
            let line = entry.attr_value(gimli::DW_AT_decl_line);
            self.line = line
                .and_then(|line| line.udata_value())
                .and_then(|line| u32::try_from(line).ok());
        }
        let origins = [gimli::DW_AT_abstract_origin, gimli::DW_AT_specification];
        let origin = origins.iter().find_map(|&name| entry.attr_value(name));
        match origin.filter(|_| most > 0) {
            Some(AttributeValue::UnitRef(offset)) => self.follow(unit, offset, most - 1),
            // Linked as a whole, programs have functions of one unit in another.
            Some(AttributeValue::DebugInfoRef(offset)) => {
                let mut units = unit.dwarf.units();
                while let Some(header) = units.next().ok()? {
                    if let Some(offset) = offset.to_unit_offset(&header) {
                        let other = unit.dwarf.unit(header).ok()?;
                        return self.follow(UnitRef::new(unit.dwarf, &other), offset, most - 1);
                    }
                }
                None
            }
            _ => {
                self.name = scoped(unit, offset, most);
                Some(())
            }
        }
    }
}

/// What stands between a scope and a name in it, in languages whose debug information may lack linkage names, or has those that no demangler reads.
fn between(language: DwLang) -> Option<&'static str> {
    match language {
        gimli::DW_LANG_D => Some("."),
        gimli::DW_LANG_C_plus_plus
        | gimli::DW_LANG_C_plus_plus_03
        | gimli::DW_LANG_C_plus_plus_11
        | gimli::DW_LANG_C_plus_plus_14
        | gimli::DW_LANG_C_plus_plus_17
        | gimli::DW_LANG_C_plus_plus_20 => Some("::"),
        _ => None,
    }
}

/// The name of an entry, behind those of the namespaces, types and functions that it is in.
fn scoped<R: Reader>(
    unit: UnitRef<'_, R>,
    offset: UnitOffset<R::Offset>,
    most: u32,
) -> Option<String> {
    let text = |value| {
        Some(
            unit.attr_string(value)
                .ok()?
                .to_string_lossy()
                .ok()?
                .into_owned(),
        )
    };
    let mut entries = unit.entries();
    let root = entries.next_dfs().ok()??;
    let language = match root.attr_value(gimli::DW_AT_language) {
        Some(AttributeValue::Language(language)) => between(language),
        _ => None,
    };
    let name = text(unit.entry(offset).ok()?.attr_value(gimli::DW_AT_name)?)?;
    let Some(between) = language else {
        return Some(name);
    };
    // The entries around the one that is looked at, with their depths.
    let mut around: Vec<(isize, UnitOffset<R::Offset>)> = Vec::new();
    while let Some(entry) = entries.next_dfs().ok()? {
        while around
            .pop_if(|(depth, _)| *depth >= entry.depth())
            .is_some()
        {}
        if entry.offset() != offset {
            around.push((entry.depth(), entry.offset()));
            continue;
        }
        let mut names = vec![name];
        for (_, scope) in around.into_iter().rev() {
            let entry = unit.entry(scope).ok()?;
            let own = entry.attr_value(gimli::DW_AT_name).and_then(text);
            match (entry.tag(), own) {
                // The definition of a function that is declared in other scopes.
                (gimli::DW_TAG_subprogram, None) => {
                    let mut function = Described::default();
                    function.follow(unit, scope, most.checked_sub(1)?);
                    names.extend(function.name);
                    break;
                }
                (gimli::DW_TAG_module | gimli::DW_TAG_subprogram, own) => names.extend(own),
                (gimli::DW_TAG_namespace, own) => {
                    names.push(own.unwrap_or_else(|| "(anonymous namespace)".into()));
                }
                (
                    gimli::DW_TAG_class_type
                    | gimli::DW_TAG_structure_type
                    | gimli::DW_TAG_union_type,
                    own,
                ) => names.push(own.map_or("{lambda}".into(), lambda)),
                _ => {}
            }
        }
        names.reverse();
        return Some(names.join(between));
    }
    None
}

/// The type of a lambda as demanglers write it: GCC calls it `<lambda(int)>`, clang nothing at all.
fn lambda(name: String) -> String {
    match name
        .strip_prefix("<lambda")
        .and_then(|rest| rest.strip_suffix('>'))
    {
        Some(parameters) => format!("{{lambda{parameters}}}"),
        None => name,
    }
}
