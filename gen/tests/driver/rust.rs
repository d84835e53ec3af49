//! The Rust driver at the end of two pipes; its calls and answers are those of `harness.c`.

use hpp_driver::{Access, Driver, Error, Left};
use hpp_golden::registers::ppcr_mode;
use std::cell::RefCell;
use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Write};
use std::rc::Rc;

/// The ends of the pipes; what a driver keeps is a copy.
#[derive(Clone)]
struct Pipes(Rc<RefCell<(BufReader<PipeReader>, PipeWriter)>>);

impl Pipes {
    /// The next line, if there is one.
    fn line(&self) -> Option<String> {
        let mut line = String::new();
        let read = self.0.borrow_mut().0.read_line(&mut line);
        read.is_ok_and(|bytes| bytes > 0).then_some(line)
    }

    fn say(&self, line: &str) {
        // The test that listened may be over.
        let _ = writeln!(self.0.borrow_mut().1, "{line}");
    }
}

impl Access for Pipes {
    fn read(&mut self, offset: u32) -> u32 {
        self.say(&format!("R {offset}"));
        let line = self.line().unwrap_or_default();
        line.trim().parse().unwrap_or(0)
    }

    fn write(&mut self, offset: u32, value: u32) {
        self.say(&format!("W {offset} {value}"));
    }
}

/// The number that the C driver has for an error.
fn code(result: Result<(), Error>) -> u64 {
    let number: i64 = match result {
        Ok(()) => 0,
        Err(Error::Absent) => -1,
        Err(Error::Unknown) => -2,
        Err(Error::Timeout) => -3,
        Err(Error::Refused) => -4,
    };
    number as u64
}

/// Does what is called until nobody calls.
pub fn serve(calls: PipeReader, answers: PipeWriter) {
    let pipes = Pipes(Rc::new(RefCell::new((BufReader::new(calls), answers))));
    let (mut driver, mut left) = (None, Vec::new());
    while let Some(line) = pipes.line() {
        let result = match line.trim() {
            "init" => match Driver::new(pipes.clone()) {
                Ok(found) => {
                    driver = Some(found);
                    0
                }
                Err(error) => code(Err(error)),
            },
            call => obey(
                driver.as_mut().expect("`init` comes first"),
                &mut left,
                call,
                &pipes,
            ),
        };
        pipes.say(&format!("= {result}"));
    }
}

/// Does one call; what left the table is added up in `left`.
fn obey(driver: &mut Driver<Pipes>, left: &mut Vec<Left>, call: &str, pipes: &Pipes) -> u64 {
    let mut words = call.split(' ');
    let name = words.next().unwrap_or_default();
    let mut numbers = words.map(|word| word.parse::<u32>().expect("a number"));
    let mut number = || numbers.next().unwrap_or(0);
    let mut text = String::new();
    match name {
        "reset" => return code(driver.reset()),
        "start" => driver.start(),
        "stop" => driver.stop(),
        "rows" => return code(driver.set_rows(number())),
        "metric" => driver.set_metric(number()),
        // C has the constants of these fields in their places.
        "events" => driver.set_events(number() >> ppcr_mode::EVENT_SELECT.lsb),
        "extension" => {
            let extension = number() >> ppcr_mode::EXTENSION.lsb;
            return code(driver.set_extension(extension, number()));
        }
        "lossy" => driver.set_lossy(number() != 0),
        "context" => return code(driver.set_context(number() as u8, number() as u8)),
        "lock" => return code(driver.lock()),
        "repairs" => return driver.repairs().into(),
        "counter" => return driver.counter(number()),
        "read" => {
            let mut read = 0;
            driver.read(|entry| {
                read += 1;
                let (number, start, outcomes) = (entry.number, entry.start, entry.outcomes);
                let (length, count, context) = (entry.length, entry.count, entry.context);
                pipes.say(&format!(
                    "E {number} {start} {outcomes} {length} {count} {context}"
                ));
            });
            return read;
        }
        "dump" => driver
            .dump(&mut text, None, Some(&[0xc0, 0x0f]))
            .expect("it takes everything"),
        // Its list of what left the table grows.
        "room" => {}
        "setdrain" => return code(driver.set_drain(number() != 0, number() != 0, number())),
        "drain" | "dumpall" => {
            let taken = driver.drain(|entry| {
                let path = |left: &Left| (left.start, left.outcomes, left.length);
                match left.iter_mut().find(|left| path(left) == path(&entry)) {
                    Some(left) => left.count += entry.count,
                    None => left.push(entry),
                }
                true
            });
            if name == "drain" {
                return code(taken);
            }
            driver
                .dump_all(&mut text, None, Some(&[0xc0, 0x0f]), left.drain(..))
                .expect("it takes everything");
        }
        _ => panic!("no call `{call}`"),
    }
    text.bytes()
        .for_each(|byte| pipes.say(&format!("C {byte}")));
    0
}
