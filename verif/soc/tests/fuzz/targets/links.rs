//! What a board's other end sends: a debugger's stub, OpenOCD, `litex_server`.

use std::io::{self, Cursor, Read, Write};

use super::{Target, texts};
use anyhow::Result;
use hpp::link::{Bus, Etherbone, Gdb, OpenOcd, Stream};

pub const GDB: Target = Target {
    name: "gdb",
    run: |input| {
        run(input, gdb_sends, |stream| {
            Ok(Box::new(Gdb::over(NAME.into(), stream)?))
        });
    },
    seeds: || {
        let rest = "+$OK#9a+$T05#b9+$O414243#33$00000000#80";
        vec![[&*gdb_sends(&WORDS), rest.as_bytes()].concat()]
    },
};

pub const OPENOCD: Target = Target {
    name: "openocd",
    run: |input| {
        run(input, openocd_sends, |stream| {
            Ok(Box::new(OpenOcd::over(NAME.into(), stream)))
        });
    },
    seeds: || {
        let mut seeds = texts(&["invalid command name \"read_memory\"\x1a"]);
        seeds.push([&*openocd_sends(&WORDS), b"\x1a0x1\x1a"].concat());
        seeds
    },
};

pub const ETHERBONE: Target = Target {
    name: "etherbone",
    run: |input| {
        run(input, etherbone_sends, |stream| {
            Ok(Box::new(Etherbone::over(NAME.into(), stream)?))
        });
    },
    seeds: || {
        vec![
            [
                etherbone_sends(&WORDS),
                etherbone_sends(&WORDS[..1])[1..].to_vec(),
            ]
            .concat(),
        ]
    },
};

const NAME: &str = "board:1234";
const ADDRESS: u64 = 0x8200_0000;
const WORDS: [u32; 3] = [0x4850_5031, 0, u32::MAX];

/// The other end: it has said everything before it was asked, and it comes byte by byte.
struct Said(Cursor<Vec<u8>>);

impl Read for Said {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let some = into.len().min(1);
        self.0.read(&mut into[..some])
    }
}

impl Write for Said {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A session ends with an error that names the place, or with what was read; an end that sends those words as it should is read the same.
fn run(
    input: &[u8],
    sends: fn(&[u32]) -> Vec<u8>,
    open: impl Fn(Box<dyn Stream>) -> Result<Box<dyn Bus>>,
) {
    let said = |bytes: &[u8]| -> Box<dyn Stream> { Box::new(Said(Cursor::new(bytes.to_vec()))) };
    let mut read = None;
    let session = open(said(input)).and_then(|mut bus| {
        let mut words = WORDS;
        bus.read(ADDRESS, &mut words)?;
        read = Some(words);
        bus.write(ADDRESS, words[0])?;
        bus.release()?;
        bus.hold()?;
        bus.read(ADDRESS, &mut words[..1])
    });
    if let Err(error) = session {
        assert!(error.to_string().contains(NAME), "{error}");
    }
    if let Some(words) = read {
        let mut again = [0; WORDS.len()];
        let bus = open(said(&sends(&words)));
        let read = bus.and_then(|mut bus| bus.read(ADDRESS, &mut again));
        assert!(read.is_ok() && again == words, "{words:x?}, {again:x?}");
    }
}

/// The stub has stopped, and sends words of memory, which is little-endian.
fn gdb_sends(words: &[u32]) -> Vec<u8> {
    let packet = |content: &str| {
        let sum = content
            .bytes()
            .fold(0, |sum: u8, byte| sum.wrapping_add(byte));
        format!("+${content}#{sum:02x}")
    };
    let memory = words
        .iter()
        .map(|word| packet(&format!("{:08x}", word.swap_bytes())));
    [packet("S05")]
        .into_iter()
        .chain(memory)
        .collect::<String>()
        .into_bytes()
}

fn openocd_sends(words: &[u32]) -> Vec<u8> {
    let words: Vec<String> = words.iter().map(|word| format!("{word:#x}")).collect();
    format!("{}\x1a", words.join(" ")).into_bytes()
}

/// A greeting of a byte, and a record of writes.
fn etherbone_sends(words: &[u32]) -> Vec<u8> {
    let mut bytes = b"l\x4e\x6f\x10\x44\0\0\0\0\0\x0f".to_vec();
    bytes.extend([words.len() as u8, 0]);
    bytes.extend([0, 0, 0, 1]);
    bytes.extend(words.iter().flat_map(|word| word.to_be_bytes()));
    bytes
}
