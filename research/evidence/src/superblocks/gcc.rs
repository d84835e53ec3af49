//! GCC's own use of a profile: the program counts its branches, prints the counts, and is compiled with them.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use hpp_fpga::core::Core;
use hpp_golden::branch::BranchKind;
use hpp_golden::dump::Dump;
use hpp_riscv::{Ingress, Retirement, Xlen};
use hpp_soc::{Meanwhile, Soc, Watcher, make_firmware};
use hpp_tools::project_root;
use object::{Object, ObjectSection, ObjectSymbol};

use super::ISA;
use super::run::{Ran, output};

/// Compiles a program twice, and runs it. The paths of its functions are not reported, because GCC makes other blocks.
pub fn guided(soc: &Soc, core: Core, program: &str) -> Result<Ran> {
    let name = format!("{program}-{}-superblocks-gcc", core.key());
    let folder = project_root().join("build/instrument").join(name);
    // Counts of an earlier run would be added to.
    if folder.exists() {
        fs::remove_dir_all(&folder)
            .with_context(|| format!("cannot remove {}", folder.display()))?;
    }
    let (_, uart) = run(soc, core, program, &folder, "count")?;
    keep(&uart)?;
    let (ran, _) = run(soc, core, program, &folder, "use")?;
    Ok(ran)
}

fn run(
    soc: &Soc,
    core: Core,
    program: &str,
    folder: &Path,
    branches: &str,
) -> Result<(Ran, String)> {
    let mut options = vec![
        format!("ISA={ISA}"),
        format!("OUT={}", folder.display()),
        format!("BRANCHES={branches}"),
    ];
    if core.devices() != 0 {
        options.push(format!("DEVICES={:#x}", core.devices()));
    }
    make_firmware(program, &options)?;
    let elf = folder.join(format!("{program}.elf"));
    let name = || elf.display().to_string();
    let bytes = fs::read(&elf).with_context(name)?;
    let file = object::File::parse(&*bytes).with_context(name)?;
    let mut symbols = file.symbols();
    let main = symbols.find(|symbol| symbol.name() == Ok("main"));
    let mut watch = Watch::new(main.context("no `main`")?.address());
    let run = soc.run(&elf, &mut watch)?;
    run.ended_well(name())?;
    let text = file.section_by_name(".text").context("no section .text")?;
    let ran = Ran {
        cycles: watch.cycles,
        instructions: watch.instructions,
        jumps: watch.jumps,
        code: text.size(),
        profiles: Vec::new(),
        output: output(&run.uart),
        dump: Dump::read(&run.uart).with_context(name)?,
    };
    Ok((ran, run.uart))
}

/// Writes the files of counts that a program printed.
fn keep(uart: &str) -> Result<()> {
    let lines: Vec<&str> = uart.lines().collect();
    let mut kept = 0;
    for pair in lines.windows(2) {
        let [name, bytes] =
            [("gcda ", pair[0]), ("gcov ", pair[1])].map(|(begin, line)| line.strip_prefix(begin));
        let (Some(name), Some(bytes)) = (name, bytes) else {
            continue;
        };
        let bytes = bytes.as_bytes().chunks(2).map(|byte| {
            let byte = std::str::from_utf8(byte).context("counts are hexadecimal")?;
            u8::from_str_radix(byte, 16).context("counts are hexadecimal")
        });
        let bytes: Vec<u8> = bytes.collect::<Result<_>>()?;
        fs::write(name, bytes).with_context(|| format!("cannot write {name}"))?;
        kept += 1;
    }
    ensure!(kept > 0, "no counts were printed");
    Ok(())
}

/// Sees `main` begin and return.
struct Watch {
    main: u64,
    ingress: Ingress,
    since: Option<u64>,
    /// Calls under way in `main`.
    depth: u32,
    cycles: u64,
    instructions: u64,
    jumps: u64,
}

impl Watch {
    fn new(main: u64) -> Self {
        Watch {
            main,
            ingress: Ingress::new(Xlen::Rv32, 8),
            since: None,
            depth: 0,
            cycles: 0,
            instructions: 0,
            jumps: 0,
        }
    }
}

impl Watcher for Watch {
    fn retired(&mut self, _retirement: &Retirement) {}

    fn retired_in(&mut self, meanwhile: &Meanwhile, retirement: &Retirement) {
        if retirement.pc == self.main && self.since.is_none() && self.cycles == 0 {
            self.since = Some(meanwhile.cycle);
        }
        self.instructions += u64::from(self.since.is_some());
        for record in self.ingress.step(retirement, 1) {
            let Some(since) = self.since else {
                continue;
            };
            match record.kind {
                BranchKind::Forward | BranchKind::Backward => self.jumps += u64::from(record.taken),
                BranchKind::Call | BranchKind::IndirectCall => self.depth += 1,
                BranchKind::Return if self.depth == 0 => {
                    self.cycles = meanwhile.cycle - since;
                    self.since = None;
                }
                BranchKind::Return => self.depth -= 1,
                _ => {}
            }
        }
    }
}
