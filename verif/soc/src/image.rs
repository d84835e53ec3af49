//! The initial memory of a program, as text for `$readmemh`.

use anyhow::{Context, Result, ensure};
use object::{Object, ObjectSection, ObjectSegment, ObjectSymbol};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// The bytes of a program as they are loaded.
#[derive(Clone, Debug, Default)]
pub struct Code {
    segments: Vec<(u64, Vec<u8>)>,
}

impl Code {
    /// That of an ELF file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is no ELF file.
    pub fn of(elf: &Path) -> Result<Self> {
        let name = elf.display();
        let bytes = fs::read(elf).with_context(|| format!("cannot read {name}"))?;
        let file =
            object::File::parse(&*bytes).with_context(|| format!("{name} is no ELF file"))?;
        let loaded = |segment: object::Segment<'_, '_>| {
            let data = segment.data();
            let data = data.with_context(|| format!("{name} is cut short"))?;
            Ok((segment.address(), data.to_vec()))
        };
        let segments = file.segments().map(loaded).collect::<Result<_>>()?;
        Ok(Self { segments })
    }

    /// The 16 bits at an address: a compressed instruction, if there is one.
    pub fn half_word(&self, address: u64) -> Option<u16> {
        let part = self.segments.iter().find_map(|(start, bytes)| {
            let from = usize::try_from(address.checked_sub(*start)?).ok()?;
            bytes.get(from..from + 2)
        })?;
        Some(u16::from_le_bytes(part.try_into().ok()?))
    }
}

/// The loadable segments of an ELF file as 32-bit words in hexadecimal, each run with its address; `memory_bytes` is the memory
/// they must fit, which begins at `base`.
///
/// # Errors
///
/// If the file cannot be read, is no ELF file with something to load, or does not fit the memory.
pub fn hex(elf: &Path, base: u32, memory_bytes: usize) -> Result<String> {
    let name = elf.display();
    let mut text = String::new();
    for (address, data) in &Code::of(elf)?.segments {
        if data.is_empty() {
            continue;
        }
        let start = address.checked_sub(base.into());
        let start = start.and_then(|start| usize::try_from(start).ok());
        let fits = |start: &usize| start.is_multiple_of(4) && start + data.len() <= memory_bytes;
        let start = start.filter(fits).with_context(|| {
            format!(
                "{name} has a segment at {address:#x}, {} bytes long, which the memory of {memory_bytes} bytes from {base:#x} on \
                 cannot hold: link it with --defsym=ram_bytes={memory_bytes}",
                data.len()
            )
        })?;
        put_words(&mut text, start, data)?;
    }
    ensure!(
        !text.is_empty(),
        "{name} has nothing to load: is it an executable?"
    );
    Ok(text)
}

/// Bytes from an address on, as lines of text for `$readmemh`.
pub(super) fn put_words(text: &mut String, start: usize, data: &[u8]) -> std::fmt::Result {
    writeln!(text, "@{:x}", start / 4)?;
    for word in data.chunks(4) {
        let mut value = [0; 4];
        value[..word.len()].copy_from_slice(word);
        writeln!(text, "{:08x}", u32::from_le_bytes(value))?;
    }
    Ok(())
}

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
