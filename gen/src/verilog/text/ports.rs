//! The text of a module around its code: ports, end, and unused signals.

use crate::verilog::tree::number::range;
use crate::verilog::tree::scope::{Class, Signal};

pub fn header(ports: &[(&Signal, &str)]) -> Vec<String> {
    let size = ports
        .iter()
        .map(|(signal, _)| range(signal.width).len())
        .max()
        .unwrap_or(0);
    let longest = ports
        .iter()
        .map(|(signal, _)| signal.name.len())
        .max()
        .unwrap_or(0);
    let last = ports.len().saturating_sub(1);
    let line = |(index, (signal, output)): (usize, &(&Signal, &str))| {
        let direction = match signal.class {
            Class::Input => "input  wire".to_string(),
            _ => format!("output {output:<4}"),
        };
        let comma = if index == last { "" } else { "," };
        let name = format!("{}{comma}", signal.name);
        let port = format!("  {direction} {:size$} ", range(signal.width));
        let port = if size == 0 {
            format!("  {direction} ")
        } else {
            port
        };
        match signal.doc.as_str() {
            "" => format!("{port}{name}"),
            doc => format!("{port}{name:width$}  // {doc}", width = longest + 1),
        }
    };
    ports.iter().enumerate().map(line).collect()
}

pub fn close(header: Vec<String>, body: Vec<String>) -> String {
    let mut text = String::from(" (\n");
    for line in header {
        text.push_str(&line);
        text.push('\n');
    }
    text.push_str(");\n");
    for line in body {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text.push_str("endmodule\n");
    text
}

/// Names for the wire that takes what is unused; tools know by them that it is meant so.
pub fn sink_names() -> impl Iterator<Item = String> {
    let numbered = (2..).map(|n| format!("unused_{n}"));
    std::iter::once("unused".to_string()).chain(numbered)
}

/// The customary way to say that something is left unused on purpose.
pub fn sink(name: &str, unused: &[String]) -> Vec<String> {
    if unused.is_empty() {
        return Vec::new();
    }
    vec![
        String::new(),
        "  // Inputs that this configuration does not use.".to_string(),
        format!("  wire {name} = &{{1'b0, {}}};", unused.join(", ")),
    ]
}

/// The unread bits of a signal, highest part first.
pub fn unread_parts(signal: &Signal, used: &[bool]) -> Vec<String> {
    if used.iter().all(|used| !used) {
        return vec![signal.name.clone()];
    }
    let mut out = Vec::new();
    let mut top = used.len();
    while let Some(high) = used[..top].iter().rposition(|used| !used) {
        let low = used[..high]
            .iter()
            .rposition(|used| *used)
            .map_or(0, |used| used + 1);
        out.push(match high - low {
            0 => format!("{}[{low}]", signal.name),
            _ => format!("{}[{high}:{low}]", signal.name),
        });
        top = low;
    }
    out
}

/// `text` and a space, or nothing.
pub fn spaced(text: String) -> String {
    if text.is_empty() { text } else { text + " " }
}
