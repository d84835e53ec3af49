//! Programs of one's own: what is run is what is in the folder.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use hpp_fpga::core::Core;
use hpp_soc::ProgramSource;
use tempfile::TempDir;

/// A folder whose name no other test has, and what is built of it.
struct Own {
    folder: TempDir,
    name: String,
}

impl Own {
    fn new() -> Self {
        // Make takes a path of few kinds of characters, so the folder's own name has no dot in front.
        let folder = tempfile::Builder::new().prefix("own").tempdir();
        let folder = folder.expect("a temporary folder");
        let name = folder.path().file_name().expect("a name");
        let name = format!("prog-{}", name.display());
        Self { folder, name }
    }

    /// Files of a folder of the program's name in another one, all of them old.
    fn write(&self, within: &str, files: &[(&str, &str)]) -> PathBuf {
        let folder = self.folder.path().join(within).join(&self.name);
        fs::create_dir_all(&folder).expect("a folder");
        for (name, text) in files {
            fs::write(folder.join(name), text).expect("a file");
            let old = SystemTime::now() - Duration::from_secs(86_400);
            let file = File::options().append(true).open(folder.join(name));
            file.and_then(|file| file.set_modified(old))
                .expect("a file");
        }
        folder
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        let built = verilated::tools::project_root().join("build/firmware");
        let _ = fs::remove_dir_all(built.join(format!("own-{}", self.name)));
        let _ = fs::remove_file(built.join(format!("own-{}.elf", self.name)));
    }
}

fn built(folder: &Path) -> Vec<u8> {
    let program: ProgramSource = folder.display().to_string().parse().expect("a folder");
    let elf = program.elf(Core::PicoRv32).expect("it builds");
    fs::read(elf).expect("a program")
}

fn says(elf: &[u8], text: &str) -> bool {
    elf.windows(text.len())
        .any(|bytes| bytes == text.as_bytes())
}

const MAIN: (&str, &str) = (
    "main.c",
    "#include <stdio.h>\n#include \"word.h\"\nint main(void) { puts(WORD); return 0; }\n",
);

#[test]
fn a_program_is_built_anew_for_another_header_or_folder_however_old() {
    let own = Own::new();
    let folder = own.write(
        "one",
        &[MAIN, ("word.h", "#define WORD \"a first word\"\n")],
    );
    let first = built(&folder);
    assert!(says(&first, "a first word"));
    own.write("one", &[("word.h", "#define WORD \"a second word\"\n")]);
    let second = built(&folder);
    assert!(says(&second, "a second word") && !says(&second, "a first word"));
    let other = own.write(
        "other",
        &[MAIN, ("word.h", "#define WORD \"a third word\"\n")],
    );
    assert!(says(&built(&other), "a third word"));
    assert!(
        built(&folder) == second,
        "the same sources make the same program"
    );
}
