//! Another input for a built program: the input lies in variables of its image.

use anyhow::{Context, Result, ensure};
use object::{Object, ObjectSection, ObjectSymbol};

/// An ELF file with other initial bytes in a variable. The code stays what it is, so paths of runs on different inputs are paths of one program.
///
/// # Errors
///
/// If the file has no such variable of this size.
pub fn with_data(elf: &[u8], variable: &str, data: &[u8]) -> Result<Vec<u8>> {
    let file = object::File::parse(elf).context("no ELF file")?;
    let symbol = file
        .symbols()
        .find(|symbol| symbol.name() == Ok(variable))
        .with_context(|| format!("the program has no variable `{variable}`"))?;
    ensure!(
        symbol.size() == data.len() as u64,
        "the variable `{variable}` has {} bytes; give as many, not {}",
        symbol.size(),
        data.len()
    );
    let place = symbol
        .section_index()
        .map(|index| file.section_by_index(index));
    let section = place.with_context(|| format!("`{variable}` lies in no section"))??;
    let (offset, _) = section
        .file_range()
        .with_context(|| format!("`{variable}` has no initial value"))?;
    let begin = usize::try_from(offset + symbol.address() - section.address())?;
    let mut changed = elf.to_vec();
    let bytes = changed.get_mut(begin..begin + data.len());
    bytes
        .context("the ELF file is cut short")?
        .copy_from_slice(data);
    Ok(changed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use object::write::{Object as Written, Symbol, SymbolSection};
    use object::{Architecture, BinaryFormat, Endianness, SymbolFlags, SymbolKind, SymbolScope};

    /// An object file with four bytes, then the variable `seed`, 1234.
    fn elf() -> Vec<u8> {
        let mut file = Written::new(BinaryFormat::Elf, Architecture::Riscv32, Endianness::Little);
        let section = file.section_id(object::write::StandardSection::Data);
        file.append_section_data(section, &[9; 4], 4);
        let value = file.append_section_data(section, &1234u32.to_le_bytes(), 4);
        file.add_symbol(Symbol {
            name: b"seed".into(),
            value,
            size: 4,
            kind: SymbolKind::Data,
            scope: SymbolScope::Linkage,
            weak: false,
            section: SymbolSection::Section(section),
            flags: SymbolFlags::None,
        });
        file.write().expect("an ELF file")
    }

    #[test]
    fn nothing_but_the_variable_changes() {
        let elf = elf();
        let changed = with_data(&elf, "seed", &77u32.to_le_bytes()).expect("a variable");
        let differ = elf.iter().zip(&changed).filter(|(one, other)| one != other);
        assert_eq!(differ.count(), 2, "1234 and 77 differ in two bytes");
        let back = with_data(&changed, "seed", &1234u32.to_le_bytes()).expect("a variable");
        assert_eq!(back, elf);
    }

    #[test]
    fn names_and_sizes_are_checked() {
        let error = |variable, data: &[u8]| with_data(&elf(), variable, data).expect_err("refused");
        assert_eq!(
            error("seeds", &[]).to_string(),
            "the program has no variable `seeds`"
        );
        assert_eq!(
            error("seed", &[1]).to_string(),
            "the variable `seed` has 4 bytes; give as many, not 1"
        );
    }
}
