//! The functions of QEMU that the plugin calls.
//!
//! They are looked up in the process that loaded the plugin, so that an emulator that lacks one is reported by name. Versions of the interface:
//!
//! | version | QEMU | what differs here |
//! | ---: | --- | --- |
//! | 1 | 7.2 to 8.2 | |
//! | 2 | 9.0 | takes no plugin that is written for version 1 |
//! | 3 | 9.1 | `qemu_plugin_insn_data` copies |
//! | 4 | 9.2 to 10.0 | |
//! | 5 | 10.2 | |
//! | 6 | 11.0 | takes this version alone; registers have longer descriptors |
//! | 7 | 11.1 | takes this version alone; callbacks have no `Id`, and what was given with them at the end |
//!
//! Source: QEMU 7.2, 10.0, 10.2 and 11, `qemu-plugin.h`.

use core::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::fs;

use libloading::os::unix::Library;

/// The version of the interface to tell QEMU, which compares it with its own: the newest that is known and that QEMU has. The functions that QEMU
/// has tell its version before it does, and the command which of the last two it is.
pub fn version() -> c_int {
    let has = |name: &CStr| {
        // SAFETY: it is not called.
        unsafe { Library::this().get::<*const c_void>(name.to_bytes()) }.is_ok()
    };
    match () {
        () if has(c"qemu_plugin_set_pc") => given().unwrap_or(WITHOUT_ID),
        () if has(c"qemu_plugin_register_vcpu_discon_cb") => 5,
        () if has(c"qemu_plugin_read_memory_vaddr") => 4,
        () if has(c"qemu_plugin_scoreboard_new") => 2,
        () => 1,
    }
}

/// The version in the plugin's options, which QEMU gives it only after it has compared versions.
fn given() -> Option<c_int> {
    let line = fs::read("/proc/self/cmdline").ok()?;
    let line = String::from_utf8_lossy(&line);
    let option = |word: &str| word.strip_prefix("interface=")?.parse().ok();
    line.split([',', '\0']).find_map(option)
}

/// The first version whose callbacks have no [`Id`].
const WITHOUT_ID: c_int = 7;

/// The first version whose `qemu_plugin_insn_data` copies the bytes.
const COPIES: c_int = 3;

/// What QEMU calls the plugin by.
pub type Id = u64;

/// The beginning of what QEMU says of itself and the guest, as of version 1; later ones have the same.
#[repr(C)]
pub struct Info {
    target: *const c_char,
    least_version: c_int,
    pub version: c_int,
    /// Whether a whole system is emulated, not a program.
    pub is_system: bool,
}

impl Info {
    /// The guest's instruction set, by QEMU's name.
    /// Safety: It must be what QEMU gave to `qemu_plugin_install`.
    pub unsafe fn target(&self) -> String {
        // SAFETY: QEMU's string ends with a 0.
        unsafe { CStr::from_ptr(self.target) }
            .to_string_lossy()
            .into_owned()
    }
}

/// A block being translated.
pub type Tb = c_void;
/// An instruction of it.
pub type Insn = c_void;

/// What QEMU calls: a function whose type depends on the version.
pub type Callback = *const c_void;
/// Called when a block begins to run.
pub type OnExecute = unsafe extern "C" fn(c_uint, *mut c_void);

/// `qemu_plugin_insn_data` from version 3 on: where to copy how many bytes; returns how many were copied.
type Copy = unsafe extern "C" fn(*const Insn, *mut c_void, usize) -> usize;

/// The registers that the callback of a block looks at: none, or some that it does not change.
const NO_REGISTERS: c_int = 0;
const READS_REGISTERS: c_int = 1;

/// Declares the functions, and where they are kept.
macro_rules! functions {
    ($($field:ident: $name:literal, fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        #[derive(Clone, Copy)]
        #[allow(missing_docs, reason = "the names are QEMU's")]
        pub struct Api {
            $(pub $field: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
            version: c_int,
        }

        impl Api {
            /// Looks the functions up in this process, whose interface has this version.
            pub fn find(version: c_int) -> Result<Self, String> {
                let this = Library::this();
                Ok(Self {
                    $($field: {
                        // SAFETY: the type is that of QEMU's header.
                        let found = unsafe { this.get($name.to_bytes()) };
                        *found.map_err(|_| $name.to_string_lossy().into_owned())?
                    },)*
                    version,
                })
            }
        }
    };
}

functions! {
    on_translate: c"qemu_plugin_register_vcpu_tb_trans_cb", fn(Id, Callback, *mut c_void);
    on_execute: c"qemu_plugin_register_vcpu_tb_exec_cb", fn(*mut Tb, OnExecute, c_int, *mut c_void);
    on_instruction: c"qemu_plugin_register_vcpu_insn_exec_cb", fn(*mut Insn, OnExecute, c_int, *mut c_void);
    on_system_call: c"qemu_plugin_register_vcpu_syscall_cb", fn(Id, Callback, *mut c_void);
    on_system_return: c"qemu_plugin_register_vcpu_syscall_ret_cb", fn(Id, Callback, *mut c_void);
    tb_instructions: c"qemu_plugin_tb_n_insns", fn(*const Tb) -> usize;
    tb_address: c"qemu_plugin_tb_vaddr", fn(*const Tb) -> u64;
    tb_instruction: c"qemu_plugin_tb_get_insn", fn(*const Tb, usize) -> *mut Insn;
    insn_address: c"qemu_plugin_insn_vaddr", fn(*const Insn) -> u64;
    insn_size: c"qemu_plugin_insn_size", fn(*const Insn) -> usize;
    insn_data: c"qemu_plugin_insn_data", fn(*const Insn) -> *const c_void;
    insn_text: c"qemu_plugin_insn_disas", fn(*const Insn) -> *const c_char;
    insn_place: c"qemu_plugin_insn_haddr", fn(*const Insn) -> *const c_void;
}

/// Bytes of an instruction, and how many they are. None has more.
pub type Bytes = ([u8; 16], usize);

impl Api {
    /// Whether callbacks get the plugin's [`Id`] first. Others get what was given with them last, which versions with an `Id` do not take.
    pub const fn has_ids(&self) -> bool {
        self.version < WITHOUT_ID
    }

    /// The bytes of an instruction.
    /// Safety: `insn` must be of a block that QEMU gave to a callback that has not returned.
    pub unsafe fn bytes(&self, insn: *const Insn) -> Bytes {
        let mut bytes = [0; 16];
        // SAFETY: as promised; the size is that of the instruction, and where QEMU copies, `bytes` has as much room as it is told.
        unsafe {
            let size = bytes.len().min((self.insn_size)(insn));
            if self.version < COPIES {
                let from = (self.insn_data)(insn).cast();
                core::ptr::copy_nonoverlapping(from, bytes.as_mut_ptr(), size);
            } else {
                let copy: Copy = core::mem::transmute(self.insn_data);
                copy(insn, bytes.as_mut_ptr().cast(), size);
            }
            (bytes, size)
        }
    }

    /// Whether an instruction is one of Zcmp or Zcmt, by what QEMU's disassembler makes of it for the processor that it emulates. The text stays
    /// allocated: QEMU has no function for a plugin that gives it back.
    /// Safety: `insn` must be of a block that QEMU gave to a callback that has not returned.
    pub unsafe fn is_zcm(&self, insn: *const Insn) -> bool {
        // SAFETY: as promised; QEMU's string ends with a 0.
        unsafe {
            let text = (self.insn_text)(insn);
            !text.is_null() && CStr::from_ptr(text).to_bytes().starts_with(b"cm.")
        }
    }

    /// Asks for a call with `data` whenever the block begins to run.
    /// Safety: `tb` must be what QEMU gave to a callback that has not returned.
    pub unsafe fn call_on_execute(&self, tb: *mut Tb, callback: OnExecute, data: *mut c_void) {
        // SAFETY: as promised.
        unsafe { (self.on_execute)(tb, callback, NO_REGISTERS, data) }
    }

    /// Asks for a call with `data` whenever the instruction begins.
    /// Safety: `insn` must be of such a block.
    pub unsafe fn call_on_instruction(
        &self,
        insn: *mut Insn,
        callback: OnExecute,
        data: *mut c_void,
    ) {
        // SAFETY: as promised.
        unsafe { (self.on_instruction)(insn, callback, NO_REGISTERS, data) }
    }

    /// The same of a callback that reads registers.
    /// Safety: As above.
    pub unsafe fn call_to_read(&self, tb: *mut Tb, callback: OnExecute, data: *mut c_void) {
        // SAFETY: as promised.
        unsafe { (self.on_execute)(tb, callback, READS_REGISTERS, data) }
    }
}
