//! Libraries and programs of which no tests are built.

use std::fs;
use std::path::{Path, PathBuf};

use hpp_tools::project_root;
use toml::{Table, Value};

fn table(manifest: &Path) -> Table {
    let text = fs::read_to_string(manifest).expect("a manifest");
    text.parse().expect("TOML")
}

fn is_untested(target: &Value) -> bool {
    target.get("test").and_then(Value::as_bool) == Some(false)
}

/// The sources of a package that stand in no target with tests: all but those of other programs, if its library has none.
fn without_tests(package: &Path) -> Vec<PathBuf> {
    let manifest = table(&package.join("Cargo.toml"));
    let mut places = Vec::new();
    if manifest.get("lib").is_some_and(is_untested) {
        places.push(package.join("src"));
    }
    let programs = manifest.get("bin").and_then(Value::as_array);
    for program in programs
        .into_iter()
        .flatten()
        .filter(|bin| is_untested(bin))
    {
        let name = program["name"].as_str().expect("a name");
        let path = program.get("path").and_then(Value::as_str);
        let places_of_cargo = [
            format!("src/bin/{name}.rs"),
            format!("src/bin/{name}/main.rs"),
        ];
        let named = path.map(Into::into).into_iter().chain(places_of_cargo);
        let file = named
            .map(|path| package.join(path))
            .find(|file| file.exists());
        let file = file.expect("its source");
        let folder = file.parent().expect("a folder");
        // What stands beside `main.rs` are its modules, or those of a library with tests.
        let is_alone = file.ends_with("main.rs") && !folder.join("lib.rs").exists();
        places.push(if is_alone { folder.to_path_buf() } else { file });
    }
    places
}

/// Files below a place, or the place.
fn files(place: PathBuf) -> Vec<PathBuf> {
    match fs::read_dir(&place) {
        Ok(entries) => entries
            .flat_map(|entry| files(entry.expect("an entry").path()))
            .collect(),
        Err(_) => vec![place],
    }
}

/// A test in such a file is compiled by nobody, and seems to pass.
#[test]
fn what_is_built_without_tests_has_none() {
    let root = project_root();
    let members = table(&root.join("Cargo.toml"));
    let members = members["workspace"]["members"].as_array().expect("members");
    let mut places = 0;
    for member in members {
        let package = root.join(member.as_str().expect("a folder"));
        for place in without_tests(&package) {
            places += 1;
            for file in files(place) {
                let text = fs::read_to_string(&file).expect("a source");
                assert!(!text.contains("#[cfg(test)]"), "{}", file.display());
            }
        }
    }
    assert!(places > 15, "{places}");
}
