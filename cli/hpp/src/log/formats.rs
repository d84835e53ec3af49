//! The lines of logs: one table of patterns, and what reads them.

use std::sync::LazyLock;

use regex::bytes::Regex;

/// What the digits of an address say about the width of addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// They have leading zeros: up to eight digits are RV32.
    Padded,
    /// Nothing.
    Unknown,
}

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An instruction that retired.
    Instruction,
    /// A block of instructions begins; its instructions are known from the program only.
    Block,
    /// The block at this address was not executed, though it is in the log.
    NotRun,
    /// An exception of the instruction at this address, or of the last one.
    Exception,
    /// An interrupt before the instruction at this address.
    Interrupt,
    /// How many times the last instruction was executed, one after the other, though it is in one line.
    Repeated,
    /// A name or a value, of which nothing follows for the records.
    Note,
}

/// A pattern, of which a part in braces stands for:
///
/// | part | what is there |
/// | --- | --- |
/// | `{pc}`, `{insn}` | a hexadecimal number |
/// | `{pc8}`, `{insn4}` | the same, of 8 or 16 and of 4 or 8 digits |
/// | `{hart}` | a decimal number; none is 0 |
/// | `{name}` | a name, the last number in which is the hart |
/// | `{mode}` | a level of privilege, by its letter, its word or its number |
/// | `{c}` | perhaps `c.`, where a compressed instruction is shown as a word of 32 bits |
/// | `{times}` | a decimal number, of executions |
/// | `{n}`, `{x}`, `{word}` | digits, hexadecimal digits, anything but a blank |
/// | `{to}` | anything up to what comes next in the pattern |
/// | `{end}` | the end of the line |
///
/// A blank is any number of blanks and tabs, at least one. A line may begin with blanks.
pub struct Format {
    /// Whose lines these are.
    pub name: &'static str,
    pattern: &'static str,
    /// What an address tells.
    pub width: Width,
    /// What such a line is.
    pub kind: Kind,
}

const fn log(name: &'static str, pattern: &'static str) -> Format {
    Format {
        name,
        pattern,
        width: Width::Padded,
        kind: Kind::Instruction,
    }
}

/// A log whose addresses have no leading zeros.
const fn unpadded(name: &'static str, pattern: &'static str) -> Format {
    Format {
        width: Width::Unknown,
        ..log(name, pattern)
    }
}

/// Sources, in the order of the table: `take_trap` and `disasm` of riscv-isa-sim and its commit log; RocketCore.scala of rocket-chip and `spikeCommitLog` of
/// CVA6 4.2; logs of sail-riscv (2025); neorv32_cpu_trace_simlog.vhd (2026); instr_trace_item.svh of CVA6 4.2, and a log of 2019; a log of core-v-verif
/// (2021); printTrace.cpp of SweRV-ISS; tb_top.sv of the VeeR cores; cv32e40p_instr_trace.svh of CV32E40P 1.0; ibex_tracer.sv (2025); RocketCore.scala;
/// docs/devel/tcg-plugins.rst of QEMU; QEMU 7.2, which was run; a log of riscvOVPsim (2020); exetrace.cc of gem5; TraceTextWriter.cs and execution-tracing.robot of Renode.
const FORMATS: &[Format] = &[
    log("Spike, -l", "core {hart}: 0x{pc} (0x{insn})"),
    log(
        "Spike, --log-commits",
        "core {hart}: {mode} 0x{pc} (0x{insn})",
    ),
    log("commit log of Rocket or CVA6", "{mode} 0x{pc} (0x{insn})"),
    log("Sail", "[{n}] [{mode}]: 0x{pc} (0x{insn})"),
    log("NEORV32", "{n} {n} 0x{pc8} 0x{insn4} {mode} {c}"),
    log(
        "tracer of CVA6, .dasm",
        "{n} 0x{pc} {mode} (0x{insn}) DASM(",
    ),
    log("tracer of CVA6", "{n}ns {n} {mode} {pc} {n} {insn} "),
    log("core-v-verif", "{word} ns: RVFI {n} {pc} {insn} {mode} "),
    log("Whisper", "#{n} {hart} {mode} {pc8} {insn4} "),
    log("VeeR-ISS", "#{n} {hart} {pc8} {insn4} "),
    log("VeeR", "{n} : #{n} {hart} {pc8} {insn4} "),
    log("tracer of CV32E40P", "{word} {n} {pc8} {insn4} {mode} {c}"),
    log(
        "tracer of CV32E40P",
        "{word} ns {n} {pc8} {insn4} {mode} {c}",
    ),
    log("tracer of Ibex", "{word} {n} {pc8} {insn4} {c}"),
    log(
        "Rocket or Chipyard",
        "C{hart}: {n} [1] pc=[{pc}] {to}inst=[{insn}]",
    ),
    unpadded("QEMU, execlog", "{hart}, 0x{pc}, 0x{insn}, \""),
    Format {
        kind: Kind::Block,
        ..unpadded("QEMU, -d exec", "Trace {hart}: 0x{x} [{x}/{pc}/")
    },
    log(
        "riscvOVPsim",
        "Info {n}: '{name}', 0x{pc}{to}: {mode} {insn} ",
    ),
    unpadded("gem5, Exec", "{n}: {name}: T{n} : 0x{pc}"),
    unpadded("Renode, PCAndOpcode", "0x{pc}: 0x{insn}{end}"),
    unpadded("Renode, Disassembly", "0x{pc}: {insn4} "),
    // As `renode` writes them.
    log("Renode, binary", "renode {pc} {insn}{end}"),
    log("Renode, binary", "renode {pc}{end}"),
    unpadded("Renode, PC", "0x{pc}{end}"),
];

const fn event(kind: Kind, pattern: &'static str) -> Format {
    Format {
        kind,
        ..log("", pattern)
    }
}

/// Lines between the others, of any of the logs.
const EVENTS: &[Format] = &[
    event(
        Kind::Interrupt,
        "core {hart}: exception interrupt {to}epc 0x{pc}",
    ),
    event(Kind::Exception, "core {hart}: exception {to}epc 0x{pc}"),
    event(Kind::Repeated, "core {hart}: Executed {times} times"),
    // The function that begins, and the second line of an exception.
    event(Kind::Note, "core {hart}: >>>> "),
    event(Kind::Note, "core {hart}: tval "),
    event(Kind::Interrupt, "handling int#"),
    // An instruction that could not be fetched, which therefore has no line.
    event(Kind::Interrupt, "handling exc#fetch"),
    event(Kind::Interrupt, "handling exc#0x01"),
    event(Kind::Interrupt, "handling exc#0x0C"),
    event(Kind::Exception, "handling exc#"),
    event(Kind::Exception, "Exception @{to}PC: {pc}"),
    event(Kind::Exception, "{word} exception @ 0x{pc}"),
    event(
        Kind::NotRun,
        "Stopped execution of TB chain before 0x{x} [{pc}]",
    ),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Text(&'static str),
    Blank,
    Pc,
    Pc8,
    Insn,
    Insn4,
    Hart,
    Name,
    Mode,
    Expanded,
    Times,
    Number,
    Hex,
    Word,
    To,
    End,
}

const NAMES: [(&str, Part); 14] = [
    ("pc", Part::Pc),
    ("pc8", Part::Pc8),
    ("insn", Part::Insn),
    ("insn4", Part::Insn4),
    ("hart", Part::Hart),
    ("name", Part::Name),
    ("mode", Part::Mode),
    ("c", Part::Expanded),
    ("times", Part::Times),
    ("n", Part::Number),
    ("x", Part::Hex),
    ("word", Part::Word),
    ("to", Part::To),
    ("end", Part::End),
];

fn parts(mut pattern: &'static str) -> Vec<Part> {
    let mut parts = Vec::new();
    while !pattern.is_empty() {
        let (part, length) = match (pattern.as_bytes()[0], pattern.find(['{', ' '])) {
            (b' ', _) => (Part::Blank, 1),
            (b'{', _) => {
                let end = pattern.find('}').expect("a brace that closes");
                let named = |&&(name, _): &&(&str, Part)| name == &pattern[1..end];
                let (_, part) = NAMES.iter().find(named).expect("the name of a part");
                (*part, end + 1)
            }
            (_, end) => {
                let end = end.unwrap_or(pattern.len());
                (Part::Text(&pattern[..end]), end)
            }
        };
        parts.push(part);
        pattern = &pattern[length..];
    }
    parts
}

/// What a line says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// Which hart.
    pub hart: u32,
    /// The address, if there is one.
    pub pc: Option<u64>,
    /// The instruction, if it is there.
    pub insn: Option<u32>,
    /// The level of privilege as a context: 0 for the machine's, 1 for a supervisor's, 2 for a user's.
    pub context: u8,
    /// It is a compressed instruction, whatever its word is.
    pub compressed: bool,
    /// Digits of the address.
    pub digits: usize,
    /// How many times the last instruction was executed.
    pub times: u32,
}

/// The value of at most so many digits.
fn hexadecimal(digits: &[u8]) -> Option<u64> {
    let digit =
        |value: u64, &digit: &u8| Some(value << 4 | u64::from(char::from(digit).to_digit(16)?));
    digits.iter().try_fold(0, digit)
}

fn decimal(digits: &[u8]) -> Option<u32> {
    let digit =
        |value: u32, &digit: &u8| value.checked_mul(10)?.checked_add(u32::from(digit - b'0'));
    digits.iter().try_fold(0, digit)
}

/// Machine, supervisor, user, with a V in front where they are virtual; debug mode is the machine's.
const fn context(mode: &[u8]) -> Option<u8> {
    match mode {
        [b'M' | b'D' | b'3' | b'?', ..] => Some(0),
        [b'S' | b'H' | b'1', ..] | [b'V', b'S', ..] => Some(1),
        [b'U' | b'0', ..] | [b'V', b'U', ..] => Some(2),
        _ => None,
    }
}

/// How many bytes at the front satisfy the predicate.
fn run(text: &[u8], such: impl Fn(u8) -> bool) -> usize {
    let other = text.iter().position(|&byte| !such(byte));
    other.unwrap_or(text.len())
}

const fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Matches the beginning of a line. Linear in its length.
#[inline]
fn scan(parts: &[Part], mut text: &[u8]) -> Option<Line> {
    let mut line = Line::default();
    text = &text[run(text, is_blank)..];
    for (place, part) in parts.iter().enumerate() {
        let digits = |count: usize| (count > 0).then_some(count);
        let length = match part {
            Part::Text(part) if text.starts_with(part.as_bytes()) => part.len(),
            Part::Text(_) => return None,
            Part::Blank => digits(run(text, is_blank))?,
            Part::Pc | Part::Pc8 => {
                line.digits = digits(run(text, |byte| byte.is_ascii_hexdigit()))?;
                let fits = match part {
                    Part::Pc8 => matches!(line.digits, 8 | 16),
                    _ => line.digits <= 16,
                };
                line.pc = Some(hexadecimal(&text[..line.digits]).filter(|_| fits)?);
                line.digits
            }
            Part::Insn | Part::Insn4 => {
                let count = digits(run(text, |byte| byte.is_ascii_hexdigit()))?;
                let fits = match part {
                    Part::Insn4 => matches!(count, 4 | 8),
                    _ => count <= 16,
                };
                // The low word of a longer instruction says its length.
                line.insn = Some(hexadecimal(&text[..count]).filter(|_| fits)? as u32);
                count
            }
            Part::Hart => {
                let count = run(text, |byte| byte.is_ascii_digit());
                line.hart = decimal(&text[..count])?;
                count
            }
            Part::Name => {
                let count = run(text, |byte| !matches!(byte, b' ' | b':' | b'\''));
                let end = text[..count].iter().rposition(u8::is_ascii_digit);
                if let Some(end) = end {
                    let name = &text[..=end];
                    let from = name.iter().rposition(|byte| !byte.is_ascii_digit());
                    line.hart = decimal(&name[from.map_or(0, |from| from + 1)..])?;
                }
                digits(count)?
            }
            Part::Mode => {
                let count = run(text, |byte| byte.is_ascii_alphanumeric() || byte == b'?');
                line.context = context(&text[..count])?;
                count
            }
            Part::Expanded => {
                line.compressed = text.starts_with(b"c.");
                0
            }
            Part::Times => {
                let count = digits(run(text, |byte| byte.is_ascii_digit()))?;
                line.times = decimal(&text[..count])?;
                count
            }
            Part::Number => digits(run(text, |byte| byte.is_ascii_digit()))?,
            Part::Hex => digits(run(text, |byte| byte.is_ascii_hexdigit()))?,
            Part::Word => digits(run(text, |byte| !is_blank(byte)))?,
            Part::To => match parts.get(place + 1) {
                Some(Part::Text(next)) => {
                    let next = next.as_bytes();
                    let is_blank_after = matches!(parts.get(place + 2), Some(Part::Blank));
                    let fits = |at: &usize| {
                        let after = text.get(at + next.len()).copied();
                        text[*at..].starts_with(next)
                            && !(is_blank_after && after.is_some_and(|byte| !is_blank(byte)))
                    };
                    (0..text.len()).find(fits)?
                }
                _ => 0,
            },
            Part::End if text.trim_ascii().is_empty() => 0,
            Part::End => return None,
        };
        text = &text[length..];
    }
    Some(line)
}

struct Compiled {
    formats: Vec<(&'static Format, Vec<Part>)>,
    events: Vec<(&'static Format, Vec<Part>)>,
}

static COMPILED: LazyLock<Compiled> = LazyLock::new(|| {
    let all = |formats: &'static [Format]| {
        let compiled = formats.iter().map(|format| (format, parts(format.pattern)));
        compiled.collect()
    };
    Compiled {
        formats: all(FORMATS),
        events: all(EVENTS),
    }
});

/// Reads the lines of logs of one form.
#[derive(Clone)]
pub enum Reader {
    /// A pattern of the table, by its place.
    Known(usize),
    /// A regular expression of the user's.
    Own(Regex),
}

impl Reader {
    /// The reader for the first pattern of the table that fits this line.
    pub fn of(line: &[u8]) -> Option<Self> {
        let fits = |(_, parts): &(_, Vec<Part>)| scan(parts, line).is_some();
        COMPILED.formats.iter().position(fits).map(Self::Known)
    }

    /// A reader for the user's expression with the group `pc` and perhaps `insn`, `mode` and `hart`.
    ///
    /// # Errors
    ///
    /// If it is no regular expression, or has no group `pc`.
    pub fn own(pattern: &str) -> Result<Self, String> {
        let regex = Regex::new(pattern).map_err(|error| error.to_string())?;
        match regex.capture_names().flatten().any(|name| name == "pc") {
            true => Ok(Self::Own(regex)),
            false => Err("it needs a group of the name pc, as in `(?P<pc>[0-9a-f]+)`".into()),
        }
    }

    fn format(&self) -> Option<&'static Format> {
        match self {
            Self::Known(place) => Some(COMPILED.formats[*place].0),
            Self::Own(_) => None,
        }
    }

    /// Whose log it is.
    pub fn name(&self) -> &'static str {
        self.format().map_or("--log-pattern", |format| format.name)
    }

    /// What an address tells.
    pub fn width(&self) -> Width {
        self.format().map_or(Width::Unknown, |format| format.width)
    }

    /// Whether the log shows blocks, not instructions.
    pub fn has_blocks(&self) -> bool {
        self.format()
            .is_some_and(|format| format.kind == Kind::Block)
    }

    /// What a line says; `None` if it does not fit. Linear in its length.
    #[inline]
    pub fn read(&self, line: &[u8]) -> Option<(Kind, Line)> {
        let read = match self {
            Self::Known(place) => {
                let (format, parts) = &COMPILED.formats[*place];
                scan(parts, line).map(|line| (format.kind, line))
            }
            Self::Own(regex) => captured(regex, line).map(|line| (Kind::Instruction, line)),
        };
        read.or_else(|| {
            let mut events = COMPILED.events.iter();
            events.find_map(|(format, parts)| Some((format.kind, scan(parts, line)?)))
        })
    }

    /// Whether a line that [`read`](Self::read) does not take has an instruction after something else, or as much of one as its address.
    /// Lines of a few parts, which anything may hold, are not told so, and neither are those of the user's pattern.
    pub fn is_broken(&self, line: &[u8]) -> bool {
        let Self::Known(place) = self else {
            return false;
        };
        let (_, parts) = &COMPILED.formats[*place];
        let searched = &line[..line.len().min(SEARCHED)];
        if parts.len() < 4 {
            return false;
        }
        (1..searched.len()).any(|at| {
            let may_begin = match parts[0] {
                Part::Text(text) => line[at..].starts_with(text.as_bytes()),
                _ => is_blank(line[at - 1]) && !is_blank(line[at]),
            };
            may_begin && scan(parts, &line[at..]).is_some()
        }) || is_cut(parts, line)
    }
}

/// Bytes of a line in which an instruction is looked for.
const SEARCHED: usize = 256;

/// Whether a line ends after the address and before the instruction's word does.
fn is_cut(parts: &[Part], line: &[u8]) -> bool {
    let is_word = |part: &Part| matches!(part, Part::Insn | Part::Insn4);
    let Some(word) = parts.iter().position(is_word) else {
        return false;
    };
    let pc = parts[..word]
        .iter()
        .position(|part| *part == Part::Pc || *part == Part::Pc8);
    pc.is_some_and(|pc| {
        let front = [&parts[..=pc], &[Part::End]].concat();
        scan(&front, line).is_some()
    })
}

fn captured(regex: &Regex, line: &[u8]) -> Option<Line> {
    let found = regex.captures(line)?;
    let group = |name| found.name(name).map(|found| found.as_bytes());
    let number = |name| {
        let digits = group(name)?;
        let digits = digits.strip_prefix(b"0x").unwrap_or(digits);
        (1..=16).contains(&digits.len()).then_some(())?;
        hexadecimal(digits)
    };
    Some(Line {
        pc: Some(number("pc")?),
        insn: number("insn").map(|insn| insn as u32),
        hart: group("hart").map_or(Some(0), |digits| str::from_utf8(digits).ok()?.parse().ok())?,
        context: group("mode").and_then(context).unwrap_or_default(),
        ..Line::default()
    })
}
