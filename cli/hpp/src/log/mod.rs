//! Branch records from the logs of simulators and tracers.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`formats`] | the table of the logs that are known |
//! | `follow` | from instructions, in order, to branch records |
//! | [`input`] | files and pipes, compressed or not |
//! | `renode` | a binary form, as text |

pub(crate) mod follow;
pub mod formats;
pub mod input;
mod renode;

use std::io::BufRead;

use anyhow::{Error, Result, anyhow, bail, ensure};
use follow::{Hart, Harts, Parts};
use formats::{Kind, Line, Reader, Width};
use hpp_explore::trace::{Ending, Isa};
use hpp_golden::branch::BranchRecord;
use hpp_golden::ingress::{Instruction, Loops, ProgramCode, Retirement, Xlen, decode};
use hpp_report::numbers::number_of;
use hpp_riscv::Image;
use input::Lines;

/// How many lines are searched for one of a known form.
const SEARCHED: u64 = 100_000;

/// Records of a part, at least, unless some are missing or the log ends.
const PART: usize = 1 << 16;

/// Instructions of a block of QEMU, at most.
const BLOCK: usize = 512;

/// A source of one hart's branch records.
pub trait ReadParts {
    /// The instruction set.
    fn isa(&self) -> Isa;

    /// The records by number.
    fn records(&self) -> &[BranchRecord];

    /// The numbers of the next records, in parts, each with whether records are missing before it; empty at the end. Constant time an instruction on average.
    ///
    /// # Errors
    ///
    /// If what compresses it is damaged, it cannot be followed, or nothing of the hart is in it.
    fn next_parts(&mut self) -> Result<Vec<(bool, Vec<u32>)>>;

    /// How the run ended, and what the records leave out.
    fn ending(&self) -> Ending;
}

/// How to read a log.
#[derive(Default)]
pub struct Options {
    /// A pattern of the user's.
    pub pattern: Option<Reader>,
    /// The hart to follow; the first of the log if none is given.
    pub hart: Option<u32>,
    /// The width of addresses, where it is given.
    pub xlen: Option<Xlen>,
    /// The program that ran.
    pub image: Option<Image>,
}

/// The error for a log of unknown form.
fn unknown(lines: u64, first: &str) -> Error {
    anyhow!(
        "none of {lines} lines is one of a log that is known, such as line 1: `{first}`; remedy: --log-pattern with a regular expression for a line, or one of \
         the forms that docs/from-a-log.md lists"
    )
}

/// The error for a log without instruction words, read without the program.
fn without_instructions(line: u64, name: &str) -> Error {
    anyhow!(
        "line {line}: a log of this form ({name}) has no instructions; remedy: --elf with the program that ran"
    )
}

/// An instruction that is remembered with its address, in the lowest bit of which is whether the log says that it is compressed, and its word.
type Remembered = (u64, u32, Instruction);

/// How many decoded instructions are remembered; a power of two.
const PLACES: usize = 1 << 14;

/// A log, read as records of one hart.
pub struct Log {
    lines: Lines<Box<dyn BufRead>>,
    reader: Reader,
    options: Options,
    xlen: Xlen,
    hart: u32,
    /// The first line, which was read to find out the form of the log.
    first: Option<(Kind, Line)>,
    follower: Hart,
    parts: Parts,
    decoded: Box<[Remembered]>,
    /// Hardware loops that the instructions set up, used without the program.
    loops: Loops,
    /// Address and context of the block that began last.
    block: Option<(u64, u8)>,
    harts: Harts,
    /// Lines at addresses where the program has no code.
    outside: u64,
    /// How many lines have no known form, and the first of them.
    unread: (u64, u64),
    /// How many of them look like a damaged instruction line, and the first of them.
    broken: (u64, u64),
    /// The last line was damaged.
    is_broken: bool,
    /// The first difference from the program.
    differs: Option<Error>,
    is_over: bool,
}

impl Log {
    /// Finds out the form of the log.
    ///
    /// # Errors
    ///
    /// If the form of the log is unknown, or following it needs the program or `--isa`.
    pub fn new(input: Box<dyn BufRead>, options: Options) -> Result<Self> {
        let mut lines = Lines::new(input);
        let mut beginning: Option<String> = None;
        let (reader, kind, line) = loop {
            let Some(text) = lines.next()? else {
                match beginning {
                    Some(first) => return Err(unknown(lines.number(), &first)),
                    None => bail!("it is empty; remedy: record again"),
                }
            };
            let mut parts = text.split(|&byte| byte == b'\r');
            if text.contains(&b'\r') && parts.any(|part| Reader::of(part).is_some()) {
                bail!(
                    "line {} has carriage returns within; remedy: tr '\\r' '\\n' makes lines of it",
                    lines.number()
                );
            }
            let reader = options.pattern.clone().or_else(|| Reader::of(text));
            let read = reader.and_then(|reader| {
                let (kind, line) = reader.read(text)?;
                matches!(kind, Kind::Instruction | Kind::Block).then_some((reader, kind, line))
            });
            match read {
                Some(read) => break read,
                None if beginning.is_none() => {
                    let text = String::from_utf8_lossy(&text[..text.len().min(80)]);
                    beginning = Some(text.chars().filter(|c| !c.is_control()).collect());
                }
                None => {}
            }
            if lines.number() == SEARCHED {
                return Err(unknown(SEARCHED, &beginning.unwrap_or_default()));
            }
        };
        let (number, name) = (lines.number(), reader.name());
        if options.image.is_none() && line.insn.is_none() {
            return Err(without_instructions(number, name));
        }
        let of_image = options.image.as_ref().map(Image::xlen);
        ensure!(
            of_image.is_none() || options.xlen.is_none() || options.xlen == of_image,
            "--isa is not that of the program (--elf); remedy: leave --isa out, or give the program that ran"
        );
        let of_digits = match (reader.width(), line.digits) {
            (Width::Unknown, ..=8) => None,
            (_, ..=8) => Some(Xlen::Rv32),
            _ => Some(Xlen::Rv64),
        };
        let Some(xlen) = of_image.or(options.xlen).or(of_digits) else {
            bail!(
                "line {number}: a log of this form ({name}) does not say whether it is of RV32 or RV64; remedy: --isa, or --elf with the program"
            );
        };
        let nothing = Instruction {
            next: 0,
            transfer: None,
        };
        Ok(Self {
            hart: options.hart.unwrap_or(line.hart),
            harts: Harts::new(options.hart),
            lines,
            reader,
            options,
            xlen,
            first: Some((kind, line)),
            follower: Hart::new(xlen),
            parts: Parts::default(),
            loops: Loops::default(),
            decoded: vec![(u64::MAX, 0, nothing); PLACES].into(),
            block: None,
            outside: 0,
            unread: (0, 0),
            broken: (0, 0),
            is_broken: false,
            differs: None,
            is_over: false,
        })
    }

    /// The retirements of all lines, as far as a log shows them.
    ///
    /// # Errors
    ///
    /// As those of [`next_parts`](ReadParts::next_parts), or if the log is one of blocks.
    pub fn retirements(mut self) -> Result<Vec<Retirement>> {
        let mut all: Vec<Retirement> = Vec::new();
        if self.reader.has_blocks() {
            return Err(without_instructions(
                self.lines.number(),
                self.reader.name(),
            ));
        }
        while let Some((kind, line)) = self.next_line()? {
            if line.hart != self.hart {
                continue;
            }
            match (kind, line.pc, all.last_mut()) {
                (Kind::Instruction, Some(pc), _) => {
                    self.compare(pc, &line);
                    if let Some(differs) = self.differs.take() {
                        return Err(differs);
                    }
                    if let Some(insn) = self.word(pc, line.insn) {
                        all.push(Retirement::new(pc, insn, 0));
                    }
                }
                (Kind::Exception, at, Some(last)) if at.is_none_or(|at| at == last.pc) => {
                    last.trap = true;
                }
                _ => {}
            }
        }
        Ok(all)
    }

    /// The next line that has a known form.
    fn next_line(&mut self) -> Result<Option<(Kind, Line)>> {
        if let Some(first) = self.first.take() {
            return Ok(Some(first));
        }
        while let Some(text) = self.lines.next()? {
            if let Some(read) = self.reader.read(text) {
                if std::mem::take(&mut self.is_broken) {
                    let number = self.lines.number();
                    self.follower.cut(number, &mut self.parts);
                }
                return Ok(Some(read));
            }
            let (is_empty, is_broken) = (text.is_empty(), self.reader.is_broken(text));
            let number = self.lines.number();
            for (counts, counter) in [(!is_empty, &mut self.unread), (is_broken, &mut self.broken)]
            {
                if counts {
                    follow::count(counter, number);
                }
            }
            self.is_broken |= is_broken;
        }
        Ok(None)
    }

    #[inline]
    fn take(&mut self, kind: Kind, line: &Line) {
        let number = self.lines.number();
        // Some lines between the others do not name their hart.
        if line.hart != self.hart && matches!(kind, Kind::Instruction | Kind::Block) {
            return self.harts.pass(line.hart);
        }
        let Some(pc) = line.pc.filter(|_| kind == Kind::Instruction) else {
            return self.event(kind, line);
        };
        if line.insn.is_none() && pc & 1 == 1 {
            self.differs = Some(anyhow!(
                "line {number}: {pc:#x} is odd, so it is a word and no instruction's address ({}); remedy: a log with addresses, which is Renode's PCAndOpcode",
                self.reader.name()
            ));
            return;
        }
        match self.instruction(pc, line) {
            Some((insn, decoded)) => {
                let instruction = match self.options.image.is_none() && self.xlen == Xlen::Rv32 {
                    true => self.loops.execute(insn, pc, decoded),
                    false => decoded,
                };
                self.follower
                    .retire(pc, insn, line.context, instruction, number, &mut self.parts)
            }
            None => {
                self.outside += 1;
                self.follower.cut(number, &mut self.parts);
            }
        }
    }

    fn event(&mut self, kind: Kind, line: &Line) {
        let number = self.lines.number();
        match kind {
            Kind::Instruction => {}
            Kind::Block => {
                let next = line.pc.unwrap_or_default();
                self.run_block(Some(next));
                self.block = Some((next, line.context));
            }
            Kind::NotRun => {
                self.block = self.block.filter(|(begin, _)| Some(*begin) != line.pc);
            }
            Kind::Exception | Kind::Interrupt if line.hart == self.hart => {
                let is_interrupt = kind == Kind::Interrupt;
                self.follower
                    .trap(line.pc, is_interrupt, number, &mut self.parts);
            }
            Kind::Repeated if line.hart == self.hart => {
                self.follower.repeat(line.times);
            }
            Kind::Exception | Kind::Interrupt | Kind::Repeated | Kind::Note => {}
        }
    }

    /// The instructions of the block that began last: up to a transfer, or to where the next block begins.
    fn run_block(&mut self, next: Option<u64>) {
        let Some((mut at, context)) = self.block.take() else {
            return;
        };
        let number = self.lines.number();
        for _ in 0..BLOCK {
            let Some((insn, instruction)) = self.instruction(at, &Line::default()) else {
                self.outside += 1;
                return self.follower.cut(number, &mut self.parts);
            };
            self.follower
                .retire(at, insn, context, instruction, number, &mut self.parts);
            let ends =
                instruction.transfer.is_some() || matches!(insn, 0x73 | 0x0010_0073 | 0x9002);
            if ends || Some(instruction.next) == next {
                return;
            }
            at = instruction.next;
        }
    }

    /// The word of an instruction, from the log or from the program.
    fn word(&self, pc: u64, insn: Option<u32>) -> Option<u32> {
        insn.or_else(|| {
            let image = self.options.image.as_ref()?;
            let half = |at| Some(u16::from_le_bytes(image.bytes(at, 2)?.try_into().ok()?).into());
            let low: u32 = half(pc)?;
            match low & 3 {
                3 => Some(half(pc.wrapping_add(2))? << 16 | low),
                _ => Some(low),
            }
        })
    }

    /// Compares the log's word with the program's. A compressed instruction that the log shows expanded cannot be compared.
    fn compare(&mut self, pc: u64, line: &Line) {
        let (Some(log), Some(program)) = (line.insn, self.word(pc, None)) else {
            return;
        };
        let is_expanded = line.compressed || (program & 3 != 3 && log & 3 == 3);
        let log = if program & 3 == 3 { log } else { log & 0xffff };
        if !is_expanded && log != program && self.differs.is_none() {
            self.differs = Some(anyhow!(
                "line {}: at {pc:#x} the log has {log:#x} and the program (--elf) {program:#x}; remedy: give the program that ran, or leave --elf out (several \
                 programs at one address, or code that changes while it runs)",
                self.lines.number()
            ));
        }
    }

    /// The instruction at an address: as the program has it, if it is given and has code there.
    #[inline]
    fn instruction(&mut self, pc: u64, line: &Line) -> Option<(u32, Instruction)> {
        let place = (pc >> 1) as usize & (PLACES - 1);
        let key = pc & !1 | u64::from(line.compressed);
        let (known, word, instruction) = self.decoded[place];
        if known == key && line.insn.is_none_or(|insn| insn == word) {
            return Some((word, instruction));
        }
        let word = self.word(pc, line.insn)?;
        self.compare(pc, line);
        let image = self.options.image.as_ref();
        let of_image = image.and_then(|image| image.instruction(pc));
        let mut instruction = of_image.unwrap_or_else(|| decode(word, pc, self.xlen));
        if line.compressed && of_image.is_none() {
            instruction.next = self.xlen.wrap(pc.wrapping_add(2));
        }
        self.decoded[place] = (key, word, instruction);
        Some((word, instruction))
    }

    fn end(&mut self) -> Result<()> {
        self.is_over = true;
        self.run_block(None);
        let number = self.lines.number();
        self.follower.end(number, &mut self.parts);
        match (self.follower.instructions, self.harts.named()) {
            (0, Some(others)) => bail!(
                "hart {} is in no line; those there are: {others}; remedy: --hart with one of them",
                self.hart
            ),
            _ => Ok(()),
        }
    }
}

impl ReadParts for Log {
    fn isa(&self) -> Isa {
        follow::isa(self.xlen)
    }

    fn records(&self) -> &[BranchRecord] {
        self.parts.records()
    }

    fn next_parts(&mut self) -> Result<Vec<(bool, Vec<u32>)>> {
        while !self.is_over && self.parts.in_last() < PART {
            let number = self.lines.number();
            if self.follower.again(number, &mut self.parts) {
                continue;
            }
            match self.next_line()? {
                Some((kind, line)) => self.take(kind, &line),
                None => self.end()?,
            }
            if let Some(differs) = self.differs.take() {
                return Err(differs);
            }
        }
        Ok(self.parts.take())
    }

    fn ending(&self) -> Ending {
        let Hart {
            instructions,
            interrupts,
            lost,
            unentered,
            ..
        } = self.follower;
        let mut reason = format!(
            "log ({}) of {} lines, {instructions} instructions of hart {}",
            self.reader.name(),
            self.lines.number(),
            self.hart
        );
        if interrupts > 0 {
            let interrupts = number_of(interrupts, "interrupt");
            reason += &format!(", {interrupts} that no line names");
        }
        if let (others @ 1.., first) = self.unread {
            let others = number_of(others, "other line");
            reason += &format!(", {others}, the first of which is line {first}");
        }
        reason += &self.follower.beginning();
        let mut left_out = follow::left_out(&[
            (
                lost,
                "lines are missing in {place}, the first before line {first}, or lines of several harts or tasks are mixed; paths that were under way there are dropped",
            ),
            (
                unentered,
                "what was interrupted before {trap return}, the first before line {first}, is unknown: interrupts right after computed jumps, or programs that begin so; the paths before may lead to handlers",
            ),
            (
                self.broken,
                "{line} with parts of an instruction's, the first of which is line {first}; paths do not go across them",
            ),
            (
                (self.outside, 0),
                "{line} at addresses where the program has no code; paths do not go across them",
            ),
        ]);
        left_out.extend(self.harts.left_out("line"));
        left_out.extend(self.lines.cut());
        Ending { reason, left_out }
    }
}
