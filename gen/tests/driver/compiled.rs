//! The C driver as other compilers and programs see it.

use crate::process;
use hpp_gen::Config;

/// `hpp_read` shifted words of 64 bits by a variable, which calls the compiler's library on a core of 32 bits.
#[test]
fn the_driver_needs_no_library() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    process::write(folder.path(), &Config::default());
    for level in ["-Os", "-O2"] {
        let flags = "-march=rv32i -mabi=ilp32 -std=c99 -ffreestanding -fno-tree-loop-distribute-patterns -nostdlib \
                     -Wl,--entry=hpp_init -o program hpp_driver.c";
        let mut compiler = verilated::tools::tool("riscv-gcc");
        compiler.arg(level).args(flags.split(' '));
        process::succeeds(&mut compiler, folder.path());
    }
}

/// A driver of another name lives beside the first one in a program.
#[test]
fn a_prefix_separates_two_drivers() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for prefix in ["hpp", "second"] {
        let config = Config {
            prefix: prefix.to_string(),
            ..Config::default()
        };
        process::write(folder.path(), &config);
    }
    let text = "#include \"hpp_driver.h\"\n#include \"second_driver.h\"\n\
                int main(void) { struct hpp a; struct second b; a.base = b.base = 0; return (int)(a.base + b.base); }\n";
    std::fs::write(folder.path().join("main.c"), text).expect("the folder is writable");
    for language in ["-std=c99", "-xc++"] {
        process::compile(
            folder.path(),
            &[language, "main.c", "hpp_driver.c", "second_driver.c"],
        );
    }
}
