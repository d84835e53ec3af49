//! What an option may be: each choice by its name, with its help and its value.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

/// Name, help (empty where the name says all) and value.
pub type Choice<T> = (&'static str, &'static str, T);

/// Takes the names of choices for their values.
pub fn one_of<T: Clone + Send + Sync + 'static>(
    all: &[Choice<T>],
) -> impl TypedValueParser<Value = T> + use<T> {
    let all = all.to_vec();
    let named = all.iter().map(|&(name, help, _)| {
        let help = Some(help).filter(|help| !help.is_empty());
        PossibleValue::new(name).help(help)
    });
    PossibleValuesParser::new(named.collect::<Vec<_>>()).map(move |given| {
        let found = all.iter().find(|(name, ..)| *name == given);
        found.expect("a possible value").2.clone()
    })
}

/// What a value is called.
pub fn name_of<T: PartialEq>(all: &[Choice<T>], value: &T) -> &'static str {
    let found = all.iter().find(|(.., of)| of == value);
    found.map_or("", |(name, ..)| name)
}
