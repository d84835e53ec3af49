//! The load address of the program's code, and its address in the ELF file.

use core::ops::Range;
use std::fs;
use std::io;
use std::path::PathBuf;

use hpp_explore::trace::Isa;
use serde::{Deserialize, Serialize};

use crate::block::Block;

/// What a program's file says of its code.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Code {
    /// The file.
    pub file: PathBuf,
    /// Where the first of the program's segments begins.
    pub first: u64,
    /// Where the code is: a position-independent program runs at other addresses.
    pub range: Range<u64>,
}

/// Where QEMU put the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadAddress {
    /// Where the code is.
    pub code: Range<u64>,
    /// Where its file says that it begins.
    pub to: u64,
    /// What to add to an address of the guest to get that in this process.
    pub base: u64,
}

/// A file that QEMU mapped, for the guest or for itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mapped {
    /// The file.
    pub file: PathBuf,
    /// The guest's addresses from the beginning of its first mapping to the end of its last.
    pub range: Range<u64>,
}

impl Mapped {
    /// The unit of mappings.
    pub const PAGE: u64 = 4096;

    /// The file's name without folders.
    pub fn name(&self) -> &str {
        let name = self.file.file_name().and_then(|name| name.to_str());
        name.unwrap_or("a library")
    }
}

impl LoadAddress {
    /// The files that are mapped now; none if the system does not say.
    pub fn mapped(&self) -> Vec<Mapped> {
        let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
        let mut all = files(&maps);
        for Mapped { range, .. } in &mut all {
            *range = range.start.wrapping_sub(self.base)..range.end.wrapping_sub(self.base);
        }
        all
    }

    /// Where the program is, if the guest's memory begins at `base` in this process: QEMU maps the program's file.
    pub fn find(code: &Code, base: u64) -> io::Result<Self> {
        let file = fs::canonicalize(&code.file)?;
        let maps = fs::read_to_string("/proc/self/maps")?;
        let first = first_mapping(&maps, &file.to_string_lossy());
        let first = first.ok_or_else(|| io::Error::other("QEMU does not map it"))?;
        let by = first
            .wrapping_sub(base)
            .wrapping_sub(code.first / Mapped::PAGE * Mapped::PAGE);
        Ok(Self {
            code: code.range.start.wrapping_add(by)..code.range.end.wrapping_add(by),
            to: code.range.start,
            base,
        })
    }

    /// An address as the program's file has it; of other code, as it is.
    pub fn address(&self, address: u64) -> u64 {
        match self.code.contains(&address) {
            true => address.wrapping_sub(self.code.start).wrapping_add(self.to),
            false => address,
        }
    }

    /// Reads the guest's memory; how many bytes there are.
    pub fn read(&self, address: u64, to: &mut [u8]) -> usize {
        let Ok(address) = usize::try_from(self.base.wrapping_add(address)) else {
            return 0;
        };
        let local = libc::iovec {
            iov_base: to.as_mut_ptr().cast(),
            iov_len: to.len(),
        };
        let remote = libc::iovec {
            iov_base: core::ptr::without_provenance_mut(address),
            iov_len: to.len(),
        };
        // SAFETY: the system writes to `to` alone, and fails where nothing can be read.
        let read = unsafe {
            libc::process_vm_readv(libc::getpid(), &raw const local, 1, &raw const remote, 1, 0)
        };
        usize::try_from(read).unwrap_or(0)
    }

    /// An address that stands in the guest's memory.
    pub fn pointer(&self, isa: Isa, address: u64) -> Option<u64> {
        let mut word = [0; 8];
        let bytes = Self::pointer_bytes(isa);
        let read = self.read(address, &mut word[..bytes]);
        (read == bytes).then(|| u64::from_le_bytes(word))
    }

    /// Bytes of a pointer.
    pub const fn pointer_bytes(isa: Isa) -> usize {
        match isa {
            Isa::X86_64 | Isa::Riscv64 => 8,
            Isa::Riscv32 => 4,
        }
    }

    /// Where the handler of a `struct sigaction` begins, the first word of it.
    pub fn handler(&self, isa: Isa, action: u64) -> Option<u64> {
        let handler = self.pointer(isa, action)?;
        (handler > 1).then(|| self.address(handler))
    }

    /// The block at the addresses of the program's file; of other code, as it is.
    pub fn block(&self, mut block: Block) -> Block {
        if self.code.contains(&block.start) {
            let by = self.to.wrapping_sub(self.code.start);
            let target = block
                .transfer
                .as_mut()
                .and_then(|transfer| transfer.target.as_mut());
            for address in [&mut block.start, &mut block.last, &mut block.next]
                .into_iter()
                .chain(target)
            {
                *address = address.wrapping_add(by);
            }
        }
        block
    }
}

/// Where the first mapping of a file begins.
fn first_mapping(maps: &str, file: &str) -> Option<u64> {
    // The system writes the end of a line within a name so.
    let file = file.replace('\n', "\\012");
    let mut all = mappings(maps);
    let first = all.find(|(_, _, name)| *name == file);
    first.map(|(range, _, _)| range.start)
}

/// The files, at this process's addresses: each as often as its beginning is mapped, for the guest and for QEMU.
fn files(maps: &str) -> Vec<Mapped> {
    let mut all: Vec<Mapped> = Vec::new();
    for (range, offset, name) in mappings(maps).filter(|(_, _, name)| name.starts_with('/')) {
        let file = PathBuf::from(name);
        match all.last_mut() {
            Some(mapped) if offset > 0 && mapped.file == file => mapped.range.end = range.end,
            _ if offset > 0 => {}
            _ => all.push(Mapped { file, range }),
        }
    }
    all
}

/// Addresses, offset in the file, and name of the lines of `/proc/self/maps`: addresses, permissions, offset, device, inode and name.
fn mappings(maps: &str) -> impl Iterator<Item = (Range<u64>, u64, &str)> {
    maps.lines().filter_map(|line| {
        let mut fields = line.splitn(6, ' ');
        let number = |text| u64::from_str_radix(text, 16).ok();
        let (start, end) = fields.next()?.split_once('-')?;
        let (offset, name) = (fields.nth(1)?, fields.nth(2)?.trim_start());
        Some((number(start)?..number(end)?, number(offset)?, name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_mapping_is_that_of_the_whole_name() {
        let maps = "1000-2000 r--p 00000000 fe:00 12                         /bin/a b\n\
                    5000-6000 r-xp 00000000 fe:00 12 /b\n7000-8000 r--p 00001000 fe:00 12 /b\n9000-a000 rw-p 00000000 00:00 0 \n";
        assert_eq!(first_mapping(maps, "/b"), Some(0x5000));
        assert_eq!(first_mapping(maps, "/bin/a b"), Some(0x1000));
        assert_eq!(first_mapping(maps, "/bin/a"), None);
    }

    /// The guest's libraries may be QEMU's own.
    #[test]
    fn a_file_that_is_mapped_twice_is_at_two_places() {
        let maps = "1000-2000 r--p 00000000 fe:00 12 /lib/libc.so.6\n2000-4000 r-xp 00001000 fe:00 12 /lib/libc.so.6\n\
                    4000-5000 rw-p 00000000 00:00 0 \n6000-7000 r--p 00002000 fe:00 12 /cut\n\
                    9000-a000 r--p 00000000 fe:00 12 /lib/libc.so.6\na000-c000 r-xp 00001000 fe:00 12 /lib/libc.so.6\n";
        let ranges: Vec<_> = files(maps).into_iter().map(|file| file.range).collect();
        assert_eq!(ranges, [0x1000..0x4000, 0x9000..0xc000]);
    }

    /// The system has mapped this test's own file where its code is.
    #[test]
    fn this_program_is_found_where_it_is() {
        let file = std::env::current_exe().expect("a file");
        let here = first_mapping as *const () as u64;
        let code = Code {
            file,
            first: 0,
            range: 0..1 << 40,
        };
        let found = LoadAddress::find(&code, 0).expect("it is mapped");
        assert!(found.code.contains(&here) && found.address(here) < 1 << 32);
        let other = Code {
            file: "/proc/self/maps".into(),
            ..code
        };
        assert!(LoadAddress::find(&other, 0).is_err());
    }
}
