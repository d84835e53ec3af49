//! The hot subpaths of a program, asked for twice while it runs.

use hpp_paths::subpath::{Encoding, Settings, SettingsError, Sides, SubpathProfiler};

fn main() -> Result<(), SettingsError> {
    let settings = Settings {
        encoding: Encoding::Rotation,
        period: 200.0,
        ..Settings::default()
    };
    let mut profiler = SubpathProfiler::seeded(settings, 1)?;
    // A loop over 3 4 5 6 that leaves by 7 every tenth time, then one over 8 9.
    for (name, body, times) in [
        ("first", vec![3, 4, 5, 6], 90_000),
        ("second", vec![8, 9], 900_000),
    ] {
        for iteration in 0..times {
            body.iter().for_each(|&block| profiler.enter(block));
            if iteration % 10 == 9 {
                profiler.enter(7);
            }
        }
        println!(
            "after the {name} loop, {} blocks, {} bytes:",
            profiler.blocks(),
            profiler.memory()
        );
        for subpath in profiler.report().subpaths().iter().take(5) {
            let error = 100.0 * subpath.relative_error(Sides::Both, 0.95);
            println!(
                "{:>9.0} ± {error:4.1} %  {:?}",
                subpath.estimate, subpath.blocks
            );
        }
    }
    Ok(())
}
