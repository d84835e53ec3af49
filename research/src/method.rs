//! What is counted, and how.

use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// On every edge with a value.
    Naive,
    /// On the chords of a spanning tree, setting and counting moved.
    Optimised,
}

/// Where the frequencies come from by which edge counters are placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frequencies {
    /// The shape of the graphs.
    Guessed,
    /// An earlier run of the same program.
    Measured,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Not at all: what the others are measured against.
    Nothing,
    /// A counter in each block.
    Blocks,
    /// Counters on the edges of Ball and Larus's Eprof(Ecnt).
    Edges(Frequencies),
    /// Ball-Larus numbers, counted in arrays up to this many, in hash tables beyond.
    BallLarus(Placement, usize),
    /// Preferential numbers of the paths that ran, distinguished from others by Ball-Larus numbers.
    Preferential,
    /// Selective numbers of the hottest paths.
    Selective,
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Method::Nothing => f.write_str("registers kept free"),
            Method::Blocks => f.write_str("a counter in each block"),
            Method::Edges(Frequencies::Guessed) => f.write_str("optimal edge counters"),
            Method::Edges(Frequencies::Measured) => {
                f.write_str("optimal edge counters, exact weights")
            }
            Method::BallLarus(placement, threshold) => {
                let placement = match placement {
                    Placement::Naive => "naive",
                    Placement::Optimised => "optimised",
                };
                match threshold {
                    0 => write!(f, "Ball-Larus, {placement}, hash"),
                    _ => write!(f, "Ball-Larus, {placement}, array"),
                }
            }
            Method::Preferential => f.write_str("preferential"),
            Method::Selective => f.write_str("selective"),
        }
    }
}
