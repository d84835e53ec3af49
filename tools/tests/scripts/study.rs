//! `study-programs.sh`: an archive that lacks the programs for one machine has those for the other.

use std::fs;
use std::process::Command;

use crate::folder::{Ended, Folder, run};

/// Has one package, for the architecture that `there` names.
const APT: &str = r#"#!/bin/sh
here=$(cd "$(dirname "$0")/.." && pwd)
does=
for word; do
    case $word in
    APT::Architecture=*) grep -q "${word#*=}" "$here/there" || { echo "E: no lists" >&2 && exit 100; } ;;
    Dir::Cache=*) cache=${word#*=} ;;
    --download-only) does=download ;;
    esac
done
[ -z "$does" ] || cp "$here/one.deb" "$cache/archives"
"#;

fn project() -> Folder {
    let folder = Folder::with(&["study-programs.sh", "apt-suite.sh"]);
    folder.program("bin/apt-get", APT);
    folder.program("one/usr/bin/one", "#!/bin/sh\n");
    let about =
        "Package: one\nVersion: 1\nArchitecture: all\nMaintainer: M <m@m>\nDescription: d\n";
    folder.program("one/DEBIAN/control", about);
    let mut build = Command::new("dpkg-deb");
    build.arg("--build").arg(folder.path("one"));
    assert_eq!(run(build.arg(folder.path("one.deb"))).status, Some(0));
    folder
}

fn study(folder: &Folder, there: &str) -> Ended {
    fs::write(folder.path("there"), there).expect("written");
    let path = std::env::var("PATH").expect("PATH");
    let path = format!("{}:{path}", folder.path("bin").display());
    run(Command::new(folder.path("scripts/study-programs.sh")).env("PATH", path))
}

#[test]
fn the_other_machine_may_be_missing() {
    let folder = project();
    let program = |machine: &str| folder.path(&format!(".tools/study/{machine}/usr/bin/one"));
    let ended = study(&folder, "amd64");
    assert_eq!(ended.status, Some(0), "{}", ended.errors);
    assert!(program("amd64").exists() && !folder.path(".tools/study/riscv64").exists());
    assert!(
        ended.errors.contains("no programs for riscv64"),
        "{}",
        ended.errors
    );
    // It is looked for again, and what is there is not.
    let ended = study(&folder, "riscv64");
    assert_eq!(ended.status, Some(0), "{}", ended.errors);
    assert!(program("amd64").exists() && program("riscv64").exists());
    assert!(!ended.errors.contains("amd64"), "{}", ended.errors);
}

#[test]
fn this_machine_may_not() {
    let folder = project();
    let ended = study(&folder, "riscv64");
    assert_ne!(ended.status, Some(0));
    assert!(!folder.path(".tools/study/amd64").exists());
}
