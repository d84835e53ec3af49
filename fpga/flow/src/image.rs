//! A program as the contents of the SoC's memory.

use object::{Object, ObjectSegment};
use thiserror::Error;

/// Why a program cannot be put into the memory.
#[derive(Debug, Error)]
pub enum ImageError {
    /// Not an object file.
    #[error("not an ELF file")]
    NotElf(#[from] object::Error),
    /// It is larger than the memory.
    #[error(
        "the program ends at byte {end:#x}; the memory has {bytes:#x}; remedy: link it with --defsym=ram_bytes={bytes:#x}"
    )]
    TooLarge {
        /// First byte after the program.
        end: u64,
        /// Size of the memory.
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A 32-bit little-endian ELF with one segment of these bytes.
    fn elf(address: u32, bytes: &[u8]) -> Vec<u8> {
        let mut file = vec![0x7F, b'E', b'L', b'F', 1, 1, 1];
        file.resize(16, 0);
        let word = |value: u32| value.to_le_bytes();
        let size = word(bytes.len() as u32);
        file.extend([2, 0, 0xF3, 0]);
        for field in [1, address, 52, 0, 0] {
            file.extend(word(field));
        }
        for half in [52u16, 32, 1, 40, 0, 0] {
            file.extend(half.to_le_bytes());
        }
        for field in [1, 84, address, address] {
            file.extend(word(field));
        }
        file.extend(size);
        file.extend(size);
        file.extend(word(7));
        file.extend(word(4));
        file.extend(bytes);
        file
    }

    #[test]
    fn words_are_little_endian_and_stand_at_their_addresses() {
        let image = memory_image(&elf(4, &[0x13, 0x05, 0x10, 0x00, 0xAB]), 4).expect("it fits");
        assert_eq!(image, "00000000\n00100513\n000000ab\n00000000\n");
    }

    #[test]
    fn a_program_larger_than_the_memory_is_refused_with_both_sizes() {
        let error = memory_image(&elf(0xC, &[1; 8]), 4).expect_err("it does not fit");
        assert!(
            error
                .to_string()
                .contains("ends at byte 0x14; the memory has 0x10"),
            "{error}"
        );
        assert!(memory_image(b"MZ", 4).is_err());
    }
}
