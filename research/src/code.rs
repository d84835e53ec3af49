use hpp_paths::Number;

/// The symbol of all counters.
pub const COUNTERS: &str = "hpp_counters";

/// The counter of executions that a hash table had no place for.
pub const LOST: u32 = 0;

/// Places of a hash table, each a number and a count. The thesis has 700.
pub const PLACES: u32 = 1024;

pub type Code = Vec<String>;

/// A number as a 32-bit word; sums wrap around, and path numbers are below 2^32.
pub fn word(number: &Number) -> i32 {
    (number & Number::from(u32::MAX))
        .try_into()
        .map_or(0, |word: u32| word as i32)
}

fn lines(text: &str) -> Code {
    text.split("; ").map(|line| format!("\t{line}")).collect()
}

/// The counter at a word, and `more` bytes after it.
fn place(word: u32, more: i64) -> String {
    format!("{COUNTERS}{:+}", 4 * i64::from(word) + more)
}

/// The register of the path sum, preferential or the only one.
pub const SUM: &str = "s11";

/// The register of the Ball-Larus sum beside it.
pub const SECOND_SUM: &str = "s10";

pub fn increment(word: u32) -> Code {
    let at = place(word, 0);
    lines(&format!(
        "lui t6,%hi({at}); lw t5,%lo({at})(t6); addi t5,t5,1; sw t5,%lo({at})(t6)"
    ))
}

pub fn set(register: &str, value: i32) -> Code {
    lines(&format!("li {register},{value}"))
}

pub fn add(register: &str, value: i32) -> Code {
    match value {
        0 => Code::new(),
        -2048..2048 => lines(&format!("addi {register},{register},{value}")),
        _ => lines(&format!("li t5,{value}; add {register},{register},t5")),
    }
}

/// `array[s11 + value]++`
///
/// The linker must leave it as it is: relaxed, an access by `%lo` goes by the global pointer and forgets what was added.
pub fn count_in_array(array: u32, value: i32) -> Code {
    let at = place(array, 4 * i64::from(value));
    lines(&format!(
        ".option push; .option norelax; slli t5,s11,2; lui t6,%hi({at}); add t6,t6,t5; \
         lw t5,%lo({at})(t6); addi t5,t5,1; sw t5,%lo({at})(t6); .option pop"
    ))
}

/// `table[s11 + value]++`, or `table[value]++`
pub fn count_in_table(table: u32, value: i32, sum: bool) -> Code {
    let at = place(table, 0);
    let mut code = match (sum, value) {
        (false, _) => set("t5", value),
        (true, -2048..2048) => lines(&format!("addi t5,s11,{value}")),
        (true, _) => lines(&format!("li t5,{value}; add t5,t5,s11")),
    };
    code.extend(lines(&format!(
        "lui s10,%hi({at}); addi s10,s10,%lo({at}); jal t6,hpp_count"
    )));
    code
}

/// Counts in an array of Ball-Larus numbers and counts if the number there is this path's, else at `other`. The sums are `s11` and `s10`
/// plus these values.
pub fn count_preferred(array: u32, width: u32, other: u32, [first, second]: [i32; 2]) -> Code {
    let at = place(array, 0);
    let mut code = add("s11", first);
    code.extend(add("s10", second));
    code.extend(lines(&format!(
        "li t5,{width}; bgeu s11,t5,8f; slli t5,s11,3; lui t6,%hi({at}); addi t6,t6,%lo({at}); \
         add t6,t6,t5; lw t5,0(t6); bne t5,s10,8f; lw t5,4(t6); addi t5,t5,1; sw t5,4(t6); j 9f"
    )));
    code.push("8:".into());
    code.extend(increment(other));
    code.push("9:".into());
    code
}

/// Puts the caller's sums by.
pub fn save() -> Code {
    lines("sw s11,0(s9); sw s10,4(s9); addi s9,s9,8")
}

pub fn restore() -> Code {
    lines("addi s9,s9,-8; lw s11,0(s9); lw s10,4(s9)")
}

/// What comes first in `main`.
pub fn begin() -> Code {
    lines("lui s9,%hi(hpp_sums); addi s9,s9,%lo(hpp_sums)")
}

/// The counters, with what they hold at first, room for sums, and the routine that counts in tables.
pub fn runtime(words: &[u32]) -> String {
    let section = match words.iter().any(|&word| word != 0) {
        true => ".data",
        false => ".bss",
    };
    let mut text = format!(
        "\t.section {section}.{COUNTERS},\"aw\"{}\n\t.align 2\n\t.globl {COUNTERS}\n{COUNTERS}:\n",
        if section == ".bss" { ",@nobits" } else { "" }
    );
    for run in words.chunk_by(|one, other| one == other) {
        match run[0] {
            0 => text += &format!("\t.zero {}\n", 4 * run.len()),
            value => text += &format!("\t.fill {},4,{value}\n", run.len()),
        }
    }
    text += &format!("\t.globl {COUNTERS}_end\n{COUNTERS}_end:\n");
    text += "\t.section .bss.hpp_sums,\"aw\",@nobits\n\t.align 2\n\t.globl hpp_sums\nhpp_sums:\n\t.zero 65536\n";
    text + &table_routine()
}

/// Counts the number in `t5` in the table at `s10`. It changes nothing but `t5` and `s10`.
fn table_routine() -> String {
    let mask = PLACES - 1;
    let bits = PLACES.trailing_zeros();
    let lost = increment(LOST).join("\n");
    format!(
        "\t.section .text.hpp_count,\"ax\",@progbits
\t.globl hpp_count
\t.type hpp_count, @function
hpp_count:
\tsw a0,0(s9)
\tsw a1,4(s9)
\tsw a2,8(s9)
\tsw a3,12(s9)
\tsw t6,16(s9)
\tsrli a0,t5,{bits}
\tsrli a1,a0,{bits}
\txor a0,a0,a1
\txor a0,a0,t5
\tandi a0,a0,{mask}
\tli a2,{PLACES}
1:\tslli a1,a0,3
\tadd a1,a1,s10
\tlw a3,4(a1)
\tbeqz a3,2f
\tlw t6,0(a1)
\tbeq t6,t5,3f
\taddi a0,a0,1
\tandi a0,a0,{mask}
\taddi a2,a2,-1
\tbnez a2,1b
{lost}
\tj 4f
2:\tsw t5,0(a1)
3:\taddi a3,a3,1
\tsw a3,4(a1)
4:\tlw a0,0(s9)
\tlw a1,4(s9)
\tlw a2,8(s9)
\tlw a3,12(s9)
\tlw t6,16(s9)
\tjr t6
\t.size hpp_count, .-hpp_count
"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The linker made `lw t5,%lo(counter)(t6)` an access by the global pointer, and `t6` was no part of it any more.
    #[test]
    fn an_access_by_index_is_not_relaxed() {
        let code = count_in_array(5, -2);
        assert_eq!(code[..2], ["\t.option push", "\t.option norelax"]);
        assert_eq!(code.last().map(String::as_str), Some("\t.option pop"));
        assert!(code.contains(&"\tlw t5,%lo(hpp_counters+12)(t6)".to_owned()));
    }

    #[test]
    fn sums_wrap_around() {
        assert_eq!(word(&Number::from(-3)), -3);
        assert_eq!(word(&Number::from(0xffff_fffe_u32)), -2);
        assert_eq!(add("s11", 0), Code::new());
        assert_eq!(add("s11", 2048), ["\tli t5,2048", "\tadd s11,s11,t5"]);
    }
}
