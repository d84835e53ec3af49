//! Isolates the model from the program, whose process is QEMU's.
//!
//! The model runs in a process that shares only memory with QEMU. It outlives a QEMU that a signal kills, and
//! receives none of the program's signals. It has its own descriptors and working directory, because a program may
//! close every descriptor or change its root.

use std::fs::OpenOptions;
use std::io;
use std::os::fd::IntoRawFd;
use std::thread::{self, JoinHandle};

use core::ffi::{c_int, c_void};

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
fn without_signals<T>(start: impl FnOnce() -> T) -> T {
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

/// Address space of a model's stack, of which the system gives what is used.
const STACK: usize = 8 << 20;

type Work = Box<dyn FnOnce() + Send>;

/// Runs work in a process that shares this one's memory, goes on when this one ends, and cannot be waited for by it. The thread lends the process its own
/// storage, and ends with it.
pub fn beside(work: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    let start = move || {
        let work: *mut Work = Box::into_raw(Box::new(Box::new(work)));
        // SAFETY: memory of its own; the work is handed over, and taken back if nobody took it. This thread goes on when the process has ended.
        unsafe {
            let (access, kind) = (
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
            );
            let stack = libc::mmap(core::ptr::null_mut(), STACK, access, kind, -1, 0);
            let shares = libc::CLONE_VM | libc::CLONE_VFORK;
            if stack == libc::MAP_FAILED
                || libc::clone(run, stack.byte_add(STACK), shares, work.cast()) < 0
            {
                drop(Box::from_raw(work));
            }
            if stack != libc::MAP_FAILED {
                libc::munmap(stack, STACK);
            }
        }
    };
    let thread = thread::Builder::new().name("hpp-model".into());
    without_signals(|| thread.spawn(start))
}

extern "C" fn run(work: *mut c_void) -> c_int {
    // SAFETY: `beside` hands it over.
    let work = unsafe { Box::from_raw(work.cast::<Work>()) };
    let _ = isolate();
    work();
    0
}

/// Lets go of the descriptors that came from the other process, of its group, and of input and output. A pipe that the program closes must not stay open here.
fn isolate() -> io::Result<()> {
    // SAFETY: descriptors of this process, of which nothing was opened here.
    unsafe {
        libc::setsid();
        libc::syscall(libc::SYS_close_range, 0, libc::c_uint::MAX, 0);
    }
    for _ in 0..3 {
        let null = OpenOptions::new()
            .read(true)
            .write(true)
            .open("/dev/null")?;
        if null.into_raw_fd() > 2 {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::mem::ManuallyDrop;
    use std::os::fd::{AsRawFd, FromRawFd};
    use std::sync::mpsc::channel;

    #[test]
    fn what_runs_beside_shares_memory_and_neither_descriptors_nor_signals() {
        let mine = File::open("/dev/null").expect("a file");
        let number = mine.as_raw_fd();
        let (sender, receiver) = channel();
        let thread = beside(move || {
            // SAFETY: a file that is not closed here.
            let seen = ManuallyDrop::new(unsafe { File::from_raw_fd(number) });
            let is_isolated = number < 3 || seen.metadata().is_err();
            // SAFETY: asks for nothing but the set.
            let blocked = unsafe {
                let mut now = core::mem::zeroed();
                libc::pthread_sigmask(libc::SIG_BLOCK, core::ptr::null(), &raw mut now);
                libc::sigismember(&raw const now, libc::SIGUSR1)
            };
            let _ = sender.send((std::process::id(), is_isolated, blocked));
        });
        let (process, is_isolated, blocked) = receiver.recv().expect("it runs");
        assert_ne!(process, std::process::id());
        assert!(is_isolated);
        assert_eq!(blocked, 1);
        assert!(mine.metadata().is_ok());
        thread.expect("a thread").join().expect("no panic");
    }
}
