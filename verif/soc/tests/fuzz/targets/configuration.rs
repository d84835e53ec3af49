//! A configuration of the generator, as TOML.

use super::{Target, texts};
use hpp_gen::Config;
use std::path::Path;

pub const TARGET: Target = Target {
    name: "configuration",
    run,
    seeds: || {
        let default = Config::default().to_toml();
        let other = "ingress = \"trace\"\nbus = \"apb\"\n[geometry]\nsets = 64\nlookup = \"sequential\"\n\
                     [reset]\nenable = true\n[reset.rows]\ntrap = []\ncall = [\"push\"]\n";
        texts(&[&default, other, "prefix = \"x\"\n"])
    },
};

/// What is refused is refused with a place in the text; what is legal reads back and has sizes that a profiler can have.
fn run(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let config = match Config::from_toml(&text, Path::new("it.toml")) {
        Ok(config) => config,
        Err(error) => return is_placed(&error.to_string(), &text),
    };
    if let Err(error) = config.validate() {
        assert!(!error.to_string().is_empty());
        let lines = text.lines().count();
        assert!(
            error
                .line_in(&text)
                .is_none_or(|line| (1..=lines).contains(&line))
        );
        return;
    }
    let back = Config::from_toml(&config.to_toml(), Path::new("it.toml"));
    assert_eq!(back.expect("what was written"), config);
    config
        .effective_geometry()
        .validate()
        .expect("legal sizes stay legal");
}

fn is_placed(message: &str, text: &str) {
    let mut parts = message.splitn(4, ':');
    assert_eq!(parts.next(), Some("it.toml"), "{message}");
    let mut number = || parts.next()?.parse::<usize>().ok();
    let (line, column) = (number(), number());
    assert!(
        line.is_some_and(|line| (1..=text.split('\n').count()).contains(&line)),
        "{message}"
    );
    assert!(column.is_some_and(|column| column > 0), "{message}");
}
