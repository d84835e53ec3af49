//! A plugin that asks to be called for every block and does nothing then: what profiling under QEMU costs at least.
//!
//! ```sh
//! cargo build --release -p hpp-qemu --example callback
//! qemu-x86_64 -plugin target/release/examples/libcallback.so PROGRAM
//! ```

use core::ffi::{c_char, c_int, c_uint, c_void};
use core::ptr::null_mut;

type Translated = unsafe extern "C" fn(u64, *mut c_void);
type Begins = unsafe extern "C" fn(c_uint, *mut c_void);

// Source: QEMU 7.2, `include/qemu/qemu-plugin.h`. They are found in the process that loads the plugin.
unsafe extern "C" {
    fn qemu_plugin_register_vcpu_tb_trans_cb(id: u64, callback: Translated);
    fn qemu_plugin_register_vcpu_tb_exec_cb(
        tb: *mut c_void,
        callback: Begins,
        registers: c_int,
        data: *mut c_void,
    );
}

/// The interface's version, for QEMU.
#[unsafe(export_name = "qemu_plugin_version")]
pub static PLUGIN_VERSION: c_int = 1;

/// QEMU has loaded the plugin.
///
/// # Safety
///
/// To be called by QEMU, once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qemu_plugin_install(
    id: u64,
    _: *const c_void,
    _: c_int,
    _: *const *const c_char,
) -> c_int {
    // SAFETY: the callback has the type that QEMU calls it by.
    unsafe { qemu_plugin_register_vcpu_tb_trans_cb(id, translated) };
    0
}

unsafe extern "C" fn translated(_: u64, tb: *mut c_void) {
    // SAFETY: QEMU gave the block.
    unsafe { qemu_plugin_register_vcpu_tb_exec_cb(tb, begins, 0, null_mut()) };
}

unsafe extern "C" fn begins(_: c_uint, _: *mut c_void) {}
