//! Warnings on standard error about a profile that cannot be trusted, for outputs without room for them.

use std::path::Path;

use hpp_report::{ElfFile, Finding, Program, Report};

/// Says why, a line for each reason; which profile it is, where there are several.
pub fn complain(report: &Report, file: Option<&Path>) {
    let name = file.map_or(String::new(), |file| format!("{}: ", file.display()));
    let findings = report.health.findings.iter();
    for Finding { text, .. } in findings.filter(|finding| finding.critical) {
        tell!("hpp: {name}this profile cannot be trusted: {text}");
    }
}

/// Says what of a program's debug information is not read, where the output does not.
pub fn unread(program: &Program<'_>, file: &ElfFile) {
    if let Some(why) = program.unread() {
        tell!("hpp: {}: {why}", file.path().display());
    }
}
