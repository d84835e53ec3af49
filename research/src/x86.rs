//! Probes as x86-64 instructions, none of which changes a flag: a branch may read what was compared before.

use crate::code::{COUNTERS, Code};

/// Options of GCC that keep the registers of probes free.
pub const FREE: [&str; 3] = ["-ffixed-r13", "-ffixed-r14", "-ffixed-r15"];

fn lines(text: &str) -> Code {
    text.split("; ").map(|line| format!("\t{line}")).collect()
}

/// The counter at a word and `more` words after it.
fn place(word: u32, more: i32) -> String {
    format!("{COUNTERS}{:+}", 8 * (i64::from(word) + i64::from(more)))
}

fn increment_at(at: &str) -> Code {
    lines(&format!(
        "movq {at}, %r13; leaq 1(%r13), %r13; movq %r13, {at}"
    ))
}

/// `counter++`
pub fn increment(word: u32) -> Code {
    increment_at(&place(word, 0))
}

pub fn set(register: &str, value: i32) -> Code {
    lines(&format!("movq ${value}, {register}"))
}

pub fn add(register: &str, value: i32) -> Code {
    match value {
        0 => Code::new(),
        _ => lines(&format!("leaq {value}({register}), {register}")),
    }
}

/// `array[sum + value]++`
pub fn count_in_array(array: u32, value: i32) -> Code {
    increment_at(&format!("{}(,%r15,8)", place(array, value)))
}

/// Puts the caller's sum by.
pub fn save() -> Code {
    lines("movq %r15, (%r14); leaq 8(%r14), %r14")
}

/// Takes it back.
pub fn restore() -> Code {
    lines("leaq -8(%r14), %r14; movq (%r14), %r15")
}

/// So many counters, and room for sums.
pub fn runtime(counters: usize) -> String {
    format!(
        "\t.bss\n\t.align 16\n\t.globl {COUNTERS}, {COUNTERS}_end, hpp_sums\n{COUNTERS}:\n\t.zero {}\n{COUNTERS}_end:\nhpp_sums:\n\t.zero 1048576\n\
         \t.section .note.GNU-stack,\"\",@progbits\n",
        8 * counters
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probes_leave_flags_alone() {
        let all = [
            increment(3),
            set("%r15", -1),
            add("%r15", 7),
            count_in_array(2, -5),
            save(),
            restore(),
        ];
        let words = all
            .iter()
            .flatten()
            .map(|line| line.split_whitespace().next());
        assert!(words.flatten().all(|word| ["movq", "leaq"].contains(&word)));
        assert_eq!(
            count_in_array(2, -5)[0],
            "\tmovq hpp_counters-24(,%r15,8), %r13"
        );
    }
}
