//! Draws the timing diagrams of the manual from simulations: an SVG and a PNG of each.

use anyhow::{Context, Result};
use clap::Parser;
use hpp_verif::tools::project_root;
use hpp_verif::waveform::scenes;
use plotters::prelude::*;
use plotters::style::register_font;
use std::fs;
use std::path::{Path, PathBuf};

/// Draw the timing diagrams of the manual, docs/images/record-*.svg and .png, from simulations.
#[derive(Parser, Debug)]
#[command(version)]
struct Options {
    /// Folder for the pictures.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Font for the PNGs; an SVG leaves it to whoever shows it.
    #[arg(
        long,
        default_value = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
    )]
    font: PathBuf,
}

fn main() -> Result<()> {
    let options = Options::parse();
    let out = options
        .out
        .unwrap_or_else(|| project_root().join("docs/images"));
    use_font(&options.font)?;
    let recordings = project_root().join("build/waveforms");
    fs::create_dir_all(&recordings)
        .with_context(|| format!("cannot make {}", recordings.display()))?;
    for scene in scenes::all() {
        let svg = out.join(format!("{}.svg", scene.name));
        let text = scenes::svg(&scene, &recordings)?;
        fs::write(&svg, text).with_context(|| format!("cannot write {}", svg.display()))?;
        let png = svg.with_extension("png");
        let drawing = scene.record(&recordings)?;
        let area = BitMapBackend::new(&png, drawing.size()).into_drawing_area();
        drawing
            .draw(&area)
            .with_context(|| format!("cannot draw {}", png.display()))?;
        println!("{}\n{}", svg.display(), png.display());
    }
    Ok(())
}

fn use_font(path: &Path) -> Result<()> {
    let font = fs::read(path).with_context(|| {
        format!(
            "no font {}; remedy: apt-get install fonts-dejavu-core, or --font with any TrueType font",
            path.display()
        )
    })?;
    // For the rest of the program, which is short.
    register_font("sans-serif", FontStyle::Normal, font.leak())
        .map_err(|_| anyhow::anyhow!("{} is no font", path.display()))
}
