//! Drawings as files: SVG, and PNG rendered from it.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use resvg::{tiny_skia, usvg};

use crate::atomic_write;

/// Pixels of a PNG image for each of the drawing's.
const SCALE: f32 = 2.0;

/// How the file of an image is called.
const NAMES: &str = "an image is called .svg or .png";

/// The file of an image, as an argument.
pub fn file(name: &str) -> Result<PathBuf, String> {
    let file = PathBuf::from(name);
    let end = file.extension().and_then(|end| end.to_str());
    matches!(end, Some("svg" | "png"))
        .then_some(file.clone())
        .ok_or_else(|| NAMES.into())
}

/// Writes a drawing in SVG, or as PNG if the file's name ends so.
pub fn write(file: &Path, svg: &str) -> Result<()> {
    let bytes = match file.extension().and_then(|end| end.to_str()) {
        Some("png") => png(svg).with_context(|| format!("cannot write {}", file.display()))?,
        Some("svg") => svg.into(),
        _ => bail!("{}: {NAMES}", file.display()),
    };
    atomic_write::write(file, bytes)
}

fn png(svg: &str) -> Result<Vec<u8>> {
    let mut options = usvg::Options::default();
    let fonts = options.fontdb_mut();
    fonts.load_system_fonts();
    // Where the system does not say which is meant: one that is called so, or the first.
    let families = || fonts.faces().map(|face| &face.families[0].0);
    let family = families()
        .find(|name| name.ends_with("Sans"))
        .or_else(|| families().next());
    let Some(family) = family.cloned() else {
        bail!(
            "this system has no fonts to write with; apt-get install fonts-dejavu-core, or draw an .svg"
        );
    };
    let sans = usvg::fontdb::Family::SansSerif;
    let query = usvg::fontdb::Query {
        families: &[sans],
        ..Default::default()
    };
    if fonts.query(&query).is_none() {
        fonts.set_sans_serif_family(family);
    }
    let tree = usvg::Tree::from_str(svg, &options)?;
    let size = tree.size().to_int_size().scale_by(SCALE);
    let size = size.context("the drawing has no size")?;
    let mut pixels =
        tiny_skia::Pixmap::new(size.width(), size.height()).context("the drawing is too large")?;
    let scale = tiny_skia::Transform::from_scale(SCALE, SCALE);
    resvg::render(&tree, scale, &mut pixels.as_mut());
    Ok(pixels.encode_png()?)
}
