//! Shared libraries in a profile: whose code an address is, by the files that QEMU mapped.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;

use hpp_qemu::load_address::Mapped;
use hpp_report::numbers::{percent, share};
use hpp_report::{Profile, demangled};
use object::{Object, ObjectSegment, ObjectSymbol, SymbolKind};

pub struct Libraries<'a> {
    /// Addresses of the program's own code, in its file.
    own: Range<u64>,
    libraries: Vec<(&'a Mapped, Functions)>,
}

/// The functions of a library: how far behind its beginning, size and name.
type Functions = BTreeMap<u64, (u64, String)>;

const NO_FILE: &str = "code made at run time";

impl<'a> Libraries<'a> {
    /// Those in which paths of the profile begin. A library that cannot be read has no functions.
    pub fn new(own: &Range<u64>, mapped: &'a [Mapped], profile: &Profile) -> Self {
        let starts = || starts(profile).map(|(start, _)| start);
        let is_used = |mapped: &&Mapped| {
            starts().any(|start| mapped.range.contains(&start) && !own.contains(&start))
        };
        let used = mapped.iter().filter(is_used);
        Self {
            own: own.clone(),
            libraries: used.map(|mapped| (mapped, functions(mapped))).collect(),
        }
    }

    /// What an address outside of the program's own code is called.
    pub fn name(&self, address: u64) -> Option<String> {
        if self.own.contains(&address) {
            return None;
        }
        let (mapped, functions) = self.of(address)?;
        let place = address - mapped.range.start;
        let before = functions.range(..=place).next_back();
        let function = before.filter(|(start, (size, _))| place < *start + (*size).max(1));
        Some(match function {
            None => format!("({})", mapped.name()),
            Some((start, (_, name))) if *start == place => format!("{name} ({})", mapped.name()),
            Some((start, (_, name))) => {
                format!("{name}+{:#x} ({})", place - start, mapped.name())
            }
        })
    }

    fn of(&self, address: u64) -> Option<&(&Mapped, Functions)> {
        let mut all = self.libraries.iter();
        all.find(|(mapped, _)| mapped.range.contains(&address))
    }

    /// How much of a profile is code outside of the program, in a line; nothing if none is.
    pub fn shares(&self, profile: &Profile) -> String {
        let (mut outside, mut total) = (BTreeMap::<&str, u64>::new(), 0);
        for (start, count) in starts(profile) {
            total += count;
            if !self.own.contains(&start) {
                let name = self.of(start).map_or(NO_FILE, |(mapped, _)| mapped.name());
                *outside.entry(name).or_default() += count;
            }
        }
        let mut outside: Vec<_> = outside.into_iter().collect();
        outside.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        let share = |count| percent(share(count, total));
        let parts = outside
            .iter()
            .map(|(name, count)| format!("{name} {}", share(*count)));
        match outside.iter().map(|(_, count)| count).sum() {
            0 => String::new(),
            all => format!(
                "\n\noutside of the program's file {} of the table: {}; hpp report names the program's own code alone: link with -static to have all named",
                share(all),
                parts.collect::<Vec<_>>().join(", ")
            ),
        }
    }
}

/// Where paths begin, without contexts, and how often they ran.
fn starts(profile: &Profile) -> impl Iterator<Item = (u64, u64)> {
    let paths = profile.counts.iter();
    paths.map(|(path, &count)| (profile.geometry.address(path.start), count))
}

fn functions(mapped: &Mapped) -> Functions {
    let Ok(bytes) = fs::read(&mapped.file) else {
        return Functions::new();
    };
    let Ok(file) = object::File::parse(&*bytes) else {
        return Functions::new();
    };
    let first = file.segments().map(|segment| segment.address()).min();
    let first = first.unwrap_or(0) & !(Mapped::PAGE - 1);
    let symbols = file.symbols().chain(file.dynamic_symbols());
    let functions = symbols.filter(|s| s.kind() == SymbolKind::Text && s.is_definition());
    let named = |symbol: object::Symbol<'_, '_>| {
        let name = demangled(symbol.name().ok()?).into_owned();
        let place = symbol.address().checked_sub(first)?;
        Some((place, (symbol.size(), name)))
    };
    functions.filter_map(named).collect()
}
