//! `make accuracy`: what its programs work on is whole, or it is not there.

use std::process::Command;

use hpp_tools::project_root;

use crate::folder::{Ended, Folder, run};

/// Makes a file of 100,000 bytes in the folder, if it is not there, where files may have so many blocks.
fn make(folder: &Folder, blocks: &str) -> Ended {
    let script = "import pathlib, sys\n\
                  sys.path.insert(0, sys.argv[1])\n\
                  import programs\n\
                  programs.BUILD = pathlib.Path(sys.argv[2])\n\
                  programs.write('text', lambda: bytes(100_000))\n";
    let limited = "ulimit -f \"$0\"; exec python3 -B -c \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", limited, blocks, script]);
    run(command
        .arg(project_root().join("research/accuracy"))
        .arg(folder.path("")))
}

#[test]
fn a_file_that_was_not_written_whole_is_not_there() {
    let folder = Folder::with(&[]);
    let size = || folder.path("text").metadata().map_or(0, |file| file.len());
    let ended = make(&folder, "8");
    assert_ne!(ended.status, Some(0));
    assert!(ended.errors.contains("File too large"), "{}", ended.errors);
    assert_eq!(size(), 0);
    let ended = make(&folder, "unlimited");
    assert_eq!(ended.status, Some(0), "{}", ended.errors);
    assert_eq!(size(), 100_000);
}
