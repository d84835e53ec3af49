//! What a model records: printed text, a trace, coverage.

use crate::error::{AtPath, Error, Result};
use crate::model::Model;
use std::ffi::CString;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

/// The variable that names a folder for coverage.
pub(crate) const COVERAGE: &str = "HPP_COVERAGE";

impl Model {
    /// Takes what `$display` and the like have printed so far.
    pub fn take_output(&mut self) -> String {
        let text = self.peek_output();
        // SAFETY: the instance is live.
        unsafe { (self.design.functions.output_clear)(self.instance.as_ptr()) };
        text
    }

    /// Writes a VCD of everything from now on. It is complete when the model is dropped.
    pub fn trace_to(&mut self, path: &Path) -> Result<()> {
        self.need(self.design.features.trace, "a trace", "trace")?;
        let name = c_path(path)?;
        // SAFETY: the instance is live and the path is a C string.
        let open = unsafe { (self.design.functions.trace)(self.instance.as_ptr(), name.as_ptr()) };
        if open != 0 {
            return Ok(());
        }
        Err(std::io::Error::other("the trace file cannot be opened")).at(path)
    }

    /// Writes what of the source has been reached so far, for `verilator_coverage`.
    pub fn coverage_to(&self, path: &Path) -> Result<()> {
        self.need(self.design.features.coverage, "coverage", "coverage")?;
        let name = c_path(path)?;
        // SAFETY: the instance is live and the path is a C string.
        let written =
            unsafe { (self.design.functions.coverage)(self.instance.as_ptr(), name.as_ptr()) };
        if written == 0 {
            return Err(std::io::Error::other("the coverage file cannot be written")).at(path);
        }
        Ok(())
    }

    /// Writes the coverage of a model that is dropped to the folder of the environment. Nobody waits for an answer: an error is printed.
    pub(crate) fn leave_coverage(&self) {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let Some(folder) = std::env::var_os(COVERAGE).filter(|_| self.design.features.coverage)
        else {
            return;
        };
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let file = format!("{}-{number}.dat", std::process::id());
        if let Err(error) = self.coverage_to(&Path::new(&folder).join(file)) {
            eprintln!("{COVERAGE}: {error}");
        }
    }

    pub(crate) fn need(
        &self,
        present: bool,
        feature: &'static str,
        method: &'static str,
    ) -> Result<()> {
        let missing = || Error::NotBuiltIn {
            top: self.design.top.clone(),
            feature,
            method,
        };
        present.then_some(()).ok_or_else(missing)
    }
}

fn c_path(path: &Path) -> Result<CString> {
    CString::new(path.as_os_str().as_encoded_bytes())
        .map_err(|_| std::io::Error::other("a path cannot hold a zero byte"))
        .at(path)
}
