//! The generated `bind` directive in unmodified cores with RVFI. VexRiscv runs with one in the test `traps`.

use hpp_fpga::core::Core;
use hpp_gen::{Bind, Bus, Config, Extras, Ingress, generate_with};
use verilated::Builder;
use verilated::tools::project_root;

/// Whether Verilator finds every name that the directive connects, in the core and in the profiler; if not, what it says.
fn elaborate(core: Core, module: &str) -> Result<(), String> {
    let mut config = Config {
        ingress: Ingress::Rvfi,
        bus: Bus::None,
        ..Config::default()
    };
    // Ibex always has compressed instructions.
    config.geometry.align = 1;
    let bind = Bind {
        module: module.into(),
        ..Bind::default()
    };
    let extras = Extras {
        bind: Some(&bind),
        ..Extras::default()
    };
    let profiler = generate_with(&config, &extras).expect("all is known");
    let mut builder = Builder::new(module)
        .source_text("hpp.v", profiler.verilog())
        .source_text("hpp_bind.sv", profiler.files["hpp_bind.sv"].clone())
        // The core's source has its own style.
        .flag("-Wno-lint")
        .flag("-Wno-TIMESCALEMOD")
        .flag("-Wno-UNOPTFLAT");
    for define in core.about().defines {
        builder = builder.define(define);
    }
    for file in core.files(&project_root()).expect("the core's sources") {
        if !file.name.starts_with("hpp_") {
            builder = match file.included {
                true => builder.included_text(file.name, file.text),
                false => builder.source_text(file.name, file.text),
            };
        }
    }
    builder.build().map(drop).map_err(|error| error.to_string())
}

#[test]
fn picorv32_takes_the_directive() {
    assert_eq!(elaborate(Core::PicoRv32, "picorv32"), Ok(()));
}

#[test]
fn serv_takes_the_directive() {
    assert_eq!(elaborate(Core::Serv, "serv_top"), Ok(()));
}

/// Whose ports of RVFI are there only behind a macro, among parameters that are types.
#[test]
fn ibex_takes_the_directive() {
    for core in [Core::Ibex, Core::IbexMaxperf] {
        assert_eq!(elaborate(core, "ibex_top"), Ok(()));
    }
}
