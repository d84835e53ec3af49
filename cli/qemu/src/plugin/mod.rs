//! The functions that QEMU calls.
//!
//! A profiler belongs to a hart, and QEMU gives each thread of the guest a hart. A thread that begins after another ended may get its hart. The first thread
//! runs on hart 0. A child process has a copy of everything; it touches none of it, or begins anew with it.

mod callbacks;
mod fork;

use core::ffi::{c_char, c_int, c_uint};
use core::ptr::null_mut;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use core::sync::atomic::{AtomicBool, AtomicI32, AtomicPtr, AtomicU64};
use std::ffi::CStr;
use std::io;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use hpp_explore::trace::Isa;

use crate::api::{Api, Id, Info, Insn};
use crate::blocks::Translating;
use crate::calls::Calls;
use crate::consumer::{Blocks, Consumer, Line, REPLACING, no_blocks};
use crate::ending::Ending;
use crate::following::Asked;
use crate::hart::{Hart, LIMITED, Notes, RECORDING};
use crate::load_address::LoadAddress;
use crate::registers::Registers;
use crate::session::{Ended, Folder, Settings, of_hart, of_process};
use callbacks::Callbacks;

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

pub(crate) struct Plugin {
    api: Api,
    settings: Settings,
    calls: Calls,
    translating: Translating,
    /// The folder of the first process.
    root: Folder,
    load_address: OnceLock<LoadAddress>,
    registers: OnceLock<Registers>,
    known: Mutex<Known>,
}

/// What all harts share.
struct Known {
    process: usize,
    /// Where handlers of signals begin.
    handlers: Vec<u64>,
    /// Of a whole machine, the roots of user code's page tables, in the order in which they were first seen.
    spaces: Vec<u64>,
    lines: Vec<Line>,
}

/// The first context of user code.
const FIRST_SPACE: usize = 2;

/// How many harts are profiled at most: each needs a thread and some megabytes.
const HARTS: usize = 256;

pub(crate) static PLUGIN: OnceLock<Plugin> = OnceLock::new();
/// The state of each hart that has begun. Its thread uses it, and the hart's model once all threads have ended.
static HART: [AtomicPtr<Hart>; HARTS] = [const { AtomicPtr::new(null_mut()) }; HARTS];
/// What the callback of each block writes, for each hart.
static NOTES: [Notes; HARTS] = [const { Notes::new() }; HARTS];
/// The buffer of harts without a profiler, which nobody reads.
static NOWHERE: AtomicPtr<Blocks> = AtomicPtr::new(null_mut());
/// Whether a program that replaces this one gets a profile.
static FOLLOWING: AtomicBool = AtomicBool::new(false);
static OTHER_INSTRUCTIONS: AtomicU64 = AtomicU64::new(0);
static FORKS: AtomicU64 = AtomicU64::new(0);

/// QEMU has loaded the plugin; `hpp trace` gives it the folder to talk through.
/// Safety: To be called by QEMU, once.
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
    let value =
        |name| (0..count).find_map(|index| argument(index).strip_prefix(name).map(str::to_owned));
    let Some(folder) = value("folder=") else {
        eprintln!("hpp: the plugin wants folder=DIR; start it with `hpp trace`");
        return 1;
    };
    let root = Folder::new(folder.as_ref());
    let process = value("process=").and_then(|n| n.parse().ok()).unwrap_or(0);
    // SAFETY: QEMU gives a pointer to its description.
    match install(id, unsafe { &*info }, &root, process) {
        Ok(()) => 0,
        Err(problem) => {
            // If this cannot be written either, the command finds no result and reports that.
            let _ = root.of_process(process).set_outcome(&Err(problem));
            1
        }
    }
}

fn install(id: Id, info: &Info, root: &Folder, process: usize) -> Result<(), String> {
    // SAFETY: QEMU gave it.
    let target = unsafe { info.target() };
    let settings = root
        .of_process(process)
        .settings()
        .map_err(|error| format!("no settings: {error}"))?;
    let expected = match settings.header.isa {
        Isa::Riscv32 => "riscv32",
        Isa::Riscv64 => "riscv64",
        Isa::X86_64 => "x86_64",
    };
    if info.is_system != settings.is_machine || target != expected {
        let wanted = match settings.is_machine {
            true => "machines",
            false => "programs",
        };
        return Err(format!(
            "this QEMU emulates {target}; wanted: {wanted} of {expected}"
        ));
    }
    let api = Api::find(info.version).map_err(|name| {
        format!(
            "this QEMU, whose plugin interface is of version {}, has no {name}; QEMU 7.2 to 11.1, built with plugins, has",
            info.version
        )
    })?;
    let translating = Translating::default();
    let plugin = Plugin {
        api,
        calls: Calls(settings.header.isa),
        settings,
        translating,
        root: root.clone(),
        load_address: OnceLock::new(),
        registers: OnceLock::new(),
        known: Mutex::new(Known {
            process,
            handlers: Vec::new(),
            lines: Vec::new(),
            spaces: Vec::new(),
        }),
    };
    NOWHERE.store(Box::into_raw(no_blocks()), Relaxed);
    forget_harts();
    plugin.begin_hart(0)?;
    if PLUGIN.set(plugin).is_err() {
        return Err("the plugin is loaded already".into());
    }
    RECORDING.store(true, Relaxed);
    if let Some(Plugin { settings, .. }) = PLUGIN.get()
        && !settings.is_machine
    {
        crate::patch::allow(settings.limit.is_some());
    }
    // SAFETY: asks the system to end this process if the command that started it is killed: nobody would hear of the profile.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
    }
    let callbacks = Callbacks::new(api.has_ids());
    // SAFETY: the callbacks have the types that QEMU calls them by. An interface with ids does not take the last argument, which calls as QEMU is
    // compiled for allow. And the handlers only touch atomics.
    unsafe {
        libc::pthread_atfork(Some(fork::prepare), Some(fork::parent), Some(fork::child));
        (api.on_translate)(id, callbacks.translated, null_mut());
        (api.on_system_call)(id, callbacks.system_call, null_mut());
        (api.on_system_return)(id, callbacks.system_return, null_mut());
    }
    Ok(())
}

/// The blocks that a hart's thread did not hand over, given how many buffers its model got, and how the run ended. `None` if no block began.
fn ending(hart: u8, times: u64) -> Option<(&'static [u32], Ending)> {
    let (plugin, place) = (PLUGIN.get()?, HART[usize::from(hart)].load(Acquire));
    // SAFETY: the process of its thread has ended.
    let (blocks, instructions) = unsafe { place.as_ref() }?.rest(times);
    let ended = match (LIMITED.load(Relaxed), REPLACING.load(Relaxed)) {
        (true, _) => Ended::Limit,
        (false, true) => Ended::Replaced,
        (false, false) => Ended::Exited,
    };
    let ending = Ending {
        ended,
        instructions,
        other_instructions: OTHER_INSTRUCTIONS.load(Relaxed),
        forks: FORKS.load(Relaxed),
        spaces: (plugin.known.try_lock()).map_or(Vec::new(), |known| known.spaces.clone()),
        mapped: (plugin.load_address.get()).map_or(Vec::new(), LoadAddress::mapped),
        followed: FOLLOWING.load(Relaxed),
        noted: (hart == 0 && !plugin.settings.is_machine).then(crate::patch::state),
    };
    (times > 0 || !blocks.is_empty()).then_some((blocks, ending))
}

/// No hart has a profiler.
fn forget_harts() {
    HART.iter().for_each(|hart| hart.store(null_mut(), Relaxed));
    let nowhere = NOWHERE.load(Relaxed);
    (NOTES.iter()).for_each(|notes| notes.lead_nowhere(nowhere));
}

impl Plugin {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn folder(&self) -> Folder {
        self.root.of_process(self.known().process)
    }

    /// In a child process: from now on it has profilers of its own.
    fn begin_process(&self, mut known: MutexGuard<'_, Known>) -> io::Result<()> {
        let (process, folder) = self.root.claim()?;
        folder.set_settings(&self.settings)?;
        known.process = process;
        known.lines.clear();
        REPLACING.store(false, Relaxed);
        FOLLOWING.store(false, Relaxed);
        OTHER_INSTRUCTIONS.store(0, Relaxed);
        // The locks are held by the other process.
        forget_harts();
        Ok(())
    }

    /// The program asks to be replaced: if that can be followed, this does not return.
    fn replace(&self, number: i64, arguments: [u64; 4]) {
        if let (Some(command), Some(memory)) = (&self.settings.follow, self.load_address.get())
            && let Some(asked) = Asked::read(&self.settings, memory, number, arguments)
        {
            FOLLOWING.store(true, Relaxed);
            asked.follow(command, &self.root);
            FOLLOWING.store(false, Relaxed);
        }
    }

    /// How to read registers, found when a hart first asks.
    fn registers(&self) -> &Registers {
        let find = || Registers::find(self.settings.header.isa);
        self.registers
            .get_or_init(|| find().unwrap_or_else(|problem| self.give_up(problem)))
    }

    /// Why there can be no profile, at the beginning.
    fn give_up(&self, problem: String) -> ! {
        let _ = self.folder().set_outcome(&Err(problem));
        // SAFETY: ends the process at once; nothing of use has been done.
        unsafe { libc::_exit(1) }
    }

    /// The context of the user code that begins on a hart, after those of machine and supervisor level.
    fn context(&self) -> u8 {
        let root = self.registers().root();
        let spaces = &mut self.known().spaces;
        let place = spaces.iter().position(|&space| space == root);
        let place = place.unwrap_or_else(|| {
            spaces.push(root);
            spaces.len() - 1
        });
        u8::try_from(place + FIRST_SPACE).unwrap_or(u8::MAX)
    }

    fn begin_hart(&self, number: c_uint) -> Result<(), String> {
        let place = number as usize;
        let process = self.known().process;
        let folder = self.root.of_process(process).of_hart(place);
        let made = folder.make();
        made.map_err(|error| format!("cannot make a folder for hart {number}: {error}"))?;
        let write = self.settings.write.as_deref();
        let settings = Settings {
            write: write.map(|file| of_hart(&of_process(file, process), place)),
            ..self.settings.clone()
        };
        let translating = self.translating.clone();
        let consumer = Consumer::start(number as u8, folder, &settings, translating, ending)?;
        let line = consumer.line();
        let hart = Hart::new(consumer, settings.limit, &NOTES[place]);
        let mut known = self.known();
        known
            .handlers
            .iter()
            .for_each(|&handler| line.handler(handler));
        known.lines.push(line);
        HART[place].store(Box::into_raw(Box::new(hart)), Release);
        Ok(())
    }

    /// A handler of signals begins at this address, on every hart.
    fn handled_by(&self, handler: u64) {
        let mut known = self.known();
        known.lines.iter().for_each(|line| line.handler(handler));
        if !known.handlers.contains(&handler) {
            known.handlers.push(handler);
        }
    }

    /// Where the program is, when QEMU translates an instruction, the first before the program has done anything.
    /// Safety: `insn` must be of a block that QEMU gave to a callback that has not returned.
    unsafe fn find_program(&self, insn: *const Insn) -> &LoadAddress {
        self.load_address.get_or_init(|| {
            // SAFETY: as promised.
            let (guest, here) =
                unsafe { ((self.api.insn_address)(insn), (self.api.insn_place)(insn)) };
            let code = &self.settings.code;
            match LoadAddress::find(code, (here.addr() as u64).wrapping_sub(guest)) {
                Ok(address) => address,
                Err(error) => self.give_up(format!(
                    "cannot find where QEMU put {}: {error}",
                    code.file.display()
                )),
            }
        })
    }
}
