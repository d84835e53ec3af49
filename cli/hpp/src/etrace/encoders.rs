//! Finds the encoder that wrote the packets: decoded as that encoder's, they follow the program.

use std::num::NonZeroU8;
use std::rc::Rc;

use anyhow::{Result, bail, ensure};
use hpp_riscv::{Image, Xlen};
use riscv_etrace::config::{AddressMode, Parameters};

use super::packets::{Encoder, Found, Framing, LONGEST};
use super::session::Session;
use super::{CHAIN, TRIED};
use crate::log::follow::Parts;

/// The encoder that the beginning of a file fits best.
pub fn best(candidates: Vec<Encoder>, beginning: &[u8], image: &Rc<Image>) -> Option<Encoder> {
    let mut best = None;
    for encoder in candidates {
        let (fit, run) = tried_as(&encoder, beginning, image);
        let is_better = match best {
            // Where packets are missing, a wrong encoder, under which the handlers' packets are ignored, may fit more packets.
            Some((other, shorter, _)) if is_longer(run, shorter) => 5 * fit > 4 * other,
            Some((other, longer, _)) if is_longer(longer, run) => 4 * fit > 5 * other,
            Some((other, ..)) => fit > other,
            None => fit > 0,
        };
        if is_better {
            best = Some((fit, run, encoder));
        }
    }
    best.map(|(.., encoder)| encoder)
}

/// A score of how well the beginning of a file fits an encoder and the program, 0 if not at all, and how many instructions the packets explain.
fn tried_as(encoder: &Encoder, bytes: &[u8], image: &Rc<Image>) -> (i64, u64) {
    let last = match encoder.framing {
        // A ring buffer may begin in the middle of a packet.
        Framing::Esp32 => LONGEST,
        _ => 0,
    };
    let begins = |at: &usize| encoder.chains(bytes.get(*at..).unwrap_or_default(), 2 * CHAIN);
    let Some(mut at) = (0..=last).find(begins) else {
        return (0, 0);
    };
    let (mut session, mut parts) = (Session::new(*encoder, image), Parts::default());
    session.most = TRIED;
    let (mut number, mut hart) = (0, None);
    while let Ok((size, found)) = encoder.packet(&bytes[at..]) {
        at += size;
        let Found::Packet {
            hart: of, payload, ..
        } = found
        else {
            continue;
        };
        if of != *hart.get_or_insert(of) {
            continue;
        }
        number += 1;
        // If it cannot be followed, the error comes when the file is read.
        let fits = session.take(&payload, number, &mut parts).is_ok();
        let wrong = session.contradicted.0 + session.unknown.0 + session.outside.0;
        if !fits || wrong > 64 && wrong > session.followed {
            break;
        }
    }
    // Packets may lead into a ROM, which is in no program. With the right encoder few contradict the program.
    let wrong = session.outside.0 + WRONG * (session.contradicted.0 + session.unknown.0);
    let followed = session.followed.min(session.hart.instructions);
    let fit = 4 * followed.cast_signed() - (wrong + session.before.0 / BEFORE).cast_signed();
    (fit, session.hart.instructions.min(LONG * followed))
}

/// Whether a run is longer than another by more than a quarter. Where the two end makes less of a difference.
const fn is_longer(run: u64, other: u64) -> bool {
    4 * run > 5 * other
}

/// A run counts as no more than this many instructions for each packet that fits.
const LONG: u64 = 8;

/// How many packets without a known position cost as much as one that leads to code outside the program.
const BEFORE: u64 = 8;

/// What a packet that does not fit costs. One that leads to code outside the program costs 1, and one that fits earns 4.
const WRONG: u64 = 32;

/// Sets one parameter of an encoder.
type Set = fn(&mut Encoder, u8);

/// What `--encoder` may say beside `framing`: the parameters of the specification, and what the standard encapsulation and SMI leave open.
const FIELDS: [(&str, Set); 15] = [
    ("iaddress_width_p", |e, to| {
        e.parameters.iaddress_width_p = at_least_1(to)
    }),
    ("iaddress_lsb_p", |e, to| e.parameters.iaddress_lsb_p = to),
    ("nocontext_p", |e, to| e.parameters.nocontext_p = to != 0),
    ("context_width_p", |e, to| {
        e.parameters.context_width_p = at_least_1(to)
    }),
    ("notime_p", |e, to| e.parameters.notime_p = to != 0),
    ("time_width_p", |e, to| {
        e.parameters.time_width_p = at_least_1(to)
    }),
    ("privilege_width_p", |e, to| {
        e.parameters.privilege_width_p = at_least_1(to)
    }),
    ("ecause_width_p", |e, to| {
        e.parameters.ecause_width_p = at_least_1(to)
    }),
    ("return_stack_size_p", |e, to| {
        e.parameters.return_stack_size_p = to.min(DEEPEST)
    }),
    ("call_counter_size_p", |e, to| {
        e.parameters.call_counter_size_p = to.min(DEEPEST)
    }),
    ("sijump_p", |e, to| e.parameters.sijump_p = to != 0),
    ("full_address", |e, to| {
        e.mode = AddressMode::from_full(to != 0)
    }),
    ("source_bits", |e, to| e.source_bits = to),
    ("time_bytes", |e, to| e.time_bytes = to),
    ("type_bits", |e, to| e.type_bits = to),
];

/// The widest index of a return stack or counter of calls that is followed, in bits.
const DEEPEST: u8 = 16;

/// The largest allowed value of a parameter.
const WIDEST: u8 = 64;

fn at_least_1(bits: u8) -> NonZeroU8 {
    NonZeroU8::new(bits).unwrap_or(NonZeroU8::MIN)
}

/// The encoders to try for a program of this width, the likelier first, with the parameters that the user gave.
pub fn candidates(xlen: Xlen, given: Option<&str>) -> Result<Vec<Encoder>> {
    let widths: &[u8] = match xlen {
        Xlen::Rv32 => &[32],
        Xlen::Rv64 => &[64, 40, 48, 56],
    };
    let encoder = |(_, framing)| {
        let is_esp = framing == Framing::Esp32;
        Encoder {
            framing,
            parameters: Parameters {
                privilege_width_p: at_least_1(if is_esp { 1 } else { 2 }),
                context_width_p: at_least_1(32),
                ..Parameters::default()
            },
            source_bits: 0,
            type_bits: 0,
            time_bytes: 0,
            mode: AddressMode::from_full(is_esp),
        }
    };
    let known = Framing::ALL.into_iter();
    // The units of ESP32 belong to cores of RV32.
    let mut all: Vec<_> = known
        .filter(|(_, framing)| xlen == Xlen::Rv32 || *framing != Framing::Esp32)
        .map(encoder)
        .collect();
    let mut named = Vec::new();
    for pair in given.into_iter().flat_map(|given| given.split(',')) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        if name == "framing" {
            all.retain(|encoder| encoder.framing.name() == value);
            let names = Framing::ALL.map(|(name, _)| format!("framing={name}"));
            ensure!(
                !all.is_empty(),
                "--encoder: `{pair}` is none of {}",
                names.join(", ")
            );
            continue;
        }
        let (Some((name, set)), Some(value)) = (
            FIELDS.iter().find(|(field, _)| *field == name),
            value.parse().ok().filter(|value| *value <= WIDEST),
        ) else {
            let names = FIELDS.map(|(name, _)| name).join(", ");
            bail!(
                "--encoder: `{pair}` is none of framing and {names}, with `=` and a number up to {WIDEST} behind"
            );
        };
        all.iter_mut().for_each(|encoder| set(encoder, value));
        named.push(*name);
    }
    let mut vary = |name: &str, of: &[Framing], values: &[u8]| {
        let Some((_, set)) = FIELDS.iter().find(|(field, _)| *field == name) else {
            return;
        };
        if !named.contains(&name) {
            let each = |encoder: Encoder| {
                let varies = of.contains(&encoder.framing);
                let values = if varies { values } else { &values[..1] };
                let with = move |&value| {
                    let mut encoder = encoder;
                    if varies {
                        set(&mut encoder, value);
                    }
                    encoder
                };
                values.iter().map(with).collect::<Vec<_>>()
            };
            all = all.iter().copied().flat_map(each).collect();
        }
    };
    let open = [Framing::Smi, Framing::Encapsulation, Framing::Pulp];
    let encapsulated = [Framing::Encapsulation, Framing::Pulp];
    vary("iaddress_width_p", &[Framing::Esp32], &[32]);
    vary("ecause_width_p", &[Framing::Esp32], &[5]);
    vary("full_address", &[Framing::Esp32], &[1, 0]);
    vary("source_bits", &open, &[0, 8]);
    vary("type_bits", &encapsulated, &[0, 2]);
    vary("time_bytes", &encapsulated, &[0, 8, 4]);
    vary("iaddress_width_p", &open, widths);
    vary("iaddress_lsb_p", &open, &[1, 0]);
    vary("nocontext_p", &open, &[1, 0]);
    vary(
        "ecause_width_p",
        &[Framing::Smi, Framing::Encapsulation],
        &[5, 6, 4],
    );
    // Its addresses are as wide as the core's.
    vary("ecause_width_p", &[Framing::Pulp], &widths[..1]);
    Ok(all)
}
