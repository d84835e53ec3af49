use super::word::{Access, Field, Register, fields, name};

/// Byte offset of the first counter.
pub const COUNTERS_OFFSET: u32 = 0x40;

macro_rules! counters {
    ($($counter:ident $low:ident $high:ident: $description:literal;)+) => {
        /// A statistics counter: two registers, low word first.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Counter {
            $(#[doc = $description] $counter,)+
        }

        impl Counter {
            /// How many counters there are.
            pub const COUNT: usize = Self::ALL.len();

            /// Every counter, in the order of its address.
            pub const ALL: [Self; [$($description),+].len()] = [$(Self::$counter),+];
        }

        /// The registers of the counters, in the order of their addresses.
        pub const COUNTER_REGISTERS: [Register; 2 * Counter::COUNT] = [$(
            Register {
                name: stringify!($low),
                offset: Counter::$counter.offset(),
                access: Access::ReadOnly,
                description: $description,
                fields: fields!(list { VALUE: 0, 32, "Low word. A read latches the high word."; }),
            },
            Register {
                name: stringify!($high),
                offset: Counter::$counter.offset() + 4,
                access: Access::ReadOnly,
                description: $description,
                fields: fields!(list { VALUE: 0, 32, "High word, as latched by the last read of a low word."; }),
            },
        )+];
    };
}

counters! {
    Records RECORDS_LO RECORDS_HI: "Records that entered the queue.";
    Paths PATHS_LO PATHS_HI: "Completed paths.";
    Hits HITS_LO HITS_HI: "Completed paths that hit in the table.";
    Replacements REPLACEMENTS_LO REPLACEMENTS_HI: "Completed paths that replaced an entry of the table.";
    Splits SPLITS_LO SPLITS_HI: "Paths split at the maximum number of branches.";
    Underflows UNDERFLOWS_LO UNDERFLOWS_HI: "Pops of the last entry of the path stack.";
    Overflows OVERFLOWS_LO OVERFLOWS_HI: "Pushes that dropped the oldest entry of a full path stack.";
    LostRecords LOST_RECORDS_LO LOST_RECORDS_HI: "Lost records. The queue or the buffer before it was full, the core did not hold the record until it was accepted, or an interrupt hid the target of a transfer.";
}

impl Counter {
    /// Byte offset of the low word; the high word follows it.
    pub const fn offset(self) -> u32 {
        COUNTERS_OFFSET + 8 * self as u32
    }
}
