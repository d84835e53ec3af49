//! Coverage, which a model leaves behind.

use crate::model::Model;
use std::ffi::CString;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

/// The variable that names a folder for coverage.
pub(crate) const COVERAGE: &str = "HPP_COVERAGE";

impl Model {
    /// Writes what of the source has been reached, for `verilator_coverage`, to the folder of the environment. Nobody waits for an answer: an error is
    /// printed.
    pub(crate) fn leave_coverage(&self) {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let Some(folder) = std::env::var_os(COVERAGE).filter(|_| self.design.coverage) else {
            return;
        };
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let file = Path::new(&folder).join(format!("{}-{number}.dat", std::process::id()));
        let name = CString::new(file.as_os_str().as_encoded_bytes());
        // SAFETY: the instance is live and the path is a C string.
        let write = |name: CString| unsafe {
            (self.design.functions.coverage)(self.instance.as_ptr(), name.as_ptr())
        };
        if !name.is_ok_and(|name| write(name) != 0) {
            eprintln!("{COVERAGE}: cannot write {}", file.display());
        }
    }
}
