//! Isolates the model's thread from the program, in whose process it runs.
//!
//! The program's descriptors, its working directory and its signals are those of the process that QEMU runs in. The model's thread takes
//! no signal, and has descriptors and a working directory of its own, because a program may close every descriptor or change its root.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::mem::ManuallyDrop;
use std::os::fd::IntoRawFd;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// Lets programs that this process starts have the same addresses each time, where this is allowed: QEMU maps libraries where the system suggests.
pub fn without_random_addresses() {
    // SAFETY: of programs that are yet to be started.
    unsafe {
        libc::personality(libc::ADDR_NO_RANDOMIZE as libc::c_ulong);
    }
}

/// Starts something, such as a thread, that no signal shall interrupt but those that it causes itself.
///
/// QEMU expects signals in the threads of the guest alone. One that these block would else be given to any other thread.
pub fn without_signals<T>(start: impl FnOnce() -> T) -> T {
    // SAFETY: both sets are written before they are read.
    unsafe {
        let mut all = core::mem::zeroed();
        let mut before = core::mem::zeroed();
        libc::sigfillset(&raw mut all);
        for own in [libc::SIGSEGV, libc::SIGBUS, libc::SIGFPE, libc::SIGILL] {
            libc::sigdelset(&raw mut all, own);
        }
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, &raw mut before);
        let started = start();
        libc::pthread_sigmask(libc::SIG_SETMASK, &raw const before, core::ptr::null_mut());
        started
    }
}

/// Gives this thread descriptors and a working directory of its own; of the process's descriptors it has none then. Where this is not allowed, as
/// in some containers, it keeps the process's, and [`Guarded`] sees to it that no harm is done.
///
/// # Errors
///
/// If there is no `/dev/null`, which stands for input and output.
pub fn isolate() -> Result<(), String> {
    // SAFETY: no descriptor that was opened before is touched by this thread from here on.
    unsafe {
        if libc::unshare(libc::CLONE_FILES | libc::CLONE_FS) != 0 {
            return Ok(());
        }
        // A pipe that the program closes must not stay open here.
        libc::syscall(libc::SYS_close_range, 0, libc::c_uint::MAX, 0);
    }
    for _ in 0..3 {
        let null = OpenOptions::new().read(true).write(true).open("/dev/null");
        let null = null.map_err(|error| format!("cannot open /dev/null: {error}"))?;
        if null.into_raw_fd() > 2 {
            break;
        }
    }
    Ok(())
}

/// A file that is written, and closed, only as long as its descriptor is its own.
#[derive(Debug)]
pub struct Guarded {
    file: ManuallyDrop<File>,
    identity: (u64, u64),
}

impl Guarded {
    /// An empty file.
    ///
    /// # Errors
    ///
    /// If it cannot be made.
    pub fn create(path: &Path) -> io::Result<Self> {
        let file = File::create(path)?;
        let identity = identity(&file.metadata()?);
        Ok(Self {
            file: ManuallyDrop::new(file),
            identity,
        })
    }

    /// Whether the descriptor is still that of the file.
    fn check(&self) -> io::Result<()> {
        match self.file.metadata() {
            Ok(data) if identity(&data) == self.identity => Ok(()),
            _ => Err(io::Error::other(
                "the program closed its descriptor, and this process may have none apart from the program's",
            )),
        }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        if self.check().is_ok() {
            // SAFETY: it is not touched again.
            unsafe { ManuallyDrop::drop(&mut self.file) }
        }
    }
}

fn identity(data: &Metadata) -> (u64, u64) {
    (data.dev(), data.ino())
}

impl Write for Guarded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.check()?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for Guarded {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.check()?;
        self.file.seek(to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::{AsRawFd, FromRawFd};

    #[test]
    fn a_descriptor_that_is_another_file_s_is_neither_written_to_nor_closed() {
        let folder = tempfile::tempdir().expect("a folder");
        let (own, other) = (folder.path().join("own"), folder.path().join("other"));
        let mut guarded = Guarded::create(&own).expect("a file");
        guarded.write_all(b"own").expect("written");
        let precious = File::create(&other).expect("a file");
        // SAFETY: the descriptor is open, and is given the other file, which stays open.
        assert!(unsafe { libc::dup2(precious.as_raw_fd(), guarded.file.as_raw_fd()) } >= 0);
        let error = guarded.write_all(b"own").expect_err("another file");
        assert!(
            error.to_string().contains("closed its descriptor"),
            "{error}"
        );
        assert_eq!(std::fs::read(&own).expect("the file"), b"own");
        assert_eq!(std::fs::read(&other).expect("the file"), b"");
        let number = guarded.file.as_raw_fd();
        drop(guarded);
        // SAFETY: open still, and nobody else's.
        let given = unsafe { File::from_raw_fd(number) };
        assert!(given.metadata().is_ok());
    }

    /// In a thread of its own, as it would take the other tests' descriptors away.
    #[test]
    fn a_thread_isolate_has_descriptors_of_its_own() {
        let mine = File::open("/dev/null").expect("a file");
        let number = mine.as_raw_fd();
        let thread = without_signals(|| {
            std::thread::spawn(move || {
                isolate().expect("/dev/null");
                // SAFETY: a file that is not closed here.
                let seen = ManuallyDrop::new(unsafe { File::from_raw_fd(number) });
                let is_apart = number < 3 || seen.metadata().is_err();
                // SAFETY: asks for nothing but the set.
                let blocked = unsafe {
                    let mut now = core::mem::zeroed();
                    libc::pthread_sigmask(libc::SIG_BLOCK, core::ptr::null(), &raw mut now);
                    libc::sigismember(&raw const now, libc::SIGUSR1)
                };
                (is_apart, blocked)
            })
        });
        let (is_apart, blocked) = thread.join().expect("no panic");
        assert!(is_apart || !may_unshare());
        assert_eq!(blocked, 1);
        assert!(mine.metadata().is_ok());
    }

    fn may_unshare() -> bool {
        let thread = std::thread::spawn(|| {
            // SAFETY: of this thread alone.
            unsafe { libc::unshare(libc::CLONE_FILES) == 0 }
        });
        thread.join().expect("no panic")
    }
}
