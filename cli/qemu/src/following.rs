//! Follows a program through `execve`: the new program continues under QEMU.

use core::ptr::null;
use std::ffi::{CStr, CString, OsStr};
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::calls::Calls;
use crate::load_address::LoadAddress;
use crate::session::{Folder, Settings};

/// Words of a command line or an environment at most; Linux allows fewer.
const WORDS: usize = 1 << 20;

/// What a system call asks for.
#[derive(Debug)]
pub struct Asked {
    file: PathBuf,
    words: Vec<CString>,
    environment: Vec<CString>,
}

impl Asked {
    /// Reads it from the guest's memory; `None` if the file cannot be executed, so that the call fails, or is no ELF program or script.
    pub fn read(
        settings: &Settings,
        memory: &LoadAddress,
        number: i64,
        arguments: [u64; 4],
    ) -> Option<Self> {
        let isa = settings.header.isa;
        let place = Calls(isa).path_of_program(number);
        let file = string(memory, arguments[place])?;
        let file = match file.to_bytes() {
            b"/proc/self/exe" => settings.code.file.clone(),
            name => Path::new(OsStr::from_bytes(name)).into(),
        };
        let here = libc::AT_FDCWD as u32;
        let is_found = place == 0 || file.is_absolute() || arguments[0] as u32 == here;
        let strings = |address| strings(settings, memory, address);
        (is_found && is_program(&file)).then_some(())?;
        Some(Self {
            words: strings(arguments[place + 1])?,
            environment: strings(arguments[place + 2])?,
            file,
        })
    }

    /// Replaces this process by the command, which continues with the new program. Returns only if that fails.
    pub fn follow(&self, command: &Path, folder: &Folder) {
        let own = |text: &OsStr| CString::new(text.as_bytes()).ok();
        let (Some(command), Some(folder), Some(file)) = (
            own(command.as_os_str()),
            own(folder.path().as_os_str()),
            own(self.file.as_os_str()),
        ) else {
            return;
        };
        let head = [c"hpp", c"followed", c"--", &folder, &file];
        let words = head
            .into_iter()
            .chain(self.words.iter().map(CString::as_c_str));
        let pointers = |words: &mut dyn Iterator<Item = &CStr>| -> Vec<_> {
            words.map(CStr::as_ptr).chain([null()]).collect()
        };
        let words = pointers(&mut words.into_iter());
        let environment = pointers(&mut self.environment.iter().map(CString::as_c_str));
        // SAFETY: strings that end with a 0, and arrays that end with a null pointer.
        unsafe { libc::execve(command.as_ptr(), words.as_ptr(), environment.as_ptr()) };
    }
}

fn is_program(file: &Path) -> bool {
    let is_executable = file
        .metadata()
        .is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0);
    let mut magic = [0; 4];
    let read = is_executable.then(|| File::open(file).and_then(|mut f| f.read(&mut magic)));
    read.is_some_and(|read| read.is_ok()) && (magic == *b"\x7fELF" || magic.starts_with(b"#!"))
}

/// The text at an address of the guest, up to its 0.
fn string(memory: &LoadAddress, address: u64) -> Option<CString> {
    let mut text = Vec::new();
    loop {
        let at = address.wrapping_add(text.len() as u64);
        // Not beyond a page, which may be the last.
        let mut some = [0; 256];
        let room = some.len() - (at as usize % some.len());
        let read = memory.read(at, &mut some[..room]);
        let some = &some[..read];
        match some.iter().position(|&byte| byte == 0) {
            Some(end) => text.extend_from_slice(&some[..end]),
            None if read == 0 => return None,
            None => {
                text.extend_from_slice(some);
                continue;
            }
        }
        return CString::new(text).ok();
    }
}

/// The texts to which an array points, up to its null pointer.
fn strings(settings: &Settings, memory: &LoadAddress, array: u64) -> Option<Vec<CString>> {
    let isa = settings.header.isa;
    let bytes = LoadAddress::pointer_bytes(isa);
    let mut all = Vec::new();
    // A null pointer stands for an empty array.
    while array != 0 && all.len() < WORDS {
        match memory.pointer(isa, array.wrapping_add((all.len() * bytes) as u64))? {
            0 => break,
            text => all.push(string(memory, text)?),
        }
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// This process's own memory is the guest's.
    #[test]
    fn texts_are_read_up_to_their_end_wherever_they_stand() {
        let memory = LoadAddress {
            code: 0..0,
            to: 0,
            base: 0,
        };
        for length in [0, 1, 255, 256, 257, 1000] {
            let text = CString::new(vec![b'x'; length]).expect("no 0");
            let read = string(&memory, text.as_ptr() as u64);
            assert_eq!(read.as_ref(), Some(&text));
        }
        assert_eq!(string(&memory, 8), None);
    }

    #[test]
    fn only_what_can_be_executed_is_a_program() {
        let own = std::env::current_exe().expect("a file");
        assert!(is_program(&own));
        let folder = tempfile::tempdir().expect("a folder");
        let text = folder.path().join("text");
        std::fs::write(&text, "words").expect("a file");
        for file in [&text, &folder.path().join("none"), folder.path()] {
            assert!(!is_program(file), "{}", file.display());
        }
    }
}
