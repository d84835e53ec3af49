//! Hands the target triple to the crate: it calls the C++ compiler at run time, when Cargo's build
//! environment is gone.

fn main() {
    let target = std::env::var("TARGET").expect("Cargo sets TARGET for build scripts");
    println!("cargo:rustc-env=VERILATED_TARGET={target}");
    println!("cargo:rerun-if-changed=build.rs");
}
