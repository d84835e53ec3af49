//! A plugin that asks to be called for every block and does nothing then: what profiling under QEMU costs at least.
//!
//! ```sh
//! cargo build --release -p hpp-qemu --example callback
//! qemu-x86_64 -plugin target/release/examples/libcallback.so PROGRAM
//! ```

use core::ffi::{c_char, c_int, c_uint, c_void};
use core::ptr::null_mut;
use core::sync::atomic::{AtomicI32, Ordering::Relaxed};

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

/// The interface's version, for QEMU, which reads it when it has loaded the plugin.
#[unsafe(export_name = "qemu_plugin_version")]
pub static PLUGIN_VERSION: AtomicI32 = AtomicI32::new(1);

/// Called by the system as it loads the plugin.
// SAFETY: the section holds functions of this type.
#[used]
#[unsafe(link_section = ".init_array")]
static AT_LOADING: extern "C" fn() = choose_version;

/// QEMU 9.0 and later take no plugin for version 1.
extern "C" fn choose_version() {
    // SAFETY: it is not called.
    let since_9 = unsafe { libc::dlsym(null_mut(), c"qemu_plugin_scoreboard_new".as_ptr()) };
    if !since_9.is_null() {
        PLUGIN_VERSION.store(2, Relaxed);
    }
}

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
