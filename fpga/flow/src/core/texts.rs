//! What the packages of the cores bring along, in the order in which it is read.

use std::path::Path;
use std::process::Command;

use super::Core;
use crate::design::SourceFile;
use crate::error::{FlowError, Result, file_error};
use crate::flow::read;
use crate::tool::project_tool;

/// The core alone, from its package.
pub(super) fn own_files(core: Core, root: &Path) -> Result<Vec<SourceFile>> {
    let package = project_tool(root, core.about().package)?;
    let vexriscv = |variant: &str| {
        let text = with_retirement(root, &package.join(variant))?;
        Ok(vec![SourceFile::new("VexRiscv.v", text)])
    };
    match core {
        Core::PicoRv32 => texts(&package, |name| name == "picorv32.v"),
        Core::VexRiscv => vexriscv("VexRiscv_Min.v"),
        Core::VexRiscvCaches => vexriscv("VexRiscv.v"),
        Core::VexRiscvImac => vexriscv("VexRiscv_IMAC.v"),
        Core::VexRiscvLinux => vexriscv("VexRiscv_Linux.v"),
        Core::Ibex | Core::IbexMaxperf => ibex(&package),
        Core::Serv => texts(&package.join("rtl"), |name| name.starts_with("serv_")),
        Core::Cv32e40p | Core::Cv32e40pPulp | Core::Cv32e40x => {
            cv32e40(&package, core.about().package)
        }
        Core::Cva6 => cva6(&package),
        Core::Rocket => rocket(&package),
    }
}

/// The files of Ibex that its own test bench lists, in that order, before those of the bench, and what they include.
fn ibex(package: &Path) -> Result<Vec<SourceFile>> {
    let vendor = package.join("vendor/lowrisc_ip");
    let mut files = texts(&vendor.join("ip/prim/rtl"), is_header)?;
    files.extend(texts(&vendor.join("dv/sv/dv_utils"), is_header)?);
    files.iter_mut().for_each(|file| file.included = true);
    let manifest = package.join("dv/uvm/core_ibex/ibex_dv.f");
    let list = read(&manifest)?;
    let included = files.len();
    for line in list.lines() {
        let path = if let Some(path) = line.strip_prefix("${PRJ_DIR}/") {
            package.join(path)
        } else if let Some(path) = line.strip_prefix("${LOWRISC_IP_DIR}/") {
            vendor.join(path)
        } else {
            continue;
        };
        let name = file_name(&path);
        if !name.ends_with(".sv") {
            // The bench begins, with a file in C.
            break;
        }
        // The tracer prints instructions; the wrapper with it takes the place of the core.
        if !name.contains("trac") {
            files.push(SourceFile::new(name, read(&path)?));
        }
    }
    let prefixes = "${PRJ_DIR}/ or ${LOWRISC_IP_DIR}/";
    lists(&manifest, files.len() > included, prefixes)?;
    Ok(files)
}

/// The files of CV32E40P or CV32E40X that its own manifest lists, in that order, but those that are for simulation alone. CV32E40X has its Zcmp
/// turned on, which is behind a constant of its text.
fn cv32e40(package: &Path, name: &str) -> Result<Vec<SourceFile>> {
    let manifest = package.join(format!("{name}_manifest.flist"));
    let wanted = |path: &str| !path.contains("/bhv/");
    let rtl = package.join("rtl");
    let mut files = listed(&manifest, "${DESIGN_RTL_DIR}/", &rtl, wanted)?;
    for file in files
        .iter_mut()
        .filter(|file| file.name == "cv32e40x_core.sv")
    {
        const EDIT: (&str, &str) = ("localparam bit ZC_EXT = 0;", "localparam bit ZC_EXT = 1;");
        file.text = edited("CV32E40X with Zcmp", &file.text, &[EDIT])?;
    }
    Ok(files)
}

/// The files that the list of CVA6's configuration names, in that order. Left out is its tracer for other simulators, and of the
/// floating-point unit, which is not in this configuration, what not even its package has.
///
/// Its log of what it commits is written where `+core_log=FILE` says so.
fn cva6(package: &Path) -> Result<Vec<SourceFile>> {
    let manifest = package.join("core/Flist.cv32a6_imac_sv0");
    let wanted = |path: &str| {
        let of_unit = path.contains("core/fpu/") && !path.ends_with("fpnew_pkg.sv");
        !of_unit && !path.contains("/instr_tracer")
    };
    let mut files = listed(&manifest, "${CVA6_REPO_DIR}/", package, wanted)?;
    for file in files.iter_mut().filter(|file| file.name == "cva6.sv") {
        file.text = with_log_on_demand(&file.text)?;
    }
    Ok(files)
}

/// The wanted ones of the files that a manifest lists behind a prefix, which stands for the folder, in that order.
fn listed(
    manifest: &Path,
    prefix: &str,
    folder: &Path,
    wanted: impl Fn(&str) -> bool,
) -> Result<Vec<SourceFile>> {
    let list = read(manifest)?;
    let paths = list.lines().filter_map(|line| line.strip_prefix(prefix));
    let files = paths.filter(|path| wanted(path)).map(|path| {
        let path = folder.join(path);
        Ok(SourceFile::new(file_name(&path), read(&path)?))
    });
    let files: Vec<SourceFile> = files.collect::<Result<_>>()?;
    lists(manifest, !files.is_empty(), prefix)?;
    Ok(files)
}

/// A manifest lists files of the core, each behind one of these prefixes.
fn lists(manifest: &Path, some: bool, prefixes: &str) -> Result<()> {
    let none = format!(
        "no line begins with {prefixes}, so it lists no file of the core; remedy: install the package anew"
    );
    let none = std::io::Error::new(std::io::ErrorKind::InvalidData, none);
    some.then_some(()).ok_or(none).map_err(file_error(manifest))
}

/// CVA6's text, whose log has one name in whatever folder the simulation runs, with a log that is asked for.
fn with_log_on_demand(text: &str) -> Result<String> {
    const EDITS: [(&str, &str); 3] = [
        (
            "    f = $fopen(\"trace_hart_00.dasm\", \"w\");",
            "    string file; f = 0; if ($value$plusargs(\"core_log=%s\", file)) f = $fopen(file, \"w\");",
        ),
        (
            "    if (~rst_ni) begin\n      cycles <= 0;",
            "    if (~rst_ni || f == 0) begin\n      cycles <= 0;",
        ),
        ("    $fclose(f);", "    if (f != 0) $fclose(f);"),
    ];
    edited("CVA6 with its log", text, &EDITS)
}

/// Rocket's text as it is generated for LiteX, and what its generator has in Verilog.
///
/// Without its monitors and assertions, but with the log of what retires, where the package `hpp_rocket` says so. A timer interrupt comes
/// from there too, in place of that of a timer inside, which would interrupt from the reset on.
fn rocket(package: &Path) -> Result<Vec<SourceFile>> {
    const EDITS: [(&str, &str); 3] = [
        (
            "    `ifndef SYNTHESIS\n    `ifdef PRINTF_COND\n      if (`PRINTF_COND) begin\n    `endif\n        if (csr_io_trace_0_valid &",
            "    `ifdef SYNTHESIS\n    `ifdef PRINTF_COND\n      if (`PRINTF_COND) begin\n    `endif\n        if (hpp_rocket::log != 0 & csr_io_trace_0_valid &",
        ),
        (
            "$fwrite(32'h80000002,\"C%d: %d [%d] pc=",
            "$fwrite(hpp_rocket::log,\"C%d: %d [%d] pc=",
        ),
        (
            "assign csr_io_interrupts_mtip = io_interrupts_mtip;",
            "assign csr_io_interrupts_mtip = hpp_rocket::timer;",
        ),
    ];
    let generated = package.join("generated-src");
    let variant = "freechips.rocketchip.system.LitexConfig";
    let text = read(&generated.join(format!("{variant}.v")))?;
    let text = edited("Rocket with its log", &text, &EDITS)?;
    let hooks = "`define SYNTHESIS\npackage hpp_rocket; int log = 0; bit timer; endpackage\n";
    let mut files = vec![SourceFile::new("Rocket.v", format!("{hooks}{text}"))];
    let memories = read(&generated.join(format!("{variant}.behav_srams.v")))?;
    files.push(SourceFile::new("memories.v", memories));
    for name in ["plusarg_reader.v", "EICG_wrapper.v"] {
        let text = read(&package.join("vsrc").join(name))?;
        files.push(SourceFile::new(name, text));
    }
    Ok(files)
}

/// A text with each of these parts replaced, of which it has one.
fn edited(what: &'static str, text: &str, edits: &[(&str, &str)]) -> Result<String> {
    edits.iter().try_fold(text.to_string(), |text, (from, to)| {
        match text.matches(from).count() {
            1 => Ok(text.replace(from, to)),
            count => Err(FlowError::Program {
                what,
                message: format!("{count} parts '{}'", from.trim()),
            }),
        }
    })
}

/// Whether other files include it, for its macros.
fn is_header(name: &str) -> bool {
    name.ends_with(".svh") || name.ends_with("_macros.sv")
}

/// The files of a folder whose name is one of these, in the order of their names.
fn texts(folder: &Path, wanted: impl Fn(&str) -> bool) -> Result<Vec<SourceFile>> {
    let entries = std::fs::read_dir(folder).map_err(file_error(folder))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(file_error(folder))?.path();
        let name = file_name(&path);
        if wanted(&name) {
            files.push(SourceFile::new(name, read(&path)?));
        }
    }
    files.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(files)
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// The text of a VexRiscv with outputs that show its last stage.
fn with_retirement(root: &Path, core: &Path) -> Result<String> {
    let folder = tempfile::tempdir().map_err(file_error(std::env::temp_dir()))?;
    let text = folder.path().join("VexRiscv.v");
    let script = root.join("fpga/soc/cores/vexriscv_ports.py");
    let output = Command::new("python3")
        .args([&script, core, &text])
        .output()
        .map_err(file_error("python3"))?;
    if !output.status.success() {
        return Err(FlowError::Program {
            what: "VexRiscv with its retirement outputs",
            message: String::from_utf8_lossy(&output.stderr).trim().to_string(),
        });
    }
    read(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_without_the_prefix_of_its_paths_is_refused() {
        let package = tempfile::tempdir().expect("a temporary folder");
        let write = |name: &str| {
            let path = package.path().join(name);
            let folder = path.parent().expect("the package");
            std::fs::create_dir_all(folder).expect("a folder");
            std::fs::write(path, "rtl/core.sv\n").expect("a file");
        };
        let manifests = [
            "cv32e40p_manifest.flist",
            "dv/uvm/core_ibex/ibex_dv.f",
            "core/Flist.cv32a6_imac_sv0",
        ];
        manifests.into_iter().for_each(write);
        for folder in ["ip/prim/rtl", "dv/sv/dv_utils"] {
            let folder = package.path().join("vendor/lowrisc_ip").join(folder);
            std::fs::create_dir_all(folder).expect("a folder");
        }
        let package = package.path();
        let cores = [cv32e40(package, "cv32e40p"), ibex(package), cva6(package)];
        for (files, manifest) in cores.into_iter().zip(manifests) {
            let message = files.expect_err("it lists nothing").to_string();
            let expected = format!("{manifest}: no line begins with ${{");
            assert!(
                message.contains(&expected) && message.contains("remedy"),
                "{message}"
            );
        }
    }

    #[test]
    fn a_text_that_is_no_vexriscv_is_refused_with_the_reason() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let other = tempfile::NamedTempFile::new().expect("a temporary file");
        let message = with_retirement(&root, other.path())
            .expect_err("it is empty")
            .to_string();
        assert!(
            message.starts_with("VexRiscv with its retirement outputs was not built:")
                && message.contains("0 modules 'VexRiscv'"),
            "{message}"
        );
    }

    #[test]
    fn a_text_that_is_no_cva6_is_refused_with_the_part_it_lacks() {
        let message = with_log_on_demand("module cva6; endmodule")
            .expect_err("it has no log")
            .to_string();
        assert!(
            message.starts_with("CVA6 with its log was not built:")
                && message.contains("0 parts 'f = $fopen("),
            "{message}"
        );
    }
}
