//! The functions that QEMU calls.
//!
//! The guest's first thread is profiled: a profiler belongs to a core. Instructions of others are counted. A child process
//! has a copy of everything and touches none of it.

use core::ffi::{c_char, c_int, c_uint, c_void};
use core::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering::Relaxed};
use std::cell::UnsafeCell;
use std::ffi::CStr;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Instant;

use hpp_trace::Isa;

use crate::api::{Api, Id, Info, Insn, Tb};
use crate::block::Block;
use crate::blocks::Translating;
use crate::calls::Calls;
use crate::consumer::{BLOCKS, Blocks, Consumer, Line, Summary, no_blocks};
use crate::load_address::LoadAddress;
use crate::session::{Ended, Folder, Settings};

/// The interface's version, for QEMU, which reads it when it has loaded the plugin.
#[unsafe(export_name = "qemu_plugin_version")]
pub static PLUGIN_VERSION: AtomicI32 = AtomicI32::new(0);

/// Called by the system as it loads the plugin.
// SAFETY: the section holds functions of this type.
#[used]
#[unsafe(link_section = ".init_array")]
static AT_LOADING: extern "C" fn() = choose_version;

extern "C" fn choose_version() {
    PLUGIN_VERSION.store(crate::api::version(), Relaxed);
}

/// What does not change.
struct Plugin {
    api: Api,
    settings: Settings,
    calls: Calls,
    translating: Translating,
    line: Line,
    folder: Folder,
    load_address: OnceLock<LoadAddress>,
    began: Instant,
}

/// What the first thread alone touches.
struct FirstThread {
    /// Blocks that began since the consumer was told, and how many.
    blocks: Box<Blocks>,
    count: usize,
    /// Instructions of the blocks that began.
    instructions: u64,
    consumer: Consumer,
    /// Instructions after which it is looked whether to stop.
    limit: u64,
}

/// A value that one thread at a time touches, which its users see to.
struct Shared<T>(UnsafeCell<Option<T>>);

// SAFETY: callbacks look at the thread's number first; where the program ends, QEMU has stopped every thread but those in a system call, and
// of these the first holds `ENDING` for as long as it touches anything.
unsafe impl<T> Sync for Shared<T> {}

static PLUGIN: OnceLock<Plugin> = OnceLock::new();
static FIRST: Shared<FirstThread> = Shared(UnsafeCell::new(None));
/// Whether records are taken: not in child processes, and not once the recording ended.
static RECORDING: AtomicBool = AtomicBool::new(false);
/// Held by who tells how it ended.
static ENDING: Mutex<()> = Mutex::new(());
static OTHER_INSTRUCTIONS: AtomicU64 = AtomicU64::new(0);
static FORKS: AtomicU64 = AtomicU64::new(0);

/// QEMU has loaded the plugin; `hpp trace` gives it the folder to talk through.
///
/// # Safety
///
/// To be called by QEMU, once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qemu_plugin_install(
    id: Id,
    info: *const Info,
    count: c_int,
    arguments: *const *const c_char,
) -> c_int {
    let argument = |index| {
        // SAFETY: QEMU gives `count` strings.
        let text = unsafe { CStr::from_ptr(*arguments.add(index)) };
        text.to_string_lossy().into_owned()
    };
    let count = usize::try_from(count).unwrap_or(0);
    let folder = (0..count).find_map(|index| Some(argument(index).strip_prefix("folder=")?.into()));
    let Some(folder): Option<PathBuf> = folder else {
        eprintln!("hpp: the plugin wants folder=DIR; start it with `hpp trace`");
        return 1;
    };
    let folder = Folder::new(&folder);
    // SAFETY: QEMU gives a pointer to its description.
    match install(id, unsafe { &*info }, &folder) {
        Ok(()) => 0,
        Err(problem) => {
            // If this cannot be said either, the command sees that nothing came.
            let _ = folder.set_outcome(&Err(problem));
            1
        }
    }
}

fn install(id: Id, info: &Info, folder: &Folder) -> Result<(), String> {
    // SAFETY: QEMU gave it.
    let target = unsafe { info.target() };
    let settings = folder
        .settings()
        .map_err(|error| format!("no settings: {error}"))?;
    let expected = match settings.header.isa {
        Isa::Riscv32 => "riscv32",
        Isa::Riscv64 => "riscv64",
        Isa::X86_64 => "x86_64",
    };
    if info.is_system() || target != expected {
        return Err(format!(
            "this QEMU emulates {target}; wanted: programs of {expected}"
        ));
    }
    let api = Api::find(info.version()).map_err(|name| {
        format!(
            "this QEMU, whose plugin interface is of version {}, has no {name}; QEMU 7.2 to 10.2, built with plugins, has",
            info.version()
        )
    })?;
    let translating = Translating::default();
    let consumer = Consumer::start(folder.clone(), &settings, translating.clone())?;
    let line = consumer.line();
    let first = FirstThread {
        blocks: no_blocks(),
        count: 0,
        instructions: 0,
        consumer,
        limit: settings.limit.unwrap_or(u64::MAX),
    };
    // SAFETY: no callback is registered yet, so nothing else looks at it.
    unsafe { *FIRST.0.get() = Some(first) };
    let plugin = Plugin {
        api,
        calls: Calls(settings.header.isa),
        settings,
        translating,
        line,
        folder: folder.clone(),
        load_address: OnceLock::new(),
        began: Instant::now(),
    };
    if PLUGIN.set(plugin).is_err() {
        return Err("the plugin is loaded already".into());
    }
    RECORDING.store(true, Relaxed);
    // SAFETY: asks the system to end this process if the command that started it is killed: nobody would hear of the profile.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
    }
    // SAFETY: the callbacks have the types that QEMU calls them by, and the handlers only touch atomics.
    unsafe {
        libc::pthread_atfork(None, Some(forked), Some(is_child));
        (api.on_translate)(id, translated);
        (api.on_system_call)(id, system_call);
        (api.on_system_return)(id, system_return);
        (api.on_exit)(id, exits, core::ptr::null_mut());
    }
    Ok(())
}

unsafe extern "C" fn forked() {
    FORKS.fetch_add(1, Relaxed);
}

unsafe extern "C" fn is_child() {
    RECORDING.store(false, Relaxed);
    // SAFETY: the child has one thread, this one.
    if let Some(first) = unsafe { &mut *FIRST.0.get() } {
        first.limit = 0;
    }
}

/// A block was translated: it is to call [`begins`]. Not in a child process, where a lock may have been held by a thread that it has not.
unsafe extern "C" fn translated(_: Id, tb: *mut Tb) {
    if !RECORDING.load(Relaxed) {
        return;
    }
    let Some(plugin) = PLUGIN.get() else {
        return;
    };
    let Plugin { api, settings, .. } = plugin;
    // SAFETY: QEMU gives a block with at least one instruction, and its last instruction's bytes.
    unsafe {
        let count = (api.tb_instructions)(tb);
        let last: *mut Insn = (api.tb_instruction)(tb, count.saturating_sub(1));
        if last.is_null() {
            return;
        }
        let (bytes, size) = api.bytes(last);
        let bytes = &bytes[..size];
        let isa = settings.header.isa;
        let address = plugin.find_program(last);
        let (start, last) = ((api.tb_address)(tb), (api.insn_address)(last));
        let mut block = Block::new(isa, start, count as u32, last, bytes);
        if count > 1 {
            let (bytes, size) = api.bytes((api.tb_instruction)(tb, count - 2));
            block = block.behind(isa, &bytes[..size]);
        }
        let begun = Begun {
            // The block before has counted it.
            instructions: if block.repeats(isa, bytes) {
                0
            } else {
                count as u32
            },
            number: plugin.translating.number(address.block(block)),
        };
        api.call_on_execute(tb, begins, begun.pack());
    }
}

/// What [`begins`] is told of a block: a pointer's worth, so that it need not look anywhere.
struct Begun {
    instructions: u32,
    number: u32,
}

impl Begun {
    const fn pack(&self) -> *mut c_void {
        let word = (self.instructions as usize) << 32 | self.number as usize;
        core::ptr::without_provenance_mut(word)
    }

    fn unpack(word: *mut c_void) -> Self {
        let word = word.addr();
        Self {
            instructions: (word >> 32) as u32,
            number: word as u32,
        }
    }
}

/// A block begins to run. QEMU's thread does little else than this: whether blocks are recorded at all is looked at [elsewhere](FirstThread::pause).
unsafe extern "C" fn begins(thread: c_uint, begun: *mut c_void) {
    let begun = Begun::unpack(begun);
    if thread != 0 {
        OTHER_INSTRUCTIONS.fetch_add(begun.instructions.into(), Relaxed);
        return;
    }
    // SAFETY: this is the first thread.
    if let Some(first) = unsafe { &mut *FIRST.0.get() } {
        first.begin(&begun);
    }
}

/// The guest asks for something: perhaps to be replaced, of which QEMU tells nothing more, or for signals to be handled.
#[rustfmt::skip]
unsafe extern "C" fn system_call(
    _: Id, thread: c_uint, number: i64, _: u64, second: u64, _: u64, _: u64, _: u64, _: u64, _: u64, _: u64,
) {
    let Some(plugin) = PLUGIN.get().filter(|_| RECORDING.load(Relaxed)) else {
        return;
    };
    if plugin.calls.sets_handler(number)
        && let Some(handler) = plugin.handler(second)
    {
        plugin.line.handler(handler);
    }
    if !plugin.calls.replaces(number) {
        return;
    }
    let _ending = ENDING.lock().unwrap_or_else(PoisonError::into_inner);
    if thread != 0 {
        // What the first thread has not handed over is out of reach.
        plugin.line.end(plugin.summary(Ended::ReplacedByThread, None));
        return;
    }
    // SAFETY: this is the first thread.
    if let Some(first) = unsafe { &mut *FIRST.0.get() } {
        first.end(plugin, Ended::Replaced);
    }
}

/// A system call returns: if it was to replace the program, it has not.
unsafe extern "C" fn system_return(_: Id, _: c_uint, number: i64, _: i64) {
    let plugin = PLUGIN.get().filter(|plugin| plugin.calls.replaces(number));
    if let Some(plugin) = plugin.filter(|_| RECORDING.load(Relaxed)) {
        plugin.line.go_on();
    }
}

/// The program ends.
unsafe extern "C" fn exits(_: Id, _: *mut c_void) {
    let Some(plugin) = PLUGIN.get().filter(|_| RECORDING.swap(false, Relaxed)) else {
        return;
    };
    let _ending = ENDING.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: QEMU has stopped every thread, or it waits for `ENDING`.
    if let Some(first) = unsafe { &mut *FIRST.0.get() } {
        first.end(plugin, Ended::Exited);
    }
}

impl Plugin {
    /// Where the handler of a `struct sigaction` begins, the first word of it.
    fn handler(&self, action: u64) -> Option<u64> {
        let mut word = [0; 8];
        let bytes = match self.settings.header.isa {
            Isa::X86_64 | Isa::Riscv64 => 8,
            Isa::Riscv32 => 4,
        };
        let address = self.load_address.get()?;
        let action = address.base.wrapping_add(action);
        let local = libc::iovec {
            iov_base: word.as_mut_ptr().cast(),
            iov_len: bytes,
        };
        let remote = libc::iovec {
            iov_base: core::ptr::without_provenance_mut(usize::try_from(action).ok()?),
            iov_len: bytes,
        };
        // SAFETY: the system writes to `word` alone, and fails where nothing can be read.
        let read = unsafe {
            libc::process_vm_readv(libc::getpid(), &raw const local, 1, &raw const remote, 1, 0)
        };
        let handler = u64::from_le_bytes(word);
        (read > 0 && handler > 1).then(|| address.address(handler))
    }

    /// Where the program is, when QEMU translates an instruction, the first before the program has done anything.
    ///
    /// # Safety
    ///
    /// `insn` must be of a block that QEMU gave to a callback that has not returned.
    unsafe fn find_program(&self, insn: *const Insn) -> &LoadAddress {
        self.load_address.get_or_init(|| {
            // SAFETY: as promised.
            let (guest, here) =
                unsafe { ((self.api.insn_address)(insn), (self.api.insn_place)(insn)) };
            let code = &self.settings.code;
            match LoadAddress::find(code, (here.addr() as u64).wrapping_sub(guest)) {
                Ok(address) => address,
                Err(error) => {
                    let place = code.file.display();
                    let problem = format!("cannot find where QEMU put {place}: {error}");
                    let _ = self.folder.set_outcome(&Err(problem));
                    // SAFETY: ends the process at once; the program has not begun.
                    unsafe { libc::_exit(1) }
                }
            }
        })
    }

    /// What is known at the end; without the first thread's instructions, those that were handed over count.
    fn summary(&self, ended: Ended, instructions: Option<u64>) -> Summary {
        Summary {
            ended,
            instructions,
            other_instructions: OTHER_INSTRUCTIONS.load(Relaxed),
            forks: FORKS.load(Relaxed),
            time: self.began.elapsed(),
        }
    }
}

impl FirstThread {
    /// A block begins.
    #[inline(always)]
    fn begin(&mut self, begun: &Begun) {
        let (retired, count) = (self.instructions, self.count);
        self.instructions = retired + u64::from(begun.instructions);
        self.blocks[count % BLOCKS] = begun.number;
        self.count = count + 1;
        if (count == BLOCKS - 1) | (retired >= self.limit) {
            self.pause(retired);
        }
    }

    /// There is no room for more blocks, or so many instructions have retired that the program ends before this one. A child process
    /// forgets its blocks.
    #[cold]
    #[inline(never)]
    fn pause(&mut self, retired: u64) {
        if !RECORDING.load(Relaxed) {
            self.count = 0;
        } else if retired < self.limit {
            self.hand_over();
        } else {
            self.instructions = retired;
            self.stop();
        }
    }

    fn hand_over(&mut self) {
        let empty = self.consumer.empty();
        let blocks = core::mem::replace(&mut self.blocks, empty);
        let count = core::mem::take(&mut self.count);
        self.consumer.send(blocks, count, self.instructions);
    }

    fn stop(&mut self) -> ! {
        if RECORDING.swap(false, Relaxed)
            && let Some(plugin) = PLUGIN.get()
        {
            self.end(plugin, Ended::Limit);
        }
        // SAFETY: ends the process at once; what the guest has not written yet stays unwritten.
        unsafe { libc::_exit(0) }
    }

    fn end(&mut self, plugin: &Plugin, ended: Ended) {
        self.hand_over();
        plugin
            .line
            .end(plugin.summary(ended, Some(self.instructions)));
    }
}
