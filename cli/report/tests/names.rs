//! Names of functions whose symbols no demangler reads, or that have none: the debug information's.

use hpp_report::{ElfFile, Program};

const NAMES: &[u8] = include_bytes!("names/names.elf");

/// The names of all frames of a program's functions, and the functions found by them.
fn with(test: impl FnOnce(&Program<'_>, Vec<String>)) {
    let file = ElfFile::new(NAMES.to_vec());
    let program = Program::named(&file).expect("a program");
    let functions = program.image().functions().iter();
    let addresses = functions.flat_map(|function| function.address..function.end());
    let frames = addresses.flat_map(|at| {
        program
            .frames(at)
            .iter()
            .map(|f| f.name.clone())
            .collect::<Vec<_>>()
    });
    let mut names: Vec<String> = frames.collect();
    names.sort();
    names.dedup();
    test(&program, names);
}

#[test]
fn names_that_no_demangler_reads_come_from_the_debug_information() {
    with(|program, names| {
        for name in ["shop::operator==<char>", "shop.cart.Cart!int.total"] {
            assert!(
                names.iter().any(|known| known == name),
                "{name} in {names:?}"
            );
        }
        let equal = program
            .find("shop::operator==")
            .expect("without its arguments");
        assert!(equal.name.starts_with("_ZN4shopeq"), "{}", equal.name);
        assert_eq!(program.name(equal), "shop::operator==<char>");
        let place = program.place(equal.address + 4).to_string();
        assert_eq!(place, "shop::operator==<char>+0x4");
        assert!(
            !names
                .iter()
                .any(|name| name.starts_with('_') && name != "_start"),
            "{names:?}"
        );
    });
}

#[test]
fn a_lambda_goes_by_its_function_and_its_place() {
    with(|_, names| {
        let lambda = "shop::cheapest::{lambda@33:25}::operator()";
        assert!(names.iter().any(|name| name == lambda), "{names:?}");
        assert!(!names.iter().any(|name| name == "operator()"), "{names:?}");
    });
}
