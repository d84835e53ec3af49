//! A plugin that asks to be called for every block and does nothing then: what profiling under QEMU costs at least.
//!
//! ```sh
//! cargo build --release -p hpp-qemu --example callback
//! qemu-x86_64 -plugin target/release/examples/libcallback.so PROGRAM
//! ```

use core::ffi::{c_char, c_int, c_uint, c_void};
use core::ptr::null_mut;
use std::sync::OnceLock;

#[path = "../src/api.rs"]
#[allow(dead_code, reason = "only what asks for calls is needed")]
mod api;

use api::{Api, Id, Info, Tb, VERSION};

/// The interface's version, for QEMU.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals, reason = "QEMU looks for this name")]
pub static qemu_plugin_version: c_int = VERSION;

static API: OnceLock<Api> = OnceLock::new();

/// QEMU has loaded the plugin.
///
/// # Safety
///
/// To be called by QEMU, once.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn qemu_plugin_install(
    id: Id,
    _: *const Info,
    _: c_int,
    _: *const *const c_char,
) -> c_int {
    match Api::find() {
        Ok(api) => {
            // SAFETY: the callback has the type that QEMU calls it by.
            unsafe { (api.on_translate)(id, translated) };
            c_int::from(API.set(api).is_err())
        }
        Err(name) => {
            eprintln!("callback: this QEMU has no {name}");
            1
        }
    }
}

unsafe extern "C" fn translated(_: Id, tb: *mut Tb) {
    if let Some(api) = API.get() {
        // SAFETY: QEMU gave the block.
        unsafe { api.call_on_execute(tb, begins, null_mut()) };
    }
}

unsafe extern "C" fn begins(_: c_uint, _: *mut c_void) {}
