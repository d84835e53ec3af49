//! The register file alone: what every bit of a word does, and what happens in one and the same cycle.

use hpp_golden::config::Geometry;
use hpp_golden::profiler::ResetValues;
use hpp_golden::registers::{self, ERRORS, TABLE_INDEX, command, errors, status};
use hpp_hdl::registers::RegisterFile;
use hpp_hdl::sim::Simulator;

struct File(Simulator<RegisterFile>);

impl File {
    fn new() -> Self {
        let file = RegisterFile::new(&Geometry::default(), &ResetValues::default());
        let mut simulator = Simulator::new(file);
        simulator.reset();
        simulator.set("entry_valid", 1);
        Self(simulator)
    }

    /// Asks for a register; the access acts in this cycle, for the scan of the counters is where it is wanted.
    fn request(&mut self, offset: u32, write: Option<(u32, u8)>) {
        self.0.set("counter_word", (offset / 4 % 16).into());
        self.0.set("access_request", 1);
        self.0.set("access_address", (offset / 4).into());
        self.0.set("access_write", write.is_some().into());
        let (data, lanes) = write.unwrap_or((0, 0));
        self.0.set("access_data", data.into());
        self.0.set("access_lanes", lanes.into());
        self.0.settle();
    }

    /// The cycle after the one in which the access acted.
    fn answer(&mut self) -> u32 {
        self.0.tick();
        self.0.set("access_request", 0);
        self.0.settle();
        assert_eq!(self.0.get("access_done"), 1, "done in the next cycle");
        let data = self.0.get("access_read_data") as u32;
        self.0.tick();
        self.0.settle();
        assert_eq!(self.0.get("access_done"), 0, "and in no other");
        data
    }

    fn read(&mut self, offset: u32) -> u32 {
        self.request(offset, None);
        self.answer()
    }

    fn write(&mut self, offset: u32, data: u32, lanes: u8) {
        self.request(offset, Some((data, lanes)));
        self.answer();
    }
}

/// The errors and the inputs that raise them.
const RAISED: [(registers::Field, &str); 3] = [
    (errors::ACCUMULATOR_SATURATED, "accumulator_saturated"),
    (errors::EVENT_COUNTER_SATURATED, "event_counter_saturated"),
    (errors::RECORDS_LOST, "record_lost"),
];

#[test]
fn an_error_raised_while_it_is_cleared_stays() {
    for (error, input) in RAISED {
        let mut file = File::new();
        file.0.set(input, 1);
        file.0.tick();
        file.0.set(input, 0);
        assert_eq!(file.read(ERRORS.offset), error.mask());
        // Another byte's lane, a 0, the bit itself.
        file.write(ERRORS.offset, u32::MAX, 0b1110);
        file.write(ERRORS.offset, !error.mask(), 0xf);
        assert_eq!(file.read(ERRORS.offset), error.mask());
        file.write(ERRORS.offset, error.mask(), 0xf);
        assert_eq!(file.read(ERRORS.offset), 0);

        file.request(ERRORS.offset, Some((u32::MAX, 0xf)));
        file.0.set(input, 1);
        file.0.tick();
        file.0.set(input, 0);
        file.0.set("access_request", 0);
        file.0.tick();
        assert_eq!(file.read(ERRORS.offset), error.mask(), "{}", error.name);
    }
}

#[test]
fn status_shows_each_level_in_its_place() {
    let mut file = File::new();
    for (clearing, valid) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        file.0.set("clearing", clearing);
        file.0.set("entry_valid", valid);
        let word = file.read(registers::STATUS.offset);
        let expected =
            status::CLEARING.put(clearing as u32) | status::ENTRY_VALID.put(valid as u32);
        assert_eq!(word, expected);
    }
}

#[test]
fn a_write_without_a_lane_does_nothing() {
    let mut file = File::new();
    for register in &registers::REGISTERS {
        let before = file.read(register.offset);
        file.request(register.offset, Some((u32::MAX, 0)));
        let outputs = [
            "fetch",
            "settings_clear",
            "settings_purge",
            "settings_clear_counters",
        ];
        for output in outputs {
            assert_eq!(file.0.get(output), 0, "{output} by {}", register.name);
        }
        file.answer();
        assert_eq!(file.read(register.offset), before, "{}", register.name);
    }
}

#[test]
fn the_index_takes_the_lanes_that_are_written() {
    for lanes in 1..16_u8 {
        let mut file = File::new();
        file.0.set("index", 0x155);
        file.request(TABLE_INDEX.offset, Some((0xffff_00aa, lanes)));
        assert_eq!(file.0.get("fetch"), 1);
        let expected = [0x155, 0x1aa, 0x055, 0x0aa][usize::from(lanes & 3)];
        assert_eq!(
            file.0.get("new_index") & 0x1ff,
            expected,
            "lanes {lanes:04b}"
        );
    }
}

#[test]
fn a_command_acts_in_the_cycle_of_its_access_and_only_there() {
    let commands = [
        (command::CLEAR, "settings_clear"),
        (command::PURGE, "settings_purge"),
        (command::CLEAR_COUNTERS, "settings_clear_counters"),
    ];
    let mut file = File::new();
    for (field, _) in commands {
        file.request(registers::COMMAND.offset, Some((field.mask(), 0xf)));
        for (other, output) in commands {
            assert_eq!(file.0.get(output), u64::from(other == field), "{output}");
        }
        file.0.tick();
        file.0.set("access_request", 0);
        file.0.settle();
        for (_, output) in commands {
            assert_eq!(file.0.get(output), 0, "{output} in the cycle of done");
        }
        file.0.tick();
    }
}

/// A low word waits for the scan; the high word is latched in the cycle after, whatever passes by later.
#[test]
fn the_two_words_of_a_counter_are_those_of_one_visit() {
    for wait in 0..16 {
        let mut file = File::new();
        let paths = registers::COUNTERS_OFFSET + 8;
        file.request(paths, None);
        let visits = (0..16).map(|step| (2 + 16 - wait + step) % 16);
        let mut low = None;
        for word in visits {
            file.0.set("counter_word", word);
            file.0.set("counter_value", 100 + word);
            file.0.settle();
            file.0.tick();
            file.0.settle();
            if file.0.get("access_done") == 1 {
                low.get_or_insert((word, file.0.get("access_read_data")));
                file.0.set("access_request", 0);
            }
        }
        assert_eq!(low, Some((2, 102)), "after {wait} cycles");
        if wait < 15 {
            assert_eq!(file.read(paths + 4), 103);
            assert_eq!(file.read(paths + 12), 103, "whichever is asked for");
        }
    }
}
