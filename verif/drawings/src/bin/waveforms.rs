//! Draws the timing diagrams of the manual from simulations, an SVG of each, and the picture of the architecture.

use anyhow::{Context, Result};
use clap::Parser;
use hpp_drawings::overview;
use hpp_drawings::waveform::scenes;
use hpp_tools::project_root;
use std::fs;
use std::path::PathBuf;

/// Draw the timing diagrams of the manual, docs/images/record-*.svg, from simulations, and docs/images/architecture.svg.
#[derive(Parser, Debug)]
#[command(version)]
struct Options {
    /// Folder for the pictures.
    #[arg(long)]
    out: Option<PathBuf>,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let out = options
        .out
        .unwrap_or_else(|| project_root().join("docs/images"));
    let picture = out.join("architecture.svg");
    fs::write(&picture, overview::svg())
        .with_context(|| format!("cannot write {}", picture.display()))?;
    println!("{}", picture.display());
    let recordings = project_root().join("build/waveforms");
    fs::create_dir_all(&recordings)
        .with_context(|| format!("cannot make {}", recordings.display()))?;
    for scene in scenes::all() {
        let svg = out.join(format!("{}.svg", scene.name));
        let text = scenes::svg(&scene, &recordings)?;
        fs::write(&svg, text).with_context(|| format!("cannot write {}", svg.display()))?;
        println!("{}", svg.display());
    }
    Ok(())
}
