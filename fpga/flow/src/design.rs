//! A design as the flow takes it: source texts and a top module.

use sha2::{Digest, Sha256};

/// A file of a design. Names are plain: every file lies in the folder that the tools run in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    /// File name; `.v` is read by Yosys, anything else (memory images) is only put beside.
    pub name: String,
    pub text: String,
    /// Other files include it: it is put beside them, and not read by itself.
    pub included: bool,
}

impl SourceFile {
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            text: text.into(),
            included: false,
        }
    }

    /// Its text; in Verilog, without comments. Comments change with the hash of a configuration whose circuit is the same.
    fn without_comments(&self) -> String {
        match self.name.ends_with(".v") {
            true => {
                let lines: Vec<&str> = self.text.split('\n').map(without_comment).collect();
                lines.join("\n")
            }
            false => self.text.clone(),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Design {
    /// Name in file names, tables and messages.
    pub name: String,
    pub top: String,
    pub defines: Vec<String>,
    pub parameters: Vec<(String, String)>,
    pub files: Vec<SourceFile>,
}

impl Design {
    /// The Yosys commands that read the design and set its parameters.
    pub fn read_commands(&self) -> String {
        let defines: String = self
            .defines
            .iter()
            .map(|define| format!("-D{define} "))
            .collect();
        let mut commands: String = self
            .files
            .iter()
            .filter(|file| file.name.ends_with(".v"))
            .map(|file| format!("read_verilog {defines}{}; ", file.name))
            .collect();
        for (name, value) in &self.parameters {
            commands += &format!("chparam -set {name} {value} {}; ", self.top);
        }
        commands
    }

    /// A digest of everything that decides what comes out.
    pub fn digest(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(self.read_commands());
        hash.update(&self.top);
        for file in &self.files {
            let text = file.without_comments();
            hash.update(format!("\0{}\0{}\0", file.name, text.len()));
            hash.update(&text);
        }
        hex(&hash.finalize())
    }
}

/// A line of Verilog without its comment, unless a tool reads it. A string, or a comment between `/*` and `*/`, may have `//` inside.
fn without_comment(line: &str) -> &str {
    match line.split_once("//") {
        Some((code, _))
            if !code.contains('"')
                && !["/*", "*/", "synopsys", "synthesis"]
                    .iter()
                    .any(|kept| line.contains(kept)) =>
        {
            code.trim_end()
        }
        _ => line,
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn design() -> Design {
        Design {
            name: "blink".into(),
            top: "blink".into(),
            defines: vec!["FAST".into()],
            parameters: vec![("WIDTH".into(), "8".into())],
            files: vec![
                SourceFile::new("blink.v", "module blink; endmodule"),
                SourceFile::new("rom.hex", "00"),
            ],
        }
    }

    #[test]
    fn only_verilog_is_read() {
        assert_eq!(
            design().read_commands(),
            "read_verilog -DFAST blink.v; chparam -set WIDTH 8 blink; "
        );
    }

    #[test]
    fn the_digest_is_that_of_the_circuit() {
        let with = |text: &str| Design {
            files: vec![SourceFile::new("blink.v", text)],
            ..design()
        };
        let digest = |text: &str| with(text).digest();
        let plain = digest("// 1\nmodule m; // a\nendmodule");
        assert_eq!(plain, digest("  // 2\nmodule m; // a\nendmodule"));
        assert_eq!(plain, digest("\nmodule m;\nendmodule"));
        assert_ne!(plain, digest("module m; // a\nendmodule"));
        assert_ne!(plain, digest("// synthesis off\nmodule m; // a\nendmodule"));
        let string = |text: &str| digest(&format!("initial $display(\"//{text}\");"));
        assert_ne!(string("a"), string("b"));
        let block = |text: &str| digest(&format!("/* // */ {text};"));
        assert_ne!(block("a"), block("b"));
        let image = |text: &str| {
            let mut design = design();
            design.files[1].text = text.into();
            design.digest()
        };
        assert_ne!(image("// 1"), image("// 2"));
    }
}
