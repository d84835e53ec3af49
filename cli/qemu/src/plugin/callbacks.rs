//! What QEMU calls while the guest runs.

use core::ffi::{c_uint, c_void};
use core::ptr::null_mut;
use core::sync::atomic::Ordering::Relaxed;

use super::{HART, HARTS, NOTES, NOWHERE, OTHER_INSTRUCTIONS, PLUGIN, Plugin};
use crate::api::{Callback, Id, Insn, Tb};
use crate::block::{Block, USER};
use crate::consumer::REPLACING;
use crate::hart::{Begun, RECORDING};
use crate::patch;

/// What QEMU is to call.
pub(super) struct Callbacks {
    pub(super) translated: Callback,
    /// For a system call: thread, number, arguments.
    pub(super) system_call: Callback,
    /// For its return: thread, number, what it returns.
    pub(super) system_return: Callback,
}

impl Callbacks {
    /// Of an interface whose callbacks have the plugin's number or not.
    pub(super) fn new(have_ids: bool) -> Self {
        match have_ids {
            true => Self {
                translated: with_id::translated as Callback,
                system_call: with_id::system_call as Callback,
                system_return: with_id::system_return as Callback,
            },
            false => Self {
                translated: translated as Callback,
                system_call: system_call as Callback,
                system_return: system_return as Callback,
            },
        }
    }
}

const TOO_MANY_BLOCKS: &str = "the program has more than 16,777,216 different blocks of code";

/// The same as those without.
#[rustfmt::skip]
mod with_id {
    use super::{Id, Tb, c_uint, null_mut};

    pub(super) unsafe extern "C" fn translated(_: Id, tb: *mut Tb) {
        // SAFETY: as QEMU called this.
        unsafe { super::translated(tb, null_mut()) }
    }

    pub(super) unsafe extern "C" fn system_call(
        _: Id, hart: c_uint, number: i64, a: u64, b: u64, c: u64, d: u64, e: u64, f: u64, g: u64, h: u64,
    ) {
        // SAFETY: as QEMU called this.
        unsafe { super::system_call(hart, number, a, b, c, d, e, f, g, h, null_mut()) }
    }

    pub(super) unsafe extern "C" fn system_return(_: Id, hart: c_uint, number: i64, result: i64) {
        // SAFETY: as QEMU called this.
        unsafe { super::system_return(hart, number, result, null_mut()) }
    }
}

/// A block was translated: it is to call [`begins`]. Not in a child process, where a lock may have been held by a thread that it has not.
unsafe extern "C" fn translated(tb: *mut Tb, _: *mut c_void) {
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
        let insn: *mut Insn = (api.tb_instruction)(tb, count.saturating_sub(1));
        if insn.is_null() {
            return;
        }
        let (bytes, size) = api.bytes(insn);
        let bytes = &bytes[..size];
        let isa = settings.header.isa;
        let is_zcm = Block::is_shared(isa, bytes) && api.is_zcm(insn);
        let place = (!settings.is_machine).then(|| plugin.find_program(insn));
        let (start, last) = ((api.tb_address)(tb), (api.insn_address)(insn));
        let mut block = Block::new(isa, start, count as u32, last, bytes);
        if is_zcm {
            block = block.with_zcm(bytes);
        }
        if count > 1 && !settings.is_machine {
            let (bytes, size) = api.bytes((api.tb_instruction)(tb, count - 2));
            block = block.preceded_by(isa, &bytes[..size]);
        }
        // The block before has counted this instruction.
        let repeats = block.repeats(isa, bytes);
        let offset = |place| ((api.insn_address)((api.tb_instruction)(tb, place)) - start) as u16;
        let block = block.with_offsets((1..count).map(offset).collect());
        let begun = |block: Block| {
            let is_user = settings.is_machine && block.privilege == USER;
            let instructions = if repeats { 0 } else { block.instructions };
            let word = plugin.translating.word(block, instructions);
            let word = word.unwrap_or_else(|| plugin.give_up(TOO_MANY_BLOCKS.to_owned()));
            Begun {
                is_user,
                instructions,
                word,
            }
        };
        let block = match place {
            Some(place) => {
                let begun = begun(place.block(block));
                let begins = match settings.limit {
                    None if patch::is_allowed() => {
                        api.call_on_execute(tb, nothing, begun.pack());
                        begins_first
                    }
                    None => begins,
                    Some(_) => begins_with_limit,
                };
                return api.call_on_execute(tb, begins, begun.pack());
            }
            None => {
                let registers = plugin.registers();
                if registers.is_handler(start) {
                    plugin.handled_by(start);
                }
                block.at(registers.privilege())
            }
        };
        let front = match block.may_end_inside() {
            true => {
                let (front, end) = block.split();
                let is_user = false;
                let begun = Begun {
                    is_user,
                    ..begun(end)
                };
                api.call_on_instruction(insn, begins_with_limit, begun.pack());
                front
            }
            false => block,
        };
        api.call_to_read(tb, begins_in_machine, begun(front).pack());
    }
}

/// A block of a program begins to run. This is almost all that QEMU's thread does: whether there is a profiler, and whether blocks are recorded at
/// all, is checked when [the buffer is full](crate::hart::Notes).
unsafe extern "C" fn begins(hart: c_uint, begun: *mut c_void) {
    match NOTES.get(hart as usize) {
        // SAFETY: this is the thread on it.
        Some(notes) if unsafe { !notes.note(begun) } => {}
        // SAFETY: as above.
        _ => unsafe { is_full(hart, begun) },
    }
}

/// Gives a [patch](patch) its room.
unsafe extern "C" fn nothing(_: c_uint, _: *mut c_void) {}

/// The same as [`begins`] for the first time, and says where QEMU's code is.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
unsafe extern "C" fn begins_first(hart: c_uint, begun: *mut c_void) {
    core::arch::naked_asm!("mov rdx, [rsp]", "jmp {}", sym begins_from)
}

#[cfg(not(target_arch = "x86_64"))]
unsafe extern "C" fn begins_first(hart: c_uint, begun: *mut c_void) {
    // SAFETY: as QEMU called this.
    unsafe { begins(hart, begun) }
}

/// A block begins whose call returns to this code.
#[cfg(target_arch = "x86_64")]
unsafe extern "C" fn begins_from(hart: c_uint, begun: *mut c_void, code: *mut u8) {
    // SAFETY: as QEMU called this. The guest's first thread is the only one as long as it is allowed to patch.
    unsafe {
        if hart == 0 && patch::is_allowed() {
            patch::patch(code, begun, &addresses());
        }
        begins(hart, begun);
    }
}

/// A patched block began, and the buffer is full.
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
unsafe extern "C" fn full() {
    core::arch::naked_asm!("mov rdi, [rsp]", "jmp {}", sym full_from)
}

#[cfg(target_arch = "x86_64")]
unsafe extern "C" fn full_from(code: *mut u8) {
    // SAFETY: the guest's first thread runs patched code.
    if let Some(hart) = unsafe { HART[0].load(Relaxed).as_mut() } {
        return hart.pause(0);
    }
    let begun = patch::argument(code.addr()).unwrap_or(0);
    // SAFETY: as above.
    unsafe { is_full(0, core::ptr::without_provenance_mut(begun as usize)) }
}

#[cfg(not(target_arch = "x86_64"))]
unsafe extern "C" fn full() {}

/// What patches refer to.
fn addresses() -> patch::Addresses {
    patch::Addresses {
        nothing: nothing as *const () as usize,
        begins_first: begins_first as *const () as usize,
        begins: begins as *const () as usize,
        full: full as *const () as usize,
        next: NOTES[0].next().addr(),
    }
}

/// A block of a program has begun, and the buffer is full.
/// Safety: To be called by the thread on the hart.
#[cold]
#[inline(never)]
unsafe extern "C" fn is_full(hart: c_uint, begun: *mut c_void) {
    let place = HART.get(hart as usize).map(|place| place.load(Relaxed));
    // SAFETY: as promised.
    if let Some(hart) = place.and_then(|hart| unsafe { hart.as_mut() }) {
        return hart.is_full(&Begun::unpack(begun));
    }
    if let Some(notes) = NOTES.get(hart as usize) {
        notes.lead_nowhere(NOWHERE.load(Relaxed));
    }
    begin_elsewhere(hart, &Begun::unpack(begun));
}

/// A block begins, perhaps behind the limit.
unsafe extern "C" fn begins_with_limit(hart: c_uint, begun: *mut c_void) {
    match NOTES.get(hart as usize) {
        // SAFETY: this is the thread on it.
        Some(notes) if unsafe { !notes.note_within(begun) } => {}
        // SAFETY: as above.
        _ => unsafe { is_full(hart, begun) },
    }
}

/// The same in a whole machine, where user code has contexts.
unsafe extern "C" fn begins_in_machine(hart: c_uint, begun: *mut c_void) {
    let begun = Begun::unpack(begun);
    let place = HART.get(hart as usize).map(|place| place.load(Relaxed));
    // SAFETY: this is the thread on it.
    match (
        place.and_then(|hart| unsafe { hart.as_mut() }),
        PLUGIN.get(),
    ) {
        (Some(hart), Some(plugin)) => hart.begin_in_machine(&begun, || plugin.context()),
        _ => begin_elsewhere(hart, &begun),
    }
}

/// A block begins on a hart that has no profiler: it gets one, or its instructions are counted.
#[cold]
#[inline(never)]
fn begin_elsewhere(hart: c_uint, begun: &Begun) {
    let Some(plugin) = PLUGIN.get() else {
        return;
    };
    let is_profiled = plugin.settings.every_hart && (hart as usize) < HARTS;
    if !is_profiled || !RECORDING.load(Relaxed) {
        OTHER_INSTRUCTIONS.fetch_add(begun.instructions.into(), Relaxed);
        return;
    }
    if let Err(problem) = plugin.begin_hart(hart) {
        let _ = plugin.folder().set_outcome(&Err(problem));
        // SAFETY: ends the process at once: what came now would be lost.
        unsafe { libc::_exit(1) }
    }
    // SAFETY: this is the thread on it.
    if let Some(hart) = unsafe { HART[hart as usize].load(Relaxed).as_mut() } {
        hart.begin(begun);
    }
}

/// The guest asks for something: perhaps to be replaced, of which QEMU tells nothing more, or for signals to be handled.
#[rustfmt::skip]
unsafe extern "C" fn system_call(
    _: c_uint, number: i64, first: u64, second: u64, third: u64, fourth: u64, _: u64, _: u64, _: u64, _: u64, _: *mut c_void,
) {
    let Some(plugin) = PLUGIN.get() else {
        return;
    };
    if plugin.calls.begins_thread(number, first) {
        // SAFETY: the guest has one thread where blocks are patched, this one.
        unsafe { patch::undo(&addresses()) };
    }
    if !RECORDING.load(Relaxed) {
        return;
    }
    if plugin.calls.sets_handler(number)
        && let Some(address) = plugin.load_address.get()
        && let Some(handler) = address.handler(plugin.settings.header.isa, second)
    {
        plugin.handled_by(handler);
    }
    if plugin.calls.replaces(number) {
        REPLACING.store(true, Relaxed);
        plugin.replace(number, [first, second, third, fourth]);
    }
}

/// A system call returns: if it was to replace the program, it has not.
unsafe extern "C" fn system_return(_: c_uint, number: i64, _: i64, _: *mut c_void) {
    if PLUGIN
        .get()
        .is_some_and(|plugin| plugin.calls.replaces(number))
    {
        REPLACING.store(false, Relaxed);
    }
}
