//! What the debug information says of functions: the lines that compilers count a function's lines from, and names for symbols that no demangler
//! reads.

use gimli::{AttributeValue, DebuggingInformationEntry, DwAt, DwLang, Reader, UnitOffset, UnitRef};

/// How many entries may refer one to the next: an inlined copy to the function, its definition to its declaration.
const MOST: u32 = 16;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Described {
    /// The line of its definition, of a lambda's function that of the lambda. Another function of the same name may have another.
    pub line: Option<u32>,
    /// Its name, in C++ and D with the scopes around it. Lambdas have their places in it, as `{lambda@4:25}`: the symbols of some have numbers and
    /// others have no symbol.
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
        self.line = self.line.or(number(&entry, gimli::DW_AT_decl_line));
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
                self.name = self.scoped(unit, offset, most);
                Some(())
            }
        }
    }

    /// The name of an entry, behind those of the namespaces, types and functions that it is in.
    fn scoped<R: Reader>(
        &mut self,
        unit: UnitRef<'_, R>,
        offset: UnitOffset<R::Offset>,
        most: u32,
    ) -> Option<String> {
        let text = |value| {
            let text = unit.attr_string(value).ok()?;
            Some(text.to_string_lossy().ok()?.into_owned())
        };
        let mut entries = unit.entries();
        let root = entries.next_dfs().ok()??;
        let language = match root.attr_value(gimli::DW_AT_language) {
            Some(AttributeValue::Language(language)) => between(language),
            _ => None,
        };
        let name = text(unit.entry(offset).ok()?.attr_value(gimli::DW_AT_name)?)?;
        let name = with_lambdas(name, unit, offset);
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
                    ) => {
                        let is_lambda = own.as_deref().is_none_or(is_lambda);
                        if is_lambda && names.len() == 1 {
                            self.line = self.line.or(number(&entry, gimli::DW_AT_decl_line));
                        }
                        names.push(own.filter(|_| !is_lambda).unwrap_or_else(|| lambda(&entry)));
                    }
                    _ => {}
                }
            }
            names.reverse();
            return Some(names.join(between));
        }
        None
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

fn number<R: Reader>(entry: &DebuggingInformationEntry<R>, name: DwAt) -> Option<u32> {
    let number = entry.attr_value(name)?.udata_value()?;
    u32::try_from(number).ok()
}

/// Whether a type of this name is a lambda's.
fn is_lambda(name: impl AsRef<str>) -> bool {
    name.as_ref().starts_with("<lambda")
}

/// The type of a lambda by its place. GCC calls it `<lambda(int)>` or nothing at all, as clang does.
fn lambda<R: Reader>(entry: &DebuggingInformationEntry<R>) -> String {
    let [line, column] = [gimli::DW_AT_decl_line, gimli::DW_AT_decl_column].map(|name| {
        let number = number(entry, name).filter(|&number| number > 0);
        number.map(|number| number.to_string())
    });
    let place: Vec<String> = line.into_iter().chain(column).collect();
    match place.is_empty() {
        true => "{lambda}".into(),
        false => format!("{{lambda@{}}}", place.join(":")),
    }
}

/// The name of a template's instance with the places of the lambdas that are its arguments, if GCC's `<lambda(int)>` stands for each.
fn with_lambdas<R: Reader>(
    name: String,
    unit: UnitRef<'_, R>,
    offset: UnitOffset<R::Offset>,
) -> String {
    const LAMBDA: &str = "<lambda(";
    if !name.contains(LAMBDA) {
        return name;
    }
    let places = || {
        let mut places = Vec::new();
        let mut tree = unit.entries_tree(Some(offset)).ok()?;
        let mut parameters = tree.root().ok()?.children();
        while let Some(parameter) = parameters.next().ok()? {
            let entry = parameter.entry();
            if entry.tag() != gimli::DW_TAG_template_type_parameter {
                continue;
            }
            let mut of = entry.attr_value(gimli::DW_AT_type);
            // Through references and qualifiers.
            for _ in 0..MOST {
                let Some(AttributeValue::UnitRef(offset)) = of else {
                    break;
                };
                let entry = unit.entry(offset).ok()?;
                let own = entry.attr_value(gimli::DW_AT_name);
                let own = own.and_then(|own| unit.attr_string(own).ok());
                let is_lambda = own.is_none_or(|own| own.to_string_lossy().is_ok_and(is_lambda));
                let types = [gimli::DW_TAG_structure_type, gimli::DW_TAG_class_type];
                let is_type = types.contains(&entry.tag());
                places.extend((is_type && is_lambda).then(|| lambda(&entry)));
                of = entry.attr_value(gimli::DW_AT_type);
            }
        }
        Some(places)
    };
    let mut places = places().unwrap_or_default().into_iter();
    let mut parts = name.split(LAMBDA);
    let mut new = parts.next().unwrap_or_default().to_owned();
    if places.len() != name.matches(LAMBDA).count() {
        return name;
    }
    for part in parts {
        // Parameters may be functions.
        let end = part.find(")>").map_or(part.len(), |end| end + 2);
        new += &places.next().unwrap_or_default();
        new += &part[end..];
    }
    new
}
