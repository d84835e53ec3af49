//! Comma-separated values (RFC 4180).

pub fn line(fields: impl IntoIterator<Item = String>) -> String {
    let fields: Vec<String> = fields.into_iter().map(|field| quoted(&field)).collect();
    fields.join(",") + "\r\n"
}

/// A field, in quotes where it holds a comma, a quote or a line's end.
fn quoted(field: &str) -> String {
    match field.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", field.replace('"', "\"\"")),
        false => field.into(),
    }
}
