//! The registers of a hart that say who runs on it: its privilege, and the root of its page table.
//!
//! | | privilege | page table |
//! | --- | --- | --- |
//! | RISC-V | `priv` | `satp`, if the core has one |
//! | x86-64 | the low bits of `cs`; outside of long mode (`efer`) all is machine level | `cr3` |
//!
//! And RISC-V's `mtvec` and `stvec` say where handlers begin.
//!
//! Source: QEMU 10.0 and 11, `qemu-plugin.h`; the GLib manual, "Byte Arrays"; Intel's *Software Developer's Manual*, volume 3, sections 2.2.1
//! and 5.5.

use core::ffi::{CStr, c_char, c_int, c_uint, c_void};
use core::ptr::null_mut;

use hpp_explore::trace::Isa;
use libloading::os::unix::Library;

use crate::block::{MACHINE, SUPERVISOR, USER};

/// GLib's `GArray` and `GByteArray`.
#[repr(C)]
struct Array {
    data: *mut u8,
    length: c_uint,
}

/// How what QEMU says of a register begins. Since version 6 of the interface there is more.
#[repr(C)]
struct Descriptor {
    register: *mut c_void,
    name: *const c_char,
    feature: *const c_char,
}

/// The result is a number up to version 5 of the interface, and whether it could be read from 6 on. The array says as much.
type Read = unsafe extern "C" fn(*mut c_void, *mut Array);

pub(crate) struct Registers {
    read: Read,
    new: unsafe extern "C" fn() -> *mut Array,
    free: unsafe extern "C" fn(*mut Array, c_int) -> *mut u8,
    who: Who,
}

enum Who {
    Riscv {
        privilege: *mut c_void,
        /// Null on a core that has none, as `stvec` among the two.
        satp: *mut c_void,
        vectors: [*mut c_void; 2],
        /// Bits of `satp`, the low ones, that hold the number of the page table's first page.
        root_bits: u32,
    },
    X86 {
        cs: *mut c_void,
        efer: *mut c_void,
        cr3: *mut c_void,
    },
}

/// The bit of `efer` that says long mode is active.
const LONG_MODE: u64 = 1 << 10;
/// The mode of a vector: one entry for each cause of an interrupt, of one instruction of four bytes.
const VECTORED: u64 = 1;
const CAUSES: u64 = 64;
/// Bits of `cr3` below the address of the page table, and of all up to its last.
const BELOW_ROOT: u32 = 12;
const PHYSICAL: u32 = 52;

// SAFETY: functions, and the names that QEMU has for registers, the same on every hart.
unsafe impl Send for Registers {}
// SAFETY: as above.
unsafe impl Sync for Registers {}

impl Registers {
    /// Finds them. To be called by a hart's thread.
    pub(crate) fn find(isa: Isa) -> Result<Self, String> {
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
            let size = function!(
                c"g_array_get_element_size",
                unsafe extern "C" fn(*mut Array) -> c_uint
            )(all) as usize;
            let descriptor = |place| &*(*all).data.add(size * place).cast::<Descriptor>();
            let register = |name: &CStr| {
                let mut descriptors = (0..(*all).length as usize).map(descriptor);
                let found = descriptors.find(|one| CStr::from_ptr(one.name) == name);
                found.map(|one| one.register).ok_or_else(|| {
                    let name = name.to_string_lossy();
                    format!("this QEMU shows no register {name} of this processor")
                })
            };
            let if_any = |name| register(name).unwrap_or(null_mut());
            Ok(Self {
                read: function!(c"qemu_plugin_read_register", Read),
                new: function!(c"g_byte_array_new", unsafe extern "C" fn() -> *mut Array),
                free: function!(
                    c"g_byte_array_free",
                    unsafe extern "C" fn(*mut Array, c_int) -> *mut u8
                ),
                who: match isa {
                    Isa::X86_64 => Who::X86 {
                        cs: register(c"cs")?,
                        efer: register(c"efer")?,
                        cr3: register(c"cr3")?,
                    },
                    Isa::Riscv32 | Isa::Riscv64 => Who::Riscv {
                        privilege: register(c"priv")?,
                        satp: if_any(c"satp"),
                        vectors: [if_any(c"mtvec"), if_any(c"stvec")],
                        root_bits: if isa == Isa::Riscv32 { 22 } else { 44 },
                    },
                },
            })
        }
    }

    /// The privilege level of the hart whose thread this is.
    pub(crate) fn privilege(&self) -> u8 {
        match self.who {
            Who::Riscv { privilege, .. } => self.value(privilege) as u8 & 3,
            Who::X86 { efer, .. } if self.value(efer) & LONG_MODE == 0 => MACHINE,
            Who::X86 { cs, .. } if self.value(cs) & 3 == 3 => USER,
            Who::X86 { .. } => SUPERVISOR,
        }
    }

    /// The first page of its page table, which user code has as long as it runs.
    pub(crate) fn root(&self) -> u64 {
        match self.who {
            Who::Riscv {
                satp, root_bits, ..
            } => self.value(satp) & ((1 << root_bits) - 1),
            Who::X86 { cr3, .. } => (self.value(cr3) & ((1 << PHYSICAL) - 1)) >> BELOW_ROOT,
        }
    }

    /// Whether a handler of traps begins here.
    pub(crate) fn is_handler(&self, address: u64) -> bool {
        let Who::Riscv { vectors, .. } = self.who else {
            return false;
        };
        vectors.iter().any(|&vector| {
            let vector = self.value(vector);
            let offset = address.wrapping_sub(vector & !3);
            let entries = if vector & 3 == VECTORED { CAUSES } else { 1 };
            address != 0 && offset.is_multiple_of(4) && offset / 4 < entries
        })
    }

    /// What a register holds; 0 of one that the processor has not.
    fn value(&self, register: *mut c_void) -> u64 {
        if register.is_null() {
            return 0;
        }
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
