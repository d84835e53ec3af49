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

fn takes(core: Core, module: &str) {
    assert_eq!(elaborate(core, module), Ok(()));
}

verilated::tests! {
    picorv32_takes_the_directive: takes(Core::PicoRv32, "picorv32");
    serv_takes_the_directive: takes(Core::Serv, "serv_top");
    /// Whose ports of RVFI are there only behind a macro, among parameters that are types.
    ibex_takes_the_directive: takes(Core::Ibex, "ibex_top");
    ibex_of_three_stages_takes_the_directive: takes(Core::IbexMaxperf, "ibex_top");
}
