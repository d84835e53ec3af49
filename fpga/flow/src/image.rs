//! A program as the contents of the SoC's memory.

use object::{Object, ObjectSegment};
use thiserror::Error;

/// Why a program cannot be put into the memory.
#[derive(Debug, Error)]
pub enum ImageError {
    #[error("not an ELF file")]
    NotElf(#[from] object::Error),
    #[error(
        "the program ends at byte {end:#x}; the memory has {bytes:#x}; remedy: link it with --defsym=ram_bytes={bytes:#x}"
    )]
    TooLarge {
        /// First byte after the program.
        end: u64,
        bytes: u64,
    },
}

/// The program's loaded bytes as text for `$readmemh`: one 32-bit little-endian word a line, `words` of them.
pub fn memory_image(elf: &[u8], words: u32) -> Result<String, ImageError> {
    let file = object::File::parse(elf)?;
    let bytes = u64::from(words) * 4;
    let mut memory = vec![0u8; words as usize * 4];
    for segment in file.segments() {
        let data = segment.data()?;
        let start = segment.address();
        let end = start + segment.size();
        if end > bytes {
            return Err(ImageError::TooLarge { end, bytes });
        }
        memory[start as usize..start as usize + data.len()].copy_from_slice(data);
    }
    Ok(memory
        .chunks_exact(4)
        .map(|word| {
            format!(
                "{:02x}{:02x}{:02x}{:02x}\n",
                word[3], word[2], word[1], word[0]
            )
        })
        .collect())
}
