//! The functions of QEMU that the plugin calls.
//!
//! They are looked up in the process that loaded the plugin, so that an emulator that lacks one is told by name.
//!
//! Source: QEMU 7.2, `include/qemu/qemu-plugin.h`.

use core::ffi::{CStr, c_char, c_int, c_uint, c_void};

use libloading::os::unix::Library;

/// The interface's version that the plugin is written for.
pub const VERSION: c_int = 1;

/// What QEMU calls the plugin by.
pub type Id = u64;

/// The beginning of what QEMU says of itself and the guest, as of version 1.
#[repr(C)]
pub struct Info {
    target: *const c_char,
    least_version: c_int,
    version: c_int,
    system_emulation: bool,
}

impl Info {
    /// The guest's instruction set, by QEMU's name.
    ///
    /// # Safety
    ///
    /// It must be what QEMU gave to `qemu_plugin_install`.
    #[must_use]
    pub unsafe fn target(&self) -> String {
        // SAFETY: QEMU's string ends with a 0.
        unsafe { CStr::from_ptr(self.target) }
            .to_string_lossy()
            .into_owned()
    }

    /// Whether a whole system is emulated, not a program.
    #[must_use]
    pub const fn is_system(&self) -> bool {
        self.system_emulation
    }
}

/// A block being translated.
pub type Tb = c_void;
/// An instruction of it.
pub type Insn = c_void;

/// Called when a block was translated.
pub type OnTranslate = unsafe extern "C" fn(Id, *mut Tb);
/// Called when a block begins to run.
pub type OnExecute = unsafe extern "C" fn(c_uint, *mut c_void);
/// Called for a system call: thread, number, arguments.
#[rustfmt::skip]
pub type OnSystemCall = unsafe extern "C" fn(Id, c_uint, i64, u64, u64, u64, u64, u64, u64, u64, u64);
/// Called when a system call returns: thread, number, what it returns.
pub type OnSystemReturn = unsafe extern "C" fn(Id, c_uint, i64, i64);
/// Called when the program ends.
pub type OnExit = unsafe extern "C" fn(Id, *mut c_void);

/// The registers that the callback of a block looks at: none.
const NO_REGISTERS: c_int = 0;

/// Declares the functions, and where they are kept.
macro_rules! functions {
    ($($field:ident: $name:literal, fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// The functions.
        #[derive(Clone, Copy)]
        #[allow(missing_docs, reason = "the names are QEMU's")]
        pub struct Api {
            $(pub $field: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl Api {
            /// Looks the functions up in this process.
            ///
            /// # Errors
            ///
            /// The name of the first function that is not there.
            pub fn find() -> Result<Self, String> {
                let this = Library::this();
                Ok(Self {
                    $($field: {
                        // SAFETY: the type is that of QEMU's header.
                        let found = unsafe { this.get($name.to_bytes()) };
                        *found.map_err(|_| $name.to_string_lossy().into_owned())?
                    },)*
                })
            }
        }
    };
}

functions! {
    on_translate: c"qemu_plugin_register_vcpu_tb_trans_cb", fn(Id, OnTranslate);
    on_execute: c"qemu_plugin_register_vcpu_tb_exec_cb", fn(*mut Tb, OnExecute, c_int, *mut c_void);
    on_system_call: c"qemu_plugin_register_vcpu_syscall_cb", fn(Id, OnSystemCall);
    on_system_return: c"qemu_plugin_register_vcpu_syscall_ret_cb", fn(Id, OnSystemReturn);
    on_exit: c"qemu_plugin_register_atexit_cb", fn(Id, OnExit, *mut c_void);
    tb_instructions: c"qemu_plugin_tb_n_insns", fn(*const Tb) -> usize;
    tb_address: c"qemu_plugin_tb_vaddr", fn(*const Tb) -> u64;
    tb_instruction: c"qemu_plugin_tb_get_insn", fn(*const Tb, usize) -> *mut Insn;
    insn_address: c"qemu_plugin_insn_vaddr", fn(*const Insn) -> u64;
    insn_size: c"qemu_plugin_insn_size", fn(*const Insn) -> usize;
    insn_bytes: c"qemu_plugin_insn_data", fn(*const Insn) -> *const c_void;
    code_start: c"qemu_plugin_start_code", fn() -> u64;
    code_end: c"qemu_plugin_end_code", fn() -> u64;
}

impl Api {
    /// Asks for a call with `data` whenever the block begins to run.
    ///
    /// # Safety
    ///
    /// `tb` must be what QEMU gave to a callback that has not returned.
    pub unsafe fn call_on_execute(&self, tb: *mut Tb, callback: OnExecute, data: *mut c_void) {
        // SAFETY: as promised.
        unsafe { (self.on_execute)(tb, callback, NO_REGISTERS, data) }
    }
}
