//! The system that boots Linux, with a kernel of ours in Linux's place: firmware, contexts, drain.

use hpp_golden::registers::Counter;
use hpp_soc::linux::{Map, System, compile, contexts, firmware};
use verilated::tools::project_root;

/// Address spaces of the two programs of `kernel.c`, which are their contexts.
const CONTEXTS: [u8; 2] = [3, 5];

#[test]
fn processes_have_profiles_of_their_own_and_each_is_exact() {
    let system = System::build().expect("the system builds");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let place = project_root().join("verif/soc/tests/linux");
    let driver = &system.sources.folder;
    let sources = [
        place.join("kernel.S"),
        place.join("kernel.c"),
        driver.join("hpp_driver.c"),
    ];
    let begin = system.map.number("KERNEL").expect("an address");
    let options = [
        format!("-Wl,-Ttext={begin:#x}"),
        format!("-I{}", driver.display()),
    ];
    let kernel = compile(folder.path(), "kernel", &sources, &options).expect("it compiles");
    let firmware = firmware(folder.path()).expect("it compiles");
    let image = system
        .image(&[("0", &firmware), ("KERNEL", &kernel)])
        .expect("both fit");
    let boot = system.run(&image, |_, _| ()).expect("a profile");

    assert_eq!(boot.dump, boot.expected);
    assert_eq!(boot.dump.errors, 0);
    assert_eq!(boot.dump.counters[Counter::LostRecords as usize], 0);
    assert!(boot.dump.counters[Counter::Replacements as usize] > 0);
    let geometry = &system.sources.geometry;
    let found = contexts(boot.exact.keys(), geometry);
    assert_eq!(found, CONTEXTS.into());
    for context in CONTEXTS {
        let paths = boot.paths_of(geometry, context);
        assert_eq!(paths.dumped, paths.exact, "context {context}");
        assert!(paths.exact.len() > 3, "{paths:?}");
    }
}

#[test]
fn the_device_tree_has_the_node_that_the_binding_describes() {
    let folder = project_root().join("fpga/linux");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a text");
    let (tree, binding) = (read("hpp.dts"), read("hpp,path-profiler.yaml"));
    let (by_uio, module) = (read("programs/record-uio.c"), read("module/main.c"));
    for text in [&tree, &binding, &by_uio, &module] {
        assert!(text.contains("hpp,path-profiler"));
    }
    for property in ["hpp,privileged-context-bit", "cpu"] {
        assert!(tree.contains(&format!("{property} = <")), "{property}");
        assert!(
            binding.contains(&format!("\n  {property}:\n")),
            "{property}"
        );
        assert!(module.contains(&format!("\"{property}\"")), "{property}");
    }
    for region in ["registers", "drain-writer", "entries"] {
        assert!(tree.contains(&format!("\"{region}\"")), "{region}");
        assert!(binding.contains(&format!("- const: {region}")), "{region}");
    }
    let map = Map::read().expect("addresses");
    let address = map.number("PROFILER").expect("an address");
    assert!(tree.contains(&format!("profiler@{address:x} {{")));
}
