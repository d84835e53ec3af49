//! The Makefiles: what is made anew, what is removed, and what is left running.

use std::fs;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use hpp_tools::project_root;

use crate::folder::{Ended, Folder, is_running, run, until};

/// A folder with the project's Makefile.
fn project() -> Folder {
    let folder = Folder::with(&[]);
    let text = fs::read_to_string(project_root().join("Makefile"));
    folder.program("Makefile", &text.expect("the Makefile"));
    folder
}

fn make(folder: &Folder) -> Command {
    let mut command = Command::new("make");
    command
        .current_dir(folder.path(""))
        .env_remove("MAKEFLAGS")
        .env_remove("MAKELEVEL");
    command
}

#[test]
fn what_was_built_long_ago_is_removed_and_a_folder_without_anything_is_no_error() {
    let folder = project();
    let prune = |folder: &Folder| -> Ended { run(make(folder).args(["prune", "DAYS=30"])) };
    assert_eq!(prune(&folder).status, Some(0));
    fs::create_dir(folder.path("build")).expect("a folder");
    let ended = prune(&folder);
    assert_eq!((ended.status, ended.errors.as_str()), (Some(0), ""));
    for name in ["old", "a blank", "new"] {
        let path = folder.program(&format!("build/cache/{name}"), "");
        let mut touch = Command::new("touch");
        touch.args(["-d", "2001-01-01"]).arg(&path);
        assert!(name == "new" || run(&mut touch).status == Some(0));
    }
    assert_eq!(prune(&folder).status, Some(0));
    let kept = fs::read_dir(folder.path("build/cache")).expect("a folder");
    let kept: Vec<_> = kept.flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(kept, ["new"]);
}

#[test]
fn a_test_run_that_is_interrupted_fetches_nothing_on() {
    let folder = project();
    let sleeper = "#!/bin/sh\necho $$ > \"$0.draft\"; mv \"$0.draft\" \"$0.pid\"; exec sleep 600\n";
    folder.program("scripts/setup-tools.sh", sleeper);
    let cargo = folder.program("cargo", sleeper);
    // Whoever runs the tests may have it ignored, as a shell does in the background.
    let mut command = Command::new("env");
    command
        .args(["--default-signal=INT", "make", "test"])
        .current_dir(folder.path(""))
        .env_remove("MAKEFLAGS")
        .arg(format!("CARGO={}", cargo.display()));
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = command.process_group(0).spawn().expect("it starts");
    let tools = folder.path("scripts/setup-tools.sh.pid");
    until("both run", || {
        tools.exists() && folder.path("cargo.pid").exists()
    });
    // As a terminal does, to all of them.
    let group = format!("-{}", child.id());
    assert_eq!(
        run(Command::new("kill").args(["-INT", "--", &group])).status,
        Some(0)
    );
    assert!(!child.wait().expect("it ends").success());
    let tools = folder.text("scripts/setup-tools.sh.pid");
    until("the fetching ends", || !is_running(tools.trim()));
}

#[test]
fn the_empty_home_of_a_run_as_on_a_server_is_removed_however_it_ends() {
    let folder = Folder::with(&[]);
    let text = fs::read_to_string(project_root().join(".ci/run")).expect("a script");
    let script = folder.program(".ci/run", &text);
    folder.program(
        "bin/make",
        "#!/bin/sh\necho \"$HOME\" > home.draft; mv home.draft home; exec sleep 600\n",
    );
    let path = std::env::var("PATH").expect("PATH");
    let mut command = Command::new(script);
    command.env("PATH", format!("{}:{path}", folder.path("bin").display()));
    let mut child = command.process_group(0).spawn().expect("it starts");
    until("its tests run", || folder.path("home").exists());
    let home = folder.text("home");
    let home = std::path::Path::new(home.trim());
    assert!(home.is_dir());
    let group = format!("-{}", child.id());
    assert_eq!(
        run(Command::new("kill").args(["-TERM", "--", &group])).status,
        Some(0)
    );
    assert!(!child.wait().expect("it ends").success());
    assert!(!home.exists());
}

#[test]
fn a_blank_in_the_projects_path_is_named_and_not_a_missing_tool() {
    let folder = Folder::with(&["tool-paths", "tool-versions"]);
    for part in ["fpga/firmware", "fpga/boards/demo", "fpga/litex"] {
        let text = fs::read_to_string(project_root().join(part).join("Makefile"));
        folder.program(&format!("a b/{part}/Makefile"), &text.expect("a Makefile"));
        let ended = run(make(&folder)
            .arg("-C")
            .arg(folder.path(&format!("a b/{part}"))));
        assert_eq!(ended.status, Some(2), "{}", ended.output);
        let expected = [
            "a folder with a blank in its path",
            "remedy: put the project elsewhere",
        ];
        let is_said = expected.iter().all(|part| ended.errors.contains(part));
        assert!(
            is_said && !ended.errors.contains("missing"),
            "{}",
            ended.errors
        );
    }
}

#[test]
fn a_litex_system_is_made_of_the_profiler_that_is_generated_today() {
    let folder = Folder::with(&[]);
    let generator = "#!/bin/sh\nfor out; do :; done\nmkdir -p \"$out\"\n\
                     cp \"$(dirname \"$0\")/text\" \"$out/hpp.json\"\n\
                     cp \"$(dirname \"$0\")/text\" \"$out/hpp.v\"\n";
    let cargo = folder.program("cargo", generator);
    let (ours, manifest) = (folder.path("ours"), folder.path("ours/hpp.json"));
    let made = |text: &str| {
        folder.program("text", text);
        let mut command = make(&folder);
        command.arg("-C").arg(project_root().join("fpga/litex"));
        for name in ["OURS", "PROFILER"] {
            command.arg(format!("{name}={}", ours.display()));
        }
        command
            .arg(format!("CARGO={}", cargo.display()))
            // Nothing is compiled, so no tool need be there.
            .args(["PYTHON=true", "CC=true"])
            .arg(&manifest);
        let ended = run(&mut command);
        assert_eq!(ended.status, Some(0), "{}", ended.errors);
        assert_eq!(folder.text("ours/hpp.v"), text);
        manifest
            .metadata()
            .and_then(|file| file.modified())
            .expect("a time")
    };
    let first = made("one");
    // What LiteX puts beside it is no difference.
    folder.program("ours/VexRiscv.v", "");
    assert_eq!(made("one"), first);
    assert!(made("two") > first);
}
