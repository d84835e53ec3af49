//! Names of functions: mangled, long, or that several have.

use crate::awkward::{export, folder};
use crate::fixtures::LONG;
use crate::folder::{Folder, profiled};
use crate::riscv_program::{NOP, RET, beq, program};
use crate::said::Must;

/// Of two functions `place` in one file, the second was `count_words`, entered 16 times.
#[test]
fn lcov_adds_functions_of_one_name_up() {
    let folder = folder(&[(
        b"\0count_words.constprop.0\0",
        b"\0place\0words.constprop.0\0",
    )]);
    let text = export(&folder, "lcov").out;
    text.must_contain(&format!("\nFNDA:{},place\n", 16 * 29 + 16));
}

/// Lines count from the definition of the function that they are in, not from that of another one of its name.
#[test]
fn autofdo_distinguishes_functions_of_one_name() {
    let folder = folder(&[(b"\0greatest\0", b"\0place\0st\0")]);
    let text = export(&folder, "autofdo").out;
    let lines = text.lines().skip_while(|line| !line.starts_with("place:"));
    let lines = lines.skip(1).take_while(|line| line.starts_with(' '));
    let offsets: Vec<u64> = lines
        .map(|line| line.trim_start().split(':').next().expect("an offset"))
        .map(|offset| offset.parse().expect("a number"))
        .collect();
    assert!(
        offsets.len() > 10 && offsets.iter().all(|&line| line < 30),
        "{text}"
    );
}

/// GCC gives static functions of C++ no mangled name in the debug information; the compiler that reads the profile knows them by it.
#[test]
fn autofdo_names_functions_as_the_program_does() {
    let folder = folder(&[(
        b"\0count_words.constprop.0\0",
        b"\0_ZL11count_wordsv.cprop\0",
    )]);
    let text = export(&folder, "autofdo").out;
    assert!(
        text.contains("\n_ZL11count_wordsv:") || text.starts_with("_ZL11count_wordsv:"),
        "{text}"
    );
    text.must_contain(" _ZL11count_wordsv:16\n");
    assert!(!text.contains(" count_words:"), "{text}");
}

/// A frame of the picture shows the beginning of a name that is wider, and no parameters.
#[test]
fn a_flame_graph_shows_the_function_s_own_name() {
    let folder = Folder::new(profiled(&[true]));
    folder.write("f.elf", program(&[beq(8), NOP, RET, RET], &[(LONG, 0, 3)]));
    let picture = folder
        .succeeds("export serial.txt --elf f.elf --format svg")
        .out;
    picture.must_contain("<title>my::sort&lt;...&gt; (1 executions, 100.00%)</title>");
    picture.must_contain("truncate_text_right = true");
}
