//! The programs, and how they are compiled.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use verilated::tools::{project_root, tool_path};

use super::Native;

pub const PROGRAMS: [&str; 3] = ["coremark", "bzip2", "zlib"];

impl Native {
    /// One of [`PROGRAMS`].
    ///
    /// # Errors
    ///
    /// If its sources are not there.
    pub fn find(program: &str) -> Result<Self> {
        let firmware = project_root().join("fpga/firmware");
        let folder = project_root().join("build/native").join(program);
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let (from, files, text): (PathBuf, &[&str], Option<&str>) = match program {
            "coremark" => (
                tool_path("ibex")?.join("vendor/eembc_coremark"),
                &[
                    "core_list_join",
                    "core_main",
                    "core_matrix",
                    "core_state",
                    "core_util",
                    "linux64/core_portme",
                ],
                None,
            ),
            "bzip2" => (
                tool_path("bzip2")?,
                &[
                    "blocksort",
                    "huffman",
                    "crctable",
                    "randtable",
                    "compress",
                    "decompress",
                    "bzlib",
                ],
                Some("manual.xml"),
            ),
            _ => (
                tool_path("zlib")?,
                &[
                    "adler32", "compress", "crc32", "deflate", "inffast", "inflate", "inftrees",
                    "trees", "uncompr", "zutil",
                ],
                Some("ChangeLog"),
            ),
        };
        let mut flags = vec![
            "-Dmain=program_main".to_owned(),
            format!("-I{}", from.display()),
        ];
        let mut sources: Vec<PathBuf> = files
            .iter()
            .map(|file| from.join(format!("{file}.c")))
            .collect();
        match text {
            None => flags.extend([
                format!("-I{}", from.join("linux64").display()),
                "-DPERFORMANCE_RUN=1".into(),
                "-DSEED_METHOD=SEED_VOLATILE".into(),
                "-DMAIN_HAS_NOARGC=1".into(),
                // What it prints would depend on the time.
                "-Dclock_gettime=no_time".into(),
                "-DITERATIONS=12".into(),
                "-DFLAGS_STR=\"\"".into(),
            ]),
            Some(text) => {
                sources.push(firmware.join(program).join("main.c"));
                flags.extend(["-DSAMPLE_BYTES=65536".into(), "-DBZ_NO_STDIO".into()]);
                flags.push(format!("-DSAMPLE=\"{}\"", from.join(text).display()));
            }
        }
        let sample = text.map(|_| firmware.join("sample.S"));
        Ok(Native {
            folder,
            sources,
            sample,
            flags,
        })
    }
}
