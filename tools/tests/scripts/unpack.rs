//! `unpack-debs.sh`: packages whose unpacking was cut short are unpacked again.

use std::fs;
use std::process::Command;

use crate::folder::{Ended, Folder, run};

/// Packages lie in `archive`; what is asked is kept.
const APT: &str = r#"#!/bin/sh
archive=$(cd "$(dirname "$0")/../archive" && pwd)
for word; do
    # The lists are fetched: nothing is known before.
    [ "$word" != update ] || { touch "$archive/../lists" && exit 0; }
done
[ -e "$archive/../lists" ] || exit 100
download=
for word; do
    case $download$word in
    download) download=fetch- ;;
    fetch---print-uris) download=look- ;;
    fetch-*) cp "$archive/$word.deb" . && echo "$word" >>"$archive/asked" ;;
    look-*) [ -e "$archive/$word.deb" ] ;;
    esac || exit 100
done
"#;

fn project() -> Folder {
    let folder = Folder::with(&["unpack-debs.sh", "apt-private.sh"]);
    folder.program("bin/apt-get", APT);
    for name in ["one", "two"] {
        let tree = format!("{name}/usr/bin/{name}");
        folder.program(&tree, "#!/bin/sh\n");
        let about = format!(
            "Package: {name}\nVersion: 1\nArchitecture: all\nMaintainer: M <m@m>\nDescription: d\n"
        );
        folder.program(&format!("{name}/DEBIAN/control"), &about);
        fs::create_dir_all(folder.path("archive")).expect("a folder");
        let mut build = Command::new("dpkg-deb");
        build.arg("--build").arg(folder.path(name));
        build.arg(folder.path(&format!("archive/{name}.deb")));
        assert_eq!(run(&mut build).status, Some(0));
    }
    folder
}

fn unpack(folder: &Folder, arguments: &[&str]) -> Ended {
    let mut command = Command::new(folder.path("scripts/unpack-debs.sh"));
    let path = std::env::var("PATH").expect("PATH");
    let path = format!("{}:{path}", folder.path("bin").display());
    run(command.env("PATH", path).args(arguments))
}

#[test]
fn packages_whose_unpacking_was_cut_short_are_unpacked_again() {
    let folder = project();
    let whole = fs::read(folder.path("archive/two.deb")).expect("a package");
    fs::write(folder.path("archive/two.deb"), &whole[..whole.len() / 2]).expect("written");
    assert_ne!(unpack(&folder, &["one", "two"]).status, Some(0));
    // What is looked for may be there already.
    assert!(folder.path(".tools/usr/bin/one").exists());
    assert!(!folder.path(".tools/usr/bin/two").exists());
    fs::write(folder.path("archive/two.deb"), whole).expect("written");
    let ended = unpack(&folder, &["--unfinished"]);
    assert_eq!(ended.status, Some(0), "{}", ended.errors);
    assert!(
        ended.errors.contains("cut short: one two"),
        "{}",
        ended.errors
    );
    assert!(folder.path(".tools/usr/bin/two").exists());
}

#[test]
fn nothing_is_fetched_where_nothing_was_cut_short() {
    let folder = project();
    let fetched = |folder: &Folder| folder.text("archive/asked");
    let ended = unpack(&folder, &["--unfinished"]);
    assert_eq!((ended.status, fetched(&folder).as_str()), (Some(0), ""));
    assert_eq!(unpack(&folder, &["one"]).status, Some(0));
    let ended = unpack(&folder, &["--unfinished"]);
    assert_eq!(
        (ended.status, fetched(&folder).as_str()),
        (Some(0), "one\n")
    );
}

#[test]
fn a_package_is_taken_under_the_name_that_the_release_has_for_it() {
    let folder = project();
    let ended = unpack(&folder, &["lib1|one", "two|lib2"]);
    assert_eq!(ended.status, Some(0), "{}", ended.errors);
    assert_eq!(folder.text("archive/asked"), "one\ntwo\n");
    let ended = unpack(&folder, &["lib1|lib2"]);
    assert_ne!(ended.status, Some(0));
    // As after a day without a network: the lists are there, and nothing is in them.
    fs::remove_file(folder.path("lists")).expect("they are there");
    let ended = unpack(&folder, &["lib1|one"]);
    assert_eq!(ended.status, Some(0), "{}", ended.errors);
}
