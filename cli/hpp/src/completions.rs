//! `hpp completions` and `hpp man`: shell completions and manual pages, from clap's description of the command.

use anyhow::{Context, Result, bail};
use clap::CommandFactory;
use clap_complete::Shell;

/// Print the completions of a shell
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  hpp completions bash > ~/.local/share/bash-completion/completions/hpp"
)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

/// Print the manual page of hpp, or of one of its commands
#[derive(clap::Args)]
#[command(after_help = "Example:\n  hpp man report > hpp-report.1 && man ./hpp-report.1")]
pub struct Man {
    /// The command
    command: Option<String>,
}

pub fn run(args: &Completions) -> String {
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut crate::Cli::command(), "hpp", &mut text);
    String::from_utf8(text).expect("completions are text")
}

/// What `hpp man` writes: a page in roff.
pub fn manual(args: &Man) -> Result<String> {
    let mut hpp = crate::Cli::command();
    hpp.build();
    let page = match &args.command {
        None => hpp,
        Some(name) => match hpp.find_subcommand(name) {
            Some(command) => command.clone(),
            None => bail!("there is no command `{name}`; `hpp help` lists them"),
        },
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page)
        .source(concat!("hpp ", env!("CARGO_PKG_VERSION")))
        .render(&mut text)
        .context("cannot write the page")?;
    Ok(String::from_utf8(text).expect("a page is text"))
}
