//! The shared library of a built design and the table of its functions.

use crate::error::{Error, Result};
use crate::header::Direction;
use libloading::Library;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::Path;
use std::sync::Arc;

pub(crate) const FAILED: c_int = 2;

#[repr(C)]
pub(crate) struct Instance {
    _opaque: [u8; 0],
}

#[repr(C)]
pub(crate) struct RawPort {
    name: *const c_char,
    direction: u32,
    width: u32,
}

/// A port's value: where it is and how many bytes it has (1, 2, 4 or 8).
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    pub address: *mut c_void,
    pub bytes: u32,
}

/// Declares the functions of `shim.cpp` and how each is looked up.
macro_rules! functions {
    ($($field:ident = $symbol:literal : $type:ty;)*) => {
        /// The functions of `shim.cpp`.
        pub(crate) struct Functions { $(pub $field: $type,)* }

        impl Functions {
            /// # Safety
            /// The library was built from `shim.cpp` of this crate.
            unsafe fn load(library: &Library) -> std::result::Result<Self, libloading::Error> {
                // SAFETY: each type is that of the function in `shim.cpp` (caller's promise).
                unsafe { Ok(Self { $($field: *library.get::<$type>($symbol)?,)* }) }
            }
        }
    };
}

functions! {
    ports = b"shim_ports": unsafe extern "C" fn() -> *const RawPort;
    new = b"shim_new": unsafe extern "C" fn(c_int, *const *const c_char) -> *mut Instance;
    delete = b"shim_delete": unsafe extern "C" fn(*mut Instance);
    addresses = b"shim_addresses": unsafe extern "C" fn(*mut Instance, *mut *mut c_void);
    eval = b"shim_eval": unsafe extern "C" fn(*mut Instance) -> c_int;
    step = b"shim_step": unsafe extern "C" fn(*mut Instance, *mut c_void, c_int) -> c_int;
    cycle = b"shim_cycle": unsafe extern "C" fn(*mut Instance, *mut c_void, *const u64, *mut u64) -> c_int;
    time = b"shim_time": unsafe extern "C" fn(*mut Instance) -> u64;
    output = b"shim_output": unsafe extern "C" fn(*mut Instance, *mut *const c_char) -> usize;
    coverage = b"shim_coverage": unsafe extern "C" fn(*mut Instance, *const c_char) -> c_int;
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Port {
    pub name: String,
    pub direction: Direction,
    pub width: u32,
}

pub(crate) struct Loaded {
    pub top: String,
    pub ports: Vec<Port>,
    pub coverage: bool,
    pub functions: Functions,
    // Dropped last: the functions point into it.
    _library: Library,
}

/// A built design: makes any number of independent models. Cheap to clone, shared between threads.
#[derive(Clone)]
pub struct Design(pub(crate) Arc<Loaded>);

impl Design {
    pub(crate) fn load(top: &str, path: &Path, coverage: bool) -> Result<Self> {
        let error = |source| Error::Load {
            path: path.to_path_buf(),
            source,
        };
        // SAFETY: the library was built by this crate; its initialisers only fill static tables.
        let library = unsafe { Library::new(path) }.map_err(error)?;
        // SAFETY: the store's key covers `shim.cpp`, so the functions are those declared above.
        let functions = unsafe { Functions::load(&library) }.map_err(error)?;
        // SAFETY: `shim_ports` returns a static table that ends with a null name.
        let ports = unsafe { read_ports((functions.ports)()) };
        Ok(Self(Arc::new(Loaded {
            top: top.into(),
            ports,
            coverage,
            functions,
            _library: library,
        })))
    }

    /// The ports of the top module, in the order of Verilator's model class.
    pub fn ports(&self) -> &[Port] {
        &self.0.ports
    }
}

impl std::fmt::Debug for Design {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Design")
            .field("top", &self.0.top)
            .field("ports", &self.0.ports)
            .finish()
    }
}

/// # Safety
/// `raw` points to ports of which the last has a null name.
unsafe fn read_ports(mut raw: *const RawPort) -> Vec<Port> {
    let mut ports = Vec::new();
    // SAFETY: the loop stops at the null name (caller's promise); names are C strings.
    unsafe {
        while !(*raw).name.is_null() {
            let RawPort {
                name,
                direction,
                width,
            } = *raw;
            let direction = if direction == 0 {
                Direction::Input
            } else {
                Direction::Output
            };
            let name = CStr::from_ptr(name).to_string_lossy().into_owned();
            ports.push(Port {
                name,
                direction,
                width,
            });
            raw = raw.add(1);
        }
    }
    ports
}
