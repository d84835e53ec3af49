//! The registers of a RISC-V hart that say who runs on it: the privilege level, and in `satp` the address space.
//!
//! Source: QEMU 10.0, `include/qemu/qemu-plugin.h`; the GLib manual, "Byte Arrays".

use core::ffi::{CStr, c_char, c_int, c_uint, c_void};

use libloading::os::unix::Library;

/// GLib's `GArray` and `GByteArray`.
#[repr(C)]
struct Array {
    data: *mut u8,
    length: c_uint,
}

/// What QEMU says of a register.
#[repr(C)]
struct Descriptor {
    register: *mut c_void,
    name: *const c_char,
    feature: *const c_char,
}

/// How to read them.
pub(crate) struct Registers {
    read: unsafe extern "C" fn(*mut c_void, *mut Array) -> c_int,
    new: unsafe extern "C" fn() -> *mut Array,
    free: unsafe extern "C" fn(*mut Array, c_int) -> *mut u8,
    privilege: *mut c_void,
    satp: *mut c_void,
}

// SAFETY: functions, and the names that QEMU has for registers, the same on every hart.
unsafe impl Send for Registers {}
// SAFETY: as above.
unsafe impl Sync for Registers {}

impl Registers {
    /// Finds them. To be called by a hart's thread.
    ///
    /// # Errors
    ///
    /// What this QEMU lacks.
    pub(crate) fn find() -> Result<Self, String> {
        let this = Library::this();
        // SAFETY: the types are those of the headers; QEMU is asked by the thread of a hart, and its array has as many descriptors as it says.
        unsafe {
            let lacks = |name: &CStr| {
                let name = name.to_string_lossy();
                format!("this QEMU has no {name}; whole machines need QEMU 9.0 or later")
            };
            macro_rules! function {
                ($name:literal, $type:ty) => {
                    *this
                        .get::<$type>($name.to_bytes())
                        .map_err(|_| lacks($name))?
                };
            }
            let all = function!(
                c"qemu_plugin_get_registers",
                unsafe extern "C" fn() -> *mut Array
            )();
            let all = core::slice::from_raw_parts(
                (*all).data.cast::<Descriptor>(),
                (*all).length as usize,
            );
            let register = |name: &CStr| {
                let found = all.iter().find(|one| CStr::from_ptr(one.name) == name);
                found.map(|one| one.register).ok_or_else(|| lacks(name))
            };
            Ok(Self {
                read: function!(
                    c"qemu_plugin_read_register",
                    unsafe extern "C" fn(*mut c_void, *mut Array) -> c_int
                ),
                new: function!(c"g_byte_array_new", unsafe extern "C" fn() -> *mut Array),
                free: function!(
                    c"g_byte_array_free",
                    unsafe extern "C" fn(*mut Array, c_int) -> *mut u8
                ),
                privilege: register(c"priv")?,
                satp: register(c"satp")?,
            })
        }
    }

    /// The privilege level of the hart whose thread this is: user 0, supervisor 1, machine 3.
    pub(crate) fn privilege(&self) -> u8 {
        self.value(self.privilege) as u8 & 3
    }

    /// Its `satp`, which names the page table that user code has.
    pub(crate) fn satp(&self) -> u64 {
        self.value(self.satp)
    }

    fn value(&self, register: *mut c_void) -> u64 {
        // SAFETY: by the thread of a hart; the array is as long as it says, and freed with its data.
        unsafe {
            let array = (self.new)();
            (self.read)(register, array);
            let bytes = (0..(*array).length as usize).rev();
            let value = bytes.fold(0, |all, at| all << 8 | u64::from(*(*array).data.add(at)));
            (self.free)(array, 1);
            value
        }
    }
}
