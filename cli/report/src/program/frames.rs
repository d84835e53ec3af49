//! Source lines of addresses, and the functions that were inlined there.

use std::rc::Rc;

use super::{Program, SourceFrame, SourceLine, demangled, is_mangled, stem};
use crate::described::Described;

/// Whether a name has the places of lambdas in it.
pub(super) fn is_placed(name: &str) -> bool {
    name.contains("{lambda@")
}

impl Program<'_> {
    /// The source line of an address. Code that a compiler gives the line 0, as code of no line, has the last line before it in its function, or else the first after it.
    pub fn source(&self, address: u64) -> Option<SourceLine> {
        let location = self.lines.as_ref()?.find_location(address).ok()??;
        match location.line.filter(|&line| line > 0) {
            Some(line) => Some(SourceLine::new(location.file?, line)),
            None => self
                .frames(address)
                .first()
                .map(|frame| frame.source.clone()),
        }
    }

    /// The source line of an address in its function itself: of code that was inlined there, that of the call.
    pub fn own_source(&self, address: u64) -> Option<SourceLine> {
        let frames = self.frames(address);
        let own = frames.last().map(|frame| frame.source.clone());
        own.or_else(|| self.source(address))
    }

    /// The functions an address belongs to, the innermost first: those inlined there, and last the function itself. Each
    /// with its line: of the instruction, or of the call that was inlined. The function itself goes by its symbol in the program also where the debug
    /// information has no mangled name for it, as GCC's of static functions of C++.
    pub fn frames(&self, address: u64) -> Rc<[SourceFrame]> {
        if let Some(known) = self.frames.borrow().get(&address) {
            return known.clone();
        }
        let frames: Rc<[SourceFrame]> = self.inlined(address).unwrap_or_default().into();
        self.frames.borrow_mut().insert(address, frames.clone());
        frames
    }

    fn inlined(&self, address: u64) -> Option<Vec<SourceFrame>> {
        let lines = self.lines.as_ref()?;
        let mut frames = self.split.resolve(lines.find_frames(address)).ok()?;
        let unit = self.split.resolve(lines.find_dwarf_and_unit(address));
        let mut all = Vec::new();
        while let Some(frame) = frames.next().ok()? {
            let symbol = frame.function?.raw_name().ok()?.into_owned();
            let entry = unit.zip(frame.dw_die_offset);
            let described = entry.map_or_else(Described::default, |(unit, offset)| {
                let key = (unit.dwo_id.map(|id| id.0), unit.header.offset(), offset);
                let mut known = self.described.borrow_mut();
                let described = known.entry(key);
                described
                    .or_insert_with(|| Described::of(unit, offset))
                    .clone()
            });
            let declared = described.line;
            let location = frame.location.as_ref();
            let line = location.and_then(|location| location.line);
            let known = line.filter(|&line| line > 0);
            let named = location.and_then(|location| location.file);
            let source = match (known, named) {
                (Some(line), Some(file)) => Some(SourceLine::new(file, line)),
                // A call without a line stands in the function as a whole.
                _ => {
                    let whole = || Some(SourceLine::new(named?, declared?));
                    self.line_near(address, &symbol).or_else(whole)
                }
            };
            let name = match (demangled(&symbol), described.name) {
                (_, Some(name)) if is_placed(&name) => name,
                (name, _) if name != symbol => name.into_owned(),
                (_, name) => name.unwrap_or_else(|| symbol.clone()),
            };
            all.extend(source.map(|source| SourceFrame {
                symbol,
                name,
                declared,
                source,
            }));
        }
        if let Some(outermost) = all.last_mut()
            && let Some(symbol) = self.mangled(address, &outermost.symbol)
        {
            outermost.symbol = symbol.into();
            if demangled(symbol) != symbol && !is_placed(&outermost.name) {
                outermost.name = demangled(symbol).into_owned();
            }
        }
        Some(all)
    }

    /// The last line before an address, other than 0, of code whose innermost function is this one, or else the first after it. Linear in the lines of
    /// the function that the address is in.
    fn line_near(&self, address: u64, symbol: &str) -> Option<SourceLine> {
        let lines = self.lines.as_ref()?;
        let around = self.image.functions().at(address)?;
        let rows = lines
            .find_location_range(around.address, around.end())
            .ok()?;
        let is_its = |at: u64| {
            let mut frames = self.split.resolve(lines.find_frames(at)).ok()?;
            let function = frames.next().ok()??.function?;
            Some(function.raw_name().ok()? == symbol)
        };
        let known = rows.filter(|(_, _, location)| location.line.is_some_and(|line| line > 0));
        let (mut before, after): (Vec<_>, Vec<_>) = known.partition(|&(at, ..)| at < address);
        before.reverse();
        let mut nearest = before.into_iter().chain(after);
        let (_, _, location) = nearest.find(|&(at, ..)| is_its(at).unwrap_or(false))?;
        Some(SourceLine::new(location.file?, location.line?))
    }

    /// The mangled name of the function at an address, without a compiler's suffix, if `known` is none of its names.
    fn mangled(&self, address: u64, known: &str) -> Option<&str> {
        let function = self.image.functions().at(address)?;
        let mut names = std::iter::once(&function.name).chain(&function.aliases);
        if names.any(|name| name == known || stem(name) == known) {
            return None;
        }
        Some(stem(&function.name)).filter(|symbol| is_mangled(symbol))
    }
}
