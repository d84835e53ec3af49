//! The state of a model: its variables by name, to list and to disturb.

use crate::error::Result;
use crate::library::Visit;
use crate::model::Model;
use std::ffi::{CStr, c_char, c_void};

/// A variable of the design: register, memory or wire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Names of the instances from the top module down, separated by dots.
    pub scope: String,
    /// Name in the Verilog source.
    pub name: String,
    /// Bits of an element.
    pub width: u32,
    /// Elements: 1 but for a memory.
    pub elements: u32,
    bytes: u32,
    address: usize,
}

const VISIT: Visit = collect;

/// Puts a variable into the list after `to`.
unsafe extern "C" fn collect(
    to: *mut c_void,
    scope: *const c_char,
    name: *const c_char,
    data: *mut c_void,
    bytes: u32,
    width: u32,
    elements: u32,
) {
    // SAFETY: `to` is the list of `Model::variables`, and the names are C strings of the runtime.
    let (list, scope, name) = unsafe {
        (
            &mut *to.cast::<Vec<Variable>>(),
            CStr::from_ptr(scope),
            CStr::from_ptr(name),
        )
    };
    let scope = scope.to_string_lossy();
    // The runtime's own scope around the top module.
    let scope = scope.strip_prefix("TOP.").unwrap_or(&scope);
    list.push(Variable {
        scope: scope.to_string(),
        name: name.to_string_lossy().into_owned(),
        width,
        elements,
        bytes,
        address: data as usize,
    });
}

impl Model {
    /// Every variable, in the order of scopes and names; of this model alone.
    ///
    /// # Errors
    /// The design was built without [`state`](crate::Builder::state).
    pub fn variables(&self) -> Result<Vec<Variable>> {
        self.need(self.design.features.state, "state", "state")?;
        let mut list: Vec<Variable> = Vec::new();
        // SAFETY: the instance is live, and `collect` takes the list for what it is.
        unsafe {
            let to = std::ptr::from_mut(&mut list).cast();
            (self.design.functions.variables)(self.instance.as_ptr(), VISIT, to);
        }
        list.sort_by(|a, b| (&a.scope, &a.name).cmp(&(&b.scope, &b.name)));
        Ok(list)
    }

    /// Inverts a bit of a variable, as an ionising particle does. What depends on it follows at the next evaluation.
    ///
    /// # Panics
    /// If this model has no such variable, element or bit.
    pub fn flip(&mut self, variable: &Variable, element: u32, bit: u32) {
        assert!(element < variable.elements && bit < variable.width);
        let known = self
            .variables()
            .expect("a variable is of a model with state");
        assert!(known.contains(variable), "the variable is another model's");
        let offset = element as usize * variable.bytes as usize + bit as usize / 8;
        let byte = (variable.address + offset) as *mut u8;
        // SAFETY: the runtime says that there are `elements` of `bytes` bytes at the address, and nothing runs meanwhile.
        unsafe { *byte ^= 1 << (bit % 8) };
    }
}
