//! The table that keeps what is hot: as many rows as ways by sets, each with a shadow, found by a path a cycle.
//!
//! ```text
//!              +---------------------- back -----------------------------------------------+
//!              v                                                                           |
//!   path ---> ring ---> [ front ] ---> hash ---> [ ] ---> [ ] ---> [ ] ---> [ ] ---+--> hit: accumulator
//!                          ^  stage 0    |        1        2        3        4     +--> a row is empty: insert
//!                          |             +--> ways ------------------------+       +--> sampled: judge
//!                          |                   ^ |                                         |
//!                          +--- row in view ---|-+ <------------- admission <--------------+
//!                                              +---- what it writes ---+
//! ```
//!
//! Paths that are in the table, and those that are not and whose miss is not sampled, follow each other a cycle apart. A path that takes an empty row, or is judged by the
//! [`Admission`], changes what those behind it may find: they are looked up again, from the ring, when it is done with. Contents at any moment are
//! those of one path after another.
//!
//! A path that enters the ring is looked up, whatever happens later: `freeze` and `clearing` are looked at in the cycle in which
//! it stands on `path_*`. A clear waits for the paths that entered before it, then empties a row of all ways a cycle, each once for every way, because the mirror is
//! emptied entry by entry.
//!
//! Timing: a path that stands on `path_*` in cycle *t* and finds no other before it is in stage 4 in cycle *t* + 7. The next path is there a cycle later, or six cycles
//! after the last in which one was inserted or judged, [`Admission`] says how long that takes, and not before the ninth after the last of a clear. `hold` keeps records in the queue while 28 paths are in the ring.
//!
//! The policy: `docs/replacement.md`.

mod admission;
mod ageing;
mod chance;
mod kernel;
mod places;
mod ring;
mod shadow;
mod tag;
mod value;
mod way;

pub use admission::Admission;
pub use ageing::Ageing;
pub use chance::Chance;
pub use places::{Places, WayRow};
pub use ring::{HOLD_AT, PLACES, PathRing, RingMemory};
pub use shadow::{ShadowMemory, WayShadow};
pub use tag::{PathOfWhole, WholeLayout, WholeOfPath};
pub use value::{ValueMemory, WayValue};
pub use way::SkewedWay;

use hpp_golden::config::{Geometry, Replacement};
use hpp_golden::profiler::ResetValues;
use hpp_golden::profiler::table::shadow::SHADOW_BITS;
use hpp_golden::profiler::table::skewed::FINGERPRINT_BITS;
use rust_hdl::prelude::*;

use super::accumulator::Accumulator;
use super::evictions::Evictions;
use super::layout::{TAG_BITS, TagLayout, TagOfPath, ones};
use super::mirror::Mirror;
use super::ports::TablePorts;
use super::tag_match::TagMatch;
use super::walk::ClearWalk;
use crate::circuit::circuit;
use crate::register::{Delay, Register};

/// Table of paths and their counts that keeps what is hot.
/// The number at the end of a name is the pipeline stage of the operation it belongs to.
#[circuit(
    geometry: &Geometry,
    reset: &ResetValues,
    let layout = &TagLayout::new(geometry),
    let whole = &WholeLayout::new(geometry),
    let shadows = usize::from(geometry.replacement == Replacement::Shadow),
    let values = usize::from(geometry.replacement == Replacement::Rrip)
)]
pub struct SkewedTable {
    /// To the profiler.
    #[flat]
    #[bundle(geometry)]
    pub ports: TablePorts,

    #[new(whole)]
    entering: WholeOfPath,
    #[new(whole, layout)]
    ring: PathRing,
    #[new(whole)]
    front: PathOfWhole,
    #[new(geometry)]
    places: Places,
    #[new(layout)]
    walk: ClearWalk,
    #[each(i in geometry.ways)]
    #[new(whole, layout, geometry.replacement, i)]
    ways: Vec<SkewedWay>,
    #[each(_i in 3)]
    #[new(whole.width())]
    matches: Vec<TagMatch>,
    #[new(layout)]
    accumulator: Accumulator,
    #[each(_i in shadows)]
    #[new(reset)]
    chance: Vec<Chance>,
    #[each(_i in shadows)]
    #[new(layout)]
    admission: Vec<Admission>,
    #[each(_i in values)]
    #[new(layout)]
    ageing: Vec<Ageing>,
    #[new(whole)]
    changed: PathOfWhole,
    #[new(layout)]
    mirrored: TagOfPath,
    #[new(geometry)]
    mirror: Mirror,
    #[each(i in usize::from(layout.drains))]
    #[new(geometry)]
    evictions: Vec<Evictions>,
    #[each(_i in usize::from(layout.drains))]
    leaves_5: Vec<Register<Bit>>,

    #[bits(whole.width())]
    tag_0: Delay<Bits<TAG_BITS>>,
    #[bits(layout.events_bits)]
    count_0: Delay<Bits<32>>,
    path_0: Register<Bit>,
    #[bits(whole.width())]
    tag_1: Delay<Bits<TAG_BITS>>,
    #[bits(layout.events_bits)]
    count_1: Delay<Bits<32>>,
    path_1: Register<Bit>,
    clear_1: Register<Bit>,
    #[bits(whole.width())]
    tag_2: Delay<Bits<TAG_BITS>>,
    #[bits(layout.events_bits)]
    count_2: Delay<Bits<32>>,
    path_2: Register<Bit>,
    clear_2: Register<Bit>,
    repeats1_2: Register<Bit>,
    repeats2_2: Register<Bit>,
    repeats3_2: Register<Bit>,
    #[bits(whole.width())]
    tag_3: Delay<Bits<TAG_BITS>>,
    #[bits(layout.events_bits)]
    count_3: Delay<Bits<32>>,
    path_3: Register<Bit>,
    clear_3: Register<Bit>,
    repeats1_3: Register<Bit>,
    #[bits(whole.width())]
    tag_4: Delay<Bits<TAG_BITS>>,
    #[each(_i in values)]
    #[bits(layout.events_bits)]
    count_4: Vec<Delay<Bits<32>>>,
    path_4: Register<Bit>,
    clear_4: Register<Bit>,
    some_4: Register<Bit>,
    found_4: Register<Bit>,
    #[bits(layout.ways)]
    hits_4: Delay<Bits<32>>,
    #[bits(layout.ways)]
    vacant_4: Delay<Bits<32>>,
    #[bits(whole.width())]
    tag_5: Delay<Bits<TAG_BITS>>,
    #[bits(layout.count_bits)]
    count_5: Delay<Bits<32>>,
    #[bits(layout.ways)]
    way_5: Delay<Bits<32>>,
    changed_5: Register<Bit>,
    cleared_5: Register<Bit>,
    hit_5: Register<Bit>,
    replaced_5: Register<Bit>,
    saturated_5: Register<Bit>,
    #[bits(layout.count_bits)]
    count_6: Delay<Bits<32>>,
    #[bits(layout.count_bits)]
    count_7: Delay<Bits<32>>,

    clear_0: Signal<Local, Bit>,
    #[bits(layout.set_bits)]
    y: Signal<Local, Bits<16>>,
    #[bits(layout.ways)]
    hits_3: Signal<Local, Bits<32>>,
    #[bits(layout.ways)]
    vacant_3: Signal<Local, Bits<32>>,
    #[bits(layout.count_bits)]
    stored_3: Signal<Local, Bits<32>>,
    #[bits(layout.set_bits)]
    written_row_5: Signal<Local, Bits<16>>,
    #[bits(whole.width())]
    shown_tag: Signal<Local, Bits<TAG_BITS>>,
    #[bits(FINGERPRINT_BITS)]
    shown_fingerprint: Signal<Local, Bits<16>>,
    #[bits(SHADOW_BITS)]
    shown_shadow: Signal<Local, Bits<5>>,
    shown_stamp: Signal<Local, Bits<2>>,
    #[bits(layout.ways)]
    high_3: Signal<Local, Bits<32>>,
    #[bits(layout.ways)]
    low_3: Signal<Local, Bits<32>>,
    #[bits(layout.ways)]
    write: Signal<Local, Bits<32>>,
    samples_4: Signal<Local, Bit>,
    busy: Signal<Local, Bit>,
    done: Signal<Local, Bit>,
    feeds: Signal<Local, Bit>,
    stays: Signal<Local, Bit>,
    moves: Signal<Local, Bit>,
    replaces: Signal<Local, Bit>,
    misses_4: Signal<Local, Bit>,
    inserts_4: Signal<Local, Bit>,
    judges_4: Signal<Local, Bit>,
    #[bits(layout.ways)]
    first_vacant: Signal<Local, Bits<32>>,
    #[bits(layout.ways)]
    write_tag: Signal<Local, Bits<32>>,
    #[bits(layout.ways)]
    write_count: Signal<Local, Bits<32>>,
    #[bits(layout.ways)]
    write_shadow: Signal<Local, Bits<32>>,
    #[bits(whole.width())]
    new_tag: Signal<Local, Bits<TAG_BITS>>,
    #[bits(layout.count_bits)]
    new_count: Signal<Local, Bits<32>>,
    issues: Signal<Local, Bit>,

    #[number(ones(layout.ways))]
    all_ways: Constant<Bits<32>>,
    #[number(1)]
    first_way: Constant<Bits<32>>,
    #[number(layout.way_bits)]
    way_bits: Constant<Bits<8>>,
    #[number(ones(layout.way_bits))]
    way_part: Constant<Bits<16>>,
    #[value(geometry.ways as usize)]
    _ways: usize,
    #[value(shadows)]
    _shadows: usize,
    #[value(values)]
    _values: usize,
    #[value(usize::from(layout.drains))]
    _drains: usize,
}
