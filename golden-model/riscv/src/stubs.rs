//! The procedure linkage table: stubs through which a program calls functions of shared libraries, and functions that are chosen when it starts
//! (`STT_GNU_IFUNC`), also in programs without libraries. A stub jumps to the address in a slot, which a relocation fills.
//!
//! Sources: the psABI documents of RISC-V (section 8.5.6) and x86-64 (section 5.2).

use std::collections::HashMap;

use object::elf::STT_GNU_IFUNC;
use object::{
    Object, ObjectSection, ObjectSymbol, ObjectSymbolTable, SectionFlags, SymbolFlags, SymbolIndex,
};

use crate::functions::{Function, Functions};
use crate::sections::Code;

/// `R_RISCV_IRELATIVE` and `R_X86_64_IRELATIVE`: the slot gets the address that a function chooses.
const CHOSEN: [u64; 2] = [58, 37];

/// Most bytes of a stub.
const SIZE: u64 = 16;

/// The stubs of a program, called `NAME@plt` as disassemblers do. Linear in the sections of stubs, the symbols and the relocations.
pub(crate) fn stubs(
    file: &object::File<'_>,
    sections: &[Code],
    is_riscv: bool,
    functions: &Functions,
) -> Vec<Function> {
    let slots = slots(file, functions);
    let is_table = |section: &&Code| section.name.starts_with(".plt") || section.name == ".iplt";
    let mut stubs = Vec::new();
    for section in sections.iter().filter(is_table) {
        let first = stubs.len();
        for at in 0..section.bytes.len() {
            let address = section.address.wrapping_add(at as u64);
            let found = match is_riscv {
                true => riscv(section, at).map(|slot| (address, slot)),
                false => x86(section, at),
            };
            if let Some((start, slot)) = found
                && let Some(name) = slots.get(&slot)
            {
                stubs.push(Function::new(format!("{name}@plt"), start, SIZE));
            }
        }
        let mut next = section.address + section.bytes.len() as u64;
        for stub in stubs[first..].iter_mut().rev() {
            stub.size = SIZE.min(next - stub.address);
            next = stub.address;
        }
        // What finds a function when it is called first. The stubs of other tables end in its section, if there are any.
        if section.name == ".plt" && next > section.address {
            let size = next - section.address;
            stubs.push(Function::new("PLT0", section.address, size));
        }
    }
    stubs
}

/// What fills each slot, by the slot's address: a function of a library, or the one that chooses.
fn slots(file: &object::File<'_>, functions: &Functions) -> HashMap<u64, String> {
    let mut slots = HashMap::new();
    let (table, chosen) = (file.dynamic_symbol_table(), chosen(file));
    for section in file.sections() {
        let is_loaded = matches!(section.flags(), SectionFlags::Elf { sh_flags, .. } if sh_flags.0 & object::elf::SHF_ALLOC.0 != 0);
        if !is_loaded || !section.name().unwrap_or("").starts_with(".rela") {
            continue;
        }
        let width = if file.is_64() { 8 } else { 4 };
        let data = section.data().unwrap_or_default();
        for relocation in data.chunks_exact(3 * width) {
            let [slot, info, addend] = [0, 1, 2].map(|field| {
                let bytes = &relocation[field * width..][..width];
                bytes
                    .iter()
                    .rev()
                    .fold(0, |value, byte| value << 8 | u64::from(*byte))
            });
            let (symbol, kind) = match file.is_64() {
                true => (info >> 32, info & 0xffff_ffff),
                false => (info >> 8, info & 0xff),
            };
            let name = match symbol {
                // Most others without a symbol only move with the program.
                0 if !CHOSEN.contains(&kind) => None,
                0 => match chosen.get(&addend) {
                    Some(&name) => Some(name.to_owned()),
                    None => functions.at(addend).map(|function| function.name.clone()),
                },
                index => table.as_ref().and_then(|table| {
                    let symbol = table.symbol_by_index(SymbolIndex(index as usize)).ok()?;
                    Some(symbol.name().ok()?.to_owned())
                }),
            };
            if let Some(name) = name {
                slots.insert(slot, name);
            }
        }
    }
    slots
}

/// The functions that others choose code for, by the addresses of those: of several names, one for users of the library. Collected once, because a program
/// may have as many relocations as symbols.
fn chosen<'a>(file: &'a object::File<'_>) -> HashMap<u64, &'a str> {
    let is_chosen = |symbol: &object::Symbol<'_, '_>| matches!(symbol.flags(), SymbolFlags::Elf { st_info, .. } if st_info.st_type() == STT_GNU_IFUNC);
    let rank = |name: &str| (name.starts_with('_'), name.len());
    let mut names = HashMap::new();
    for symbol in file.symbols().filter(is_chosen) {
        if let Ok(name) = symbol.name() {
            let best = names.entry(symbol.address()).or_insert(name);
            if rank(name) < rank(best) {
                *best = name;
            }
        }
    }
    names
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let (word, _) = bytes.get(at..)?.split_first_chunk()?;
    Some(u32::from_le_bytes(*word))
}

/// The slot of a stub that begins here: `auipc rd, high`, then a load of `low(rd)`.
fn riscv(section: &Code, at: usize) -> Option<u64> {
    let [high, load] = [word(&section.bytes, at)?, word(&section.bytes, at + 4)?];
    let is_stub = high & 0x7f == 0x17
        && matches!(load & 0x707f, 0x2003 | 0x3003)
        && load >> 15 & 0x1f == high >> 7 & 0x1f;
    let high = i64::from((high & 0xffff_f000).cast_signed());
    let low = i64::from(load.cast_signed() >> 20);
    let address = section.address.wrapping_add(at as u64);
    is_stub.then(|| address.wrapping_add_signed(high + low))
}

/// Where the stub begins that has `jmp *slot(%rip)` here, and the slot. `endbr64` may stand before, and `bnd`.
fn x86(section: &Code, at: usize) -> Option<(u64, u64)> {
    let code = section.bytes.get(at..at + 6)?;
    let distance = i64::from(word(code, 2)?.cast_signed());
    let before = &section.bytes[..at];
    let before = before.strip_suffix(&[0xf2]).unwrap_or(before);
    let before = before
        .strip_suffix(&[0xf3, 0x0f, 0x1e, 0xfa])
        .unwrap_or(before);
    let [start, next] = [before.len(), at + 6].map(|at| section.address.wrapping_add(at as u64));
    (code[..2] == [0xff, 0x25]).then(|| (start, next.wrapping_add_signed(distance)))
}
