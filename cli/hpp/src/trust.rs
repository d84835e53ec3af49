//! Warnings on standard error about a profile that cannot be trusted, for outputs without room for them.

use std::path::Path;

use hpp_report::{Program, Report};

/// Says why, a line for each reason; which profile it is, where there are several.
pub fn complain(report: &Report, file: Option<&Path>) {
    let name = file.map_or(String::new(), |file| format!("{}: ", file.display()));
    for finding in report
        .health
        .findings
        .iter()
        .filter(|finding| finding.critical)
    {
        tell!(
            "hpp: {name}this profile cannot be trusted: {}",
            finding.text
        );
    }
}

/// Says what of a program's debug information is not read, where the output does not.
pub fn unread(program: &Program<'_>, file: &Path) {
    if let Some(why) = program.unread() {
        tell!("hpp: {}: {why}", file.display());
    }
}
