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
