//! Replaces QEMU's calls for blocks by stores.
//!
//! QEMU's interface has calls, and stores to a fixed place, but none behind the one before. So the plugin asks for two calls at the beginning of a block. The
//! second, when it is made for the first time, overwrites both with a store of the block's word:
//!
//! ```text
//!   QEMU 7.2                  QEMU 10.0
//!   mov ebx, [rbp - x]        movabs rsi, word                   mov rax, [next]
//!   mov edi, ebx              xor edi, edi                       mov dword [rax], word
//!   movabs rsi, word          call nothing         become        add rax, 4
//!   call nothing              movabs rsi, word                   mov [next], rax
//!   mov edi, ebx              xor edi, edi                       test ax, ax
//!   movabs rsi, word          call begins                        jnz end
//!   call begins                                                  call full
//! ```
//!
//! This is done only where each byte is as it is known, where QEMU may write to its code as it runs, and as long as the guest has one thread, which is the
//! one that runs the code. Before a second thread begins, all blocks get a call again.
//!
//! Source: code of QEMU 7.2 and 10.0 for x86-64 (`-d out_asm`). Elsewhere the calls stay.

use core::ffi::c_void;
use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicBool, AtomicU8};
use std::fs;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Whether blocks are patched.
static ALLOWED: AtomicBool = AtomicBool::new(false);
/// Why they are not, or no more.
static REASON: AtomicU8 = AtomicU8::new(REASONS.len() as u8);
const REASONS: [&str; 5] = [
    "a processor other than x86-64",
    "HPP_TRACE_PATCH=0",
    "a limit, which is compared at each block",
    "QEMU's code, which is not as it is known",
    "a second thread",
];
const HOST: u8 = 0;
const FORBIDDEN: u8 = 1;
const LIMIT: u8 = 2;
const UNKNOWN: u8 = 3;
const THREAD: u8 = 4;

static PATCHES: Mutex<Patches> = Mutex::new(Patches {
    all: Vec::new(),
    region: 0..0,
});

/// Turns patching off if it is `0`.
pub const VARIABLE: &str = "HPP_TRACE_PATCH";

/// What was patched.
struct Patches {
    /// In the order in which they were made. A block that is translated again may be where another was.
    all: Vec<Patch>,
    /// Memory in which QEMU may write and run code.
    region: Range<usize>,
}

/// Code of QEMU that was patched.
#[derive(Clone, Copy)]
struct Patch {
    /// Where it ends.
    end: usize,
    /// The argument of its calls.
    argument: u64,
    /// The place behind `rbp` from which it loaded the hart's number; none if that was a constant.
    place: Option<u8>,
}

/// The length of a load of the hart's number, of a call, and of a load and two calls.
const LOAD: usize = 3;
const CALL: usize = 17;
const ROOM: usize = LOAD + 2 * CALL;

/// Code, which ends with the array and may begin behind its beginning, where there are zeros.
type Code = [u8; ROOM];

/// The functions that QEMU's code calls, by address, and the place of the next word.
#[derive(Clone, Copy)]
pub(crate) struct Addresses {
    /// Does nothing.
    pub nothing: usize,
    /// Notes a block, and patches it.
    pub begins_first: usize,
    /// Notes a block.
    pub begins: usize,
    /// Hands over a full buffer.
    pub full: usize,
    /// Where the place of the next word is kept.
    pub next: usize,
}

fn patches() -> MutexGuard<'static, Patches> {
    PATCHES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Allows to patch from now on, if nothing forbids it.
pub(crate) fn allow(has_limit: bool) {
    let is_off = std::env::var_os(VARIABLE).is_some_and(|value| value == "0");
    match () {
        () if !cfg!(target_arch = "x86_64") => REASON.store(HOST, Relaxed),
        () if is_off => REASON.store(FORBIDDEN, Relaxed),
        () if has_limit => REASON.store(LIMIT, Relaxed),
        () => ALLOWED.store(true, Relaxed),
    }
}

/// Forbids it for good. Returns whether it was allowed.
fn forbid(reason: u8) -> bool {
    REASON.store(reason, Relaxed);
    ALLOWED.swap(false, Relaxed)
}

#[inline(always)]
pub(crate) fn is_allowed() -> bool {
    ALLOWED.load(Relaxed)
}

/// How blocks are noted, and why not by stores. To be asked once the program has ended.
pub(crate) fn state() -> String {
    // The program may have been killed while it held the lock.
    let count = PATCHES.try_lock().map_or(0, |patches| patches.all.len());
    match REASONS.get(usize::from(REASON.load(Relaxed))) {
        None => format!("{count} times QEMU's calls were replaced by a store"),
        Some(why) if count > 0 => {
            format!(
                "{count} times QEMU's calls were replaced by a store, until they came back: {why}"
            )
        }
        Some(why) => format!("QEMU's calls were not replaced by stores: {why}"),
    }
}

/// The argument with which a patched block called, given the address behind its code. Linear in the number of patches.
pub(crate) fn argument(end: usize) -> Option<u64> {
    let patches = patches();
    let patch = patches.all.iter().rev().find(|patch| patch.end == end);
    patch.map(|patch| patch.argument)
}

/// Writes code that ends at an address, piece by piece.
struct Writer {
    code: Code,
    length: usize,
    end: usize,
}

impl Writer {
    fn put<const N: usize>(&mut self, bytes: [u8; N]) {
        self.code[self.length..self.length + N].copy_from_slice(&bytes);
        self.length += N;
    }

    /// The last four bytes of an instruction, by which it reaches an address.
    fn reach(&mut self, to: usize) -> Option<()> {
        let behind = self.end - ROOM + self.length + 4;
        let far = to.wrapping_sub(behind).cast_signed();
        self.put(i32::try_from(far).ok()?.to_le_bytes());
        Some(())
    }
}

impl Patch {
    /// Where the code begins within a [`Code`].
    const fn begin(self) -> usize {
        if self.place.is_some() { 0 } else { LOAD }
    }

    const fn writer(self) -> Writer {
        Writer {
            code: [0; ROOM],
            length: self.begin(),
            end: self.end,
        }
    }

    /// QEMU's code: two calls.
    fn calls(self, functions: [usize; 2]) -> Option<Code> {
        let mut code = self.writer();
        if let Some(place) = self.place {
            code.put([0x8b, 0x5d, place]);
        }
        for function in functions {
            if self.place.is_some() {
                code.put([0x8b, 0xfb]);
            }
            code.put([0x48, 0xbe]);
            code.put(self.argument.to_le_bytes());
            if self.place.is_none() {
                code.put([0x33, 0xff]);
            }
            code.put([0xe8]);
            code.reach(function)?;
        }
        Some(code.code)
    }

    /// The code that stores the word.
    fn store(self, to: &Addresses) -> Option<Code> {
        let mut code = self.writer();
        code.put([0x48, 0x8b, 0x05]);
        code.reach(to.next)?;
        code.put([0xc7, 0x00]);
        code.put((self.argument as u32).to_le_bytes());
        code.put([0x48, 0x83, 0xc0, 0x04, 0x48, 0x89, 0x05]);
        code.reach(to.next)?;
        // The rest is jumped over but where the place behind the buffer is reached.
        code.put([0x66, 0x85, 0xc0, 0x75, (LOAD - self.begin()) as u8 + 5]);
        if self.place.is_some() {
            code.put([0x0f, 0x1f, 0x00]);
        }
        code.put([0xe8]);
        code.reach(to.full)?;
        Some(code.code)
    }

    /// The code with one call, which takes the place of the second.
    fn one_call(self, to: &Addresses) -> Option<Code> {
        let mut code = self.calls([to.nothing, to.begins])?;
        // A jump over the first.
        code[LOAD..LOAD + 2].copy_from_slice(&[0xeb, CALL as u8 - 2]);
        Some(code)
    }

    /// What is there now.
    /// Safety: There must be code.
    unsafe fn found(self) -> Code {
        let mut code = [0; ROOM];
        let length = ROOM - self.begin();
        let from = core::ptr::with_exposed_provenance::<u8>(self.end - length);
        // SAFETY: as promised.
        unsafe { from.copy_to_nonoverlapping(code[self.begin()..].as_mut_ptr(), length) };
        code
    }

    /// Safety: There must be code that may be written to, and that no thread runs.
    unsafe fn write(self, code: &Code) {
        let length = ROOM - self.begin();
        let to = core::ptr::with_exposed_provenance_mut::<u8>(self.end - length);
        // SAFETY: as promised.
        unsafe { to.copy_from_nonoverlapping(code[self.begin()..].as_ptr(), length) };
    }
}

impl Patches {
    /// Whether QEMU may write and run code there.
    fn may_write(&mut self, code: &Range<usize>) -> bool {
        let holds = |region: &Range<usize>| region.start <= code.start && code.end <= region.end;
        if !holds(&self.region) {
            let maps = fs::read_to_string("/proc/self/maps").unwrap_or_default();
            let found = maps.lines().filter_map(writable).find(holds);
            self.region = found.unwrap_or(0..0);
        }
        holds(&self.region)
    }
}

/// The addresses of a line of Linux's table of mappings, if they can be written to and run.
fn writable(line: &str) -> Option<Range<usize>> {
    let (range, rest) = line.split_once(' ')?;
    let (start, end) = range.split_once('-')?;
    let number = |text| usize::from_str_radix(text, 16).ok();
    rest.starts_with("rwx")
        .then_some(number(start)?..number(end)?)
}

/// Patches the block whose second call, with this argument, returns to `end`.
///
/// Safety: To be called by the guest's only thread, in that call.
pub(crate) unsafe fn patch(end: *mut u8, argument: *mut c_void, to: &Addresses) {
    let mut patches = patches();
    // SAFETY: QEMU's code, of which there is more in front: it checks first whether it is to stop.
    let place = unsafe { *end.sub(ROOM - 2) };
    let is_known = |patch: &Patch| {
        // SAFETY: as above.
        let found = unsafe { patch.found() };
        patch.calls([to.nothing, to.begins_first]) == Some(found)
    };
    let shapes = [None, Some(place)].map(|place| Patch {
        end: end.expose_provenance(),
        argument: argument.addr() as u64,
        place,
    });
    let patch = shapes.into_iter().find(is_known);
    let patch = patch.filter(|patch| patches.may_write(&(patch.end - ROOM..patch.end)));
    let Some((patch, store)) = patch.and_then(|patch| Some((patch, patch.store(to)?))) else {
        // This QEMU has other code.
        if patches.all.is_empty() {
            forbid(UNKNOWN);
        }
        return;
    };
    patches.all.push(patch);
    // SAFETY: as promised; the bytes were compared, and may be written to.
    unsafe { patch.write(&store) };
}

/// Puts a call back in each block that was patched, for good.
///
/// Safety: To be called by the guest's only thread, outside QEMU's code.
pub(crate) unsafe fn undo(to: &Addresses) {
    if !is_allowed() || !forbid(THREAD) {
        return;
    }
    // Of those in one place, the one that was made last is there.
    for patch in patches().all.iter().rev() {
        // SAFETY: QEMU keeps its memory for code. What it has put there since stays.
        unsafe {
            if Some(patch.found()) == patch.store(to)
                && let Some(call) = patch.one_call(to)
            {
                patch.write(&call);
            }
        }
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;
    use core::sync::atomic::{AtomicPtr, AtomicU32, AtomicU64};

    /// Where the next word goes.
    static NEXT: AtomicPtr<u32> = AtomicPtr::new(core::ptr::null_mut());
    /// The hart of which QEMU's code tells.
    static HART: AtomicU32 = AtomicU32::new(7);
    /// Calls of each function.
    static CALLS: [AtomicU64; 4] = [const { AtomicU64::new(0) }; 4];

    fn calls() -> [u64; 4] {
        core::array::from_fn(|at| CALLS[at].load(Relaxed))
    }

    extern "C" fn nothing(_: u32, _: *mut c_void) {
        CALLS[0].fetch_add(1, Relaxed);
    }

    #[unsafe(naked)]
    extern "C" fn begins_first(hart: u32, begun: *mut c_void) {
        core::arch::naked_asm!("mov rdx, [rsp]", "jmp {}", sym begins_from)
    }

    unsafe extern "C" fn begins_from(hart: u32, begun: *mut c_void, code: *mut u8) {
        assert_eq!((hart, begun.addr() as u64), (HART.load(Relaxed), ARGUMENT));
        CALLS[1].fetch_add(1, Relaxed);
        // SAFETY: the code called.
        unsafe { patch(code, begun, &addresses()) };
    }

    extern "C" fn begins(hart: u32, begun: *mut c_void) {
        assert_eq!((hart, begun.addr() as u64), (HART.load(Relaxed), ARGUMENT));
        CALLS[2].fetch_add(1, Relaxed);
    }

    #[unsafe(naked)]
    extern "C" fn full() {
        core::arch::naked_asm!("mov rdi, [rsp]", "jmp {}", sym full_from)
    }

    extern "C" fn full_from(code: *mut u8) {
        assert_eq!(argument(code.addr()), Some(ARGUMENT));
        CALLS[3].fetch_add(1, Relaxed);
    }

    const ARGUMENT: u64 = 1 << 62 | 5 << 32 | 0x4500_0123;

    fn addresses() -> Addresses {
        Addresses {
            nothing: nothing as *const () as usize,
            begins_first: begins_first as *const () as usize,
            begins: begins as *const () as usize,
            full: full as *const () as usize,
            next: NEXT.as_ptr().addr(),
        }
    }

    /// The first or a later page near the functions, as QEMU's code is near the plugin.
    fn page(place: usize, access: i32) -> *mut u8 {
        let near = (nothing as *const () as usize & !0xfff) - ((64 - place) << 20);
        let (at, kind) = (
            core::ptr::without_provenance_mut(near),
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
        );
        // SAFETY: memory of its own.
        let page = unsafe { libc::mmap(at, 4096, access, kind, -1, 0) };
        assert_ne!(page, libc::MAP_FAILED);
        page.cast()
    }

    /// Writes a function that sets `rbp` and has the code of a block; returns where that ends.
    fn write_block(place: *mut u8, load: Option<u8>) -> *mut u8 {
        // push rbp; push rbx; push rax; mov rbp, rdi; then the code, then pop rax; pop rbx; pop rbp; ret.
        let begin = [0x55, 0x53, 0x50, 0x48, 0x8b, 0xef];
        let length = if load.is_some() { ROOM } else { ROOM - LOAD };
        let patch = Patch {
            end: place.addr() + begin.len() + length,
            argument: ARGUMENT,
            place: load,
        };
        let code = patch.calls([addresses().nothing, addresses().begins_first]);
        let code = &code.expect("functions that are near")[ROOM - length..];
        let all = [&begin, code, &[0x58, 0x5b, 0x5d, 0xc3]].concat();
        // SAFETY: within the page.
        unsafe { core::ptr::copy_nonoverlapping(all.as_ptr(), place, all.len()) };
        core::ptr::with_exposed_provenance_mut(patch.end)
    }

    const ALL: i32 = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;

    /// Runs a block that is written to a place: it calls once, then stores, up to the end of the buffer.
    fn stores_after_a_call(place: *mut u8, load: Option<u8>, buffer: &mut [u32]) {
        HART.store(if load.is_some() { 7 } else { 0 }, Relaxed);
        write_block(place, load);
        let [nothing, first, once, full] = calls();
        let start = buffer.as_mut_ptr().expose_provenance();
        let end = (start + (1 << 16)).next_multiple_of(1 << 16) - 8;
        NEXT.store(core::ptr::with_exposed_provenance_mut(end), Relaxed);
        run(place);
        assert_eq!(calls(), [nothing + 1, first + 1, once, full]);
        run(place);
        assert_eq!(calls(), [nothing + 1, first + 1, once, full]);
        assert_eq!(NEXT.load(Relaxed).addr(), end + 4);
        run(place);
        assert_eq!(calls(), [nothing + 1, first + 1, once, full + 1]);
        let at = (end - start) / 4;
        assert_eq!(buffer[at..at + 2], [ARGUMENT as u32; 2]);
    }

    fn run(place: *mut u8) {
        let hart = [7_u32];
        // SAFETY: the page has a function of this type.
        unsafe {
            let function: extern "C" fn(*const u32) = core::mem::transmute(place);
            function(hart.as_ptr());
        }
    }

    /// One test, as what is patched is a state of the process.
    #[test]
    fn calls_become_stores_where_each_byte_is_known_and_come_back_as_one_call() {
        allow(false);
        let (place, constant) = (page(0, ALL), page(3, ALL));
        let mut buffer = vec![0_u32; 1 << 16];
        stores_after_a_call(place, Some(0), &mut buffer);
        stores_after_a_call(constant, None, &mut buffer);
        assert!(
            state().starts_with("2 times QEMU's calls were replaced"),
            "{}",
            state()
        );

        // A byte that differs, or a page that QEMU could not run.
        let other = page(1, ALL);
        let data = page(2, libc::PROT_READ | libc::PROT_WRITE);
        let argument = core::ptr::without_provenance_mut(ARGUMENT as usize);
        // SAFETY: within the pages.
        let patched = |end: *mut u8| unsafe {
            let code = end.sub(ROOM).cast::<Code>();
            let before = *code;
            patch(end, argument, &addresses());
            *code != before
        };
        for load in [Some(0), None] {
            let length = if load.is_some() { ROOM } else { ROOM - LOAD };
            // The place from which the hart's number is loaded may be any.
            for byte in (1..=length).filter(|&byte| byte != ROOM - 2) {
                let end = write_block(other, load);
                // SAFETY: as above.
                unsafe { *end.sub(byte) ^= 1 };
                assert!(!patched(end), "byte {byte} before the end");
            }
            assert!(!patched(write_block(data, load)));
            // Translated again: what is there now is what counts.
            assert!(patched(write_block(other, load)));
        }
        write_block(other, Some(0));

        // SAFETY: the code does not run.
        unsafe { undo(&addresses()) };
        let [nothing, first, once, full] = calls();
        run(constant);
        HART.store(7, Relaxed);
        run(place);
        assert_eq!(calls(), [nothing, first, once + 2, full]);
        run(other);
        assert_eq!(calls(), [nothing + 1, first + 1, once + 2, full]);
        assert!(state().ends_with("a second thread"), "{}", state());
        assert!(!is_allowed());
    }
}
