use thiserror::Error;

/// Why there is no report.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ReportError {
    #[error("{0}")]
    By(String),
    #[error(
        "the program has compressed instructions (one is at {at:#x}), and a profiler of align 2 leaves bit 1 out of every address: it counted paths of \
         different places as one; remedy: generate it with --align 1 and profile again"
    )]
    Align { at: u64 },
}
