//! A system on chip as a design: core, memory with a program in it, serial line, and the profiler or none.

use std::path::Path;

use crate::core::Core;
use crate::design::{Design, SourceFile};
use crate::error::Result;
use crate::flow::read;
use crate::profiler::{self, Profiler};

/// The macro of a board, for cores that have options: the base instruction set alone.
pub const BASE_ISA: &str = "HPP_BASE_ISA";

/// A system on chip; its top module is `hpp_board`.
#[derive(Clone, Copy, Debug)]
pub struct System<'a> {
    /// Name in file names and messages.
    pub name: &'a str,
    pub core: Core,
    /// Frequency of its clock in Hz, from which the serial line takes its time.
    pub clock_hz: u32,
    /// Its memory in 32-bit words: a power of two.
    pub memory_words: u32,
    /// The profiler; without it the profiler's addresses read 0.
    pub profiler: Option<&'a Profiler>,
    /// The program, as text for `$readmemh`.
    pub program: &'a str,
}

impl System<'_> {
    /// The sources and parameters; `root` is the project's folder.
    ///
    /// # Errors
    ///
    /// If a source is missing.
    pub fn design(&self, root: &Path) -> Result<Design> {
        let mut files = self.core.files(root)?;
        for name in ["uart_transmitter.v", "hpp_board.v"] {
            let text = read(&root.join("fpga/boards").join(name))?;
            files.push(SourceFile::new(name, text));
        }
        files.push(SourceFile::new("firmware.hex", self.program));
        let defines = self.core.about().defines.iter();
        let mut defines: Vec<String> = defines.map(ToString::to_string).collect();
        defines.push(BASE_ISA.to_string());
        if let Some(profiler) = self.profiler {
            defines.push("HPP_PROFILER".to_string());
            defines.extend(
                profiler::defines(&profiler.config.geometry)
                    .into_iter()
                    .map(String::from),
            );
            files.extend(profiler.design.files.iter().cloned());
        }
        let suffix = if self.profiler.is_some() {
            ""
        } else {
            "-without"
        };
        Ok(Design {
            name: format!("{}{suffix}", self.name),
            top: "hpp_board".to_string(),
            defines,
            parameters: vec![
                ("CLOCK_HZ".to_string(), self.clock_hz.to_string()),
                ("MEMORY_WORDS".to_string(), self.memory_words.to_string()),
            ],
            files,
        })
    }
}
