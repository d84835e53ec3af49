//! What `hpp number` refuses.

use crate::said::Must;
use crate::*;

#[test]
fn nonsense_graphs_are_refused_with_line_and_remedy() {
    let error = |text: &str| Case::new("g.txt", text).refuses(&[]);
    error("").must_be("hpp: g.txt: the graph has no blocks; declare at least its entry\n");
    assert!(error("a -> b\nb ->\n").starts_with("hpp: g.txt: line 2: "));
    assert!(error("a -> b\na -> c\n").contains("name one as the exit"));
    // No block of a loop could be named as the exit.
    error("a -> b\nb -> a\n").must_contain("add one, with edges to it from where control leaves");
    let json = Case::new("g.json", "{\"edges\": [{\"from\": 1}]}").refuses(&[]);
    json.must_contain("line 1, column 21: integer `1`, expected a string");
    let bytes = Case::new("g.bin", [0xff, 0xfe, 0]).refuses(&[]);
    assert_eq!(
        bytes,
        "hpp: g.bin: neither an ELF file nor text; give a graph as text or JSON, or a linked RISC-V ELF file\n"
    );
    let unbroken =
        Case::new("g.txt", "a -> b\nb -> b\nb -> c\n").refuses(&["--breaks", "hardware"]);
    unbroken.must_contain("closes a cycle in which no path ends");
}

#[test]
fn unknown_blocks_and_paths_are_named() {
    let case = Case::new("thesis.txt", THESIS);
    case.refuses(&["--interesting-blocks", "s x t"])
        .must_be("hpp: --interesting-blocks \"s x t\": there is no block `x`\n");
    case.refuses(&["--interesting-blocks", "s c t"]).must_be("hpp: --interesting-blocks \"s c t\": there is no edge from `s` to `c` that stays on one path\n");
    case.refuses(&["--interesting", "6"]).must_be(
        "hpp: --interesting: there is no path 6; paths are numbered from 0, and there are 6\n",
    );
    case.refuses(&["--interesting", "2,2"])
        .must_be("hpp: the interesting paths at positions 0 and 1 of the list (from 0) are the same; give it once\n");
    case.refuses(&["--regenerate", "6"]).must_be("hpp: --regenerate, ball-larus numbering: there is no path 6; paths are numbered from 0, and there are 6\n");
    case.refuses(&["--regenerate", "7", "--algorithm", "arithmetic"])
        .must_be(
            "hpp: --regenerate, arithmetic numbering: no path has the code 7; codes are below 6\n",
        );
    case.refuses(&[
            "--interesting",
            "4,5",
            "--algorithm",
            "preferential",
            "--regenerate",
            "9"
        ]).must_be("hpp: --regenerate, preferential numbering: no interesting path has the number 9; they have 0, 1\n");
    case.refuses(&["--algorithm", "selective"]).must_be(
        "hpp: selective numbering is for interesting paths; \
         name them with --interesting or --interesting-blocks\n",
    );
}

#[test]
fn files_that_are_not_there_or_of_another_kind() {
    let case = Case::new("thesis.txt", THESIS);
    case.refuses(&["--function", "f"]).must_be(
        "hpp: thesis.txt is no ELF file, so it has no function `f`; leave out --function\n",
    );
    case.refuses(&["--backward-not-taken", "as-backward"]).must_be("hpp: thesis.txt is no ELF file, and its edges say themselves what they are; leave out --backward-not-taken\n");
    fs::remove_file(&case.file).expect("it was there");
    case.refuses(&[])
        .must_begin("hpp: cannot read thesis.txt: ");
}

#[test]
fn an_edge_that_is_there_twice_is_refused_with_both_places() {
    let case = Case::new("twice.txt", "a -> b\nb -> c\na -> b\n");
    case.refuses(&[]).must_be("hpp: twice.txt: line 3: the edge from `a` to `b` is there already, on line 1; leave one out, or tell them apart by \
         their outcomes (taken, not-taken)\n");
    let twice = r#"{"edges": [{"from": "a", "to": "b"}, {"from": "a", "to": "b"}]}"#;
    let case = Case::new("twice.json", twice);
    case.refuses(&[]).must_begin(
        "hpp: twice.json: edge 1 (from 0): the edge from `a` to `b` is there already, on edge 0",
    );
    let case = Case::new("apart.txt", "a -> b taken\na -> b not-taken\n");
    assert!(case.writes(&[]).contains("paths 2"));
}

#[test]
fn flawed_elf_files_say_what_is_wrong() {
    let error = |flaw| {
        let bytes = elf_file(&[RET], &[("f", 0, 1)], true, flaw);
        Case::new("program.elf", bytes).refuses(&["--function", "f"])
    };
    assert!(error(Flaw::NoSymbols).contains("no function symbols"));
    assert!(error(Flaw::NoCode).contains("has no code"));
    assert!(error(Flaw::Machine).contains("is for Arm"));
    assert!(error(Flaw::Relocatable).contains("not linked"));
}

#[test]
fn a_function_whose_code_may_be_one_thing_or_another_is_refused_with_the_place() {
    let flaw = Flaw::Architecture("rv32i2p1_f2p2_d2p2_c2p0_zcmp1p0");
    let elf = elf_file(&[0xbe62_0001, RET], &[("f", 0, 1), ("g", 1, 1)], true, flaw);
    let case = Case::new("f.elf", elf);
    let error = case.refuses(&["--function", "f"]);
    error.must_contain("the instruction at 0x10002 is Zcmp or Zcmt, or a store of D (c.fsdsp)");
    error.must_contain("remedy: ");
    case.writes(&["--function", "g"]);
}
