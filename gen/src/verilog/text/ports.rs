//! The text of a module around its code: ports, end, and unused signals.

use crate::verilog::tree::number::range;
use crate::verilog::tree::scope::{Class, Signal};

pub fn header(ports: &[(&Signal, &str)]) -> Vec<String> {
    let longest = |length: fn(&Signal) -> usize| {
        let lengths = ports.iter().map(|(signal, _)| length(signal));
        lengths.max().unwrap_or(0)
    };
    let size = longest(|signal| range(signal.width).len());
    let longest = longest(|signal| signal.name.len());
    let last = ports.len().saturating_sub(1);
    let line = |(index, (signal, output)): (usize, &(&Signal, &str))| {
        let direction = match signal.class {
            Class::Input => "input  wire".to_string(),
            _ => format!("output {output:<4}"),
        };
        let comma = if index == last { "" } else { "," };
        let name = format!("{}{comma}", signal.name);
        let range = spaced(format!("{:size$}", range(signal.width)));
        let port = format!("  {direction} {range}");
        match signal.doc.as_str() {
            "" => format!("{port}{name}"),
            doc => format!("{port}{name:width$}  // {doc}", width = longest + 1),
        }
    };
    ports.iter().enumerate().map(line).collect()
}

pub fn close(header: Vec<String>, body: Vec<String>) -> String {
    let text = |lines: Vec<String>| -> String {
        let lines = lines.iter().map(|line| format!("{}\n", line.trim_end()));
        lines.collect()
    };
    format!(" (\n{});\n{}endmodule\n", text(header), text(body))
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
