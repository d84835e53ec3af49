//! A file of properties: assertions, and in lines that begin with `//:` what to do with them.
//!
//! | line | meaning |
//! | --- | --- |
//! | `inside MODULE` | the assertions are read as if they stood at the end of the module |
//! | `around` | the file is a module of its own, `NAME_proof`, with instances of the circuit's modules |
//! | `configuration TOML` | a line of the configuration the circuit is generated from |
//! | `circuit NAME` | a circuit that the profiler has without a module is there as a module too; alone, if the assertions are inside it |
//! | `steps N` | of the base, and at most of the induction |
//! | `within N` | steps after reset in which damage is looked for |
//! | `include FILE` | this file of the folder, which others share, is read here, behind what it uses and before what uses it |
//! | `probe MODULE TEXT` | declarations for another module, to look into it |
//! | `instead FROM => TO` | wherever this text stands, the circuit is taken to do TO, which allows more |
//! | `roms` | memories that nothing writes hold what they begin with, in an induction too |
//! | `join A = B` | after flattening, the net A, which nothing drives, is B |
//! | `damaged FROM => TO` | with this text of the circuit changed, an assertion must fail |
//! | `per N LINE` | the line for each number below N, which stands for `#` |
//! | `slow` | left to `make prove` |

use anyhow::{Result, ensure};
use thiserror::Error;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Place {
    Inside(String),
    /// In a module of their own, around the circuit.
    #[default]
    Around,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    pub from: String,
    pub to: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Property {
    pub name: String,
    /// What is proved, in words: the comment that the file begins with.
    pub words: String,
    pub text: String,
    pub place: Place,
    pub configuration: String,
    /// Names of circuits that are there as modules of their own.
    pub circuits: Vec<String>,
    /// Steps of the base, and at most of the induction.
    pub steps: u32,
    /// Steps after reset in which damage is looked for.
    pub reset_steps: u32,
    /// What takes the place of text of the circuit.
    pub abstractions: Vec<Damage>,
    /// Whether memories that nothing writes hold what they begin with.
    pub roms: bool,
    /// Whether it is left to `make prove`.
    pub slow: bool,
    pub probes: Vec<(String, String)>,
    pub joins: Vec<(String, String)>,
    pub damages: Vec<Damage>,
}

#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PropertyError {
    /// A line says nothing that is known.
    #[error(
        "line {line}: `{text}` is none of inside, around, configuration, circuit, steps, within, include, probe, instead, roms, join, damaged, per, slow"
    )]
    Line { line: usize, text: String },
    #[error("neither `//: inside MODULE` nor `//: around` says where the assertions stand")]
    NoPlace,
    #[error("the circuit has no module `{0}`")]
    NoModule(String),
    /// A damage, or what something else stands for, is not there.
    #[error("the circuit has no text `{0}` to be changed")]
    NoText(String),
}

/// The text of a file with those that its lines name in the place of the lines, and those that these name.
///
/// # Errors
///
/// Those of `read`, and a file that includes itself, by itself or by one that it includes.
pub fn with_included(text: &str, read: &impl Fn(&str) -> Result<String>) -> Result<String> {
    included(text, read, &mut Vec::new())
}

/// `within` are the files whose lines led here.
fn included(
    text: &str,
    read: &impl Fn(&str) -> Result<String>,
    within: &mut Vec<String>,
) -> Result<String> {
    let mut whole = String::new();
    for line in text.split_inclusive('\n') {
        let Some(file) = line.strip_prefix("//: include ") else {
            whole += line;
            continue;
        };
        let file = file.trim_end().to_owned();
        ensure!(!within.contains(&file), "{file} includes itself");
        let text = read(&file)?;
        within.push(file);
        whole += &included(&text, read, within)?;
        within.pop();
    }
    Ok(whole)
}

impl Property {
    /// Reads a file, with what it includes. Linear.
    ///
    /// # Errors
    ///
    /// If a line is not understood, or nothing says where the assertions stand.
    pub fn parse(name: &str, text: &str) -> Result<Self, PropertyError> {
        let prose = text.lines().map_while(|line| line.strip_prefix("// "));
        let mut property = Self {
            name: name.into(),
            words: prose.collect::<Vec<_>>().join(" "),
            text: text.into(),
            steps: 4,
            reset_steps: 20,
            ..Self::default()
        };
        let mut placed = false;
        for (line, text) in (1..).zip(text.lines()) {
            let Some(said) = text.strip_prefix("//: ") else {
                continue;
            };
            let understood = property.line(said.trim_end());
            understood.ok_or_else(|| PropertyError::Line {
                line,
                text: said.into(),
            })?;
            placed |= said.starts_with("inside ") || said == "around";
        }
        match placed {
            true => Ok(property),
            false => Err(PropertyError::NoPlace),
        }
    }

    fn line(&mut self, said: &str) -> Option<()> {
        let (word, rest) = said.split_once(' ').unwrap_or((said, ""));
        let pair = |at: &str| {
            let (a, b) = rest.split_once(at)?;
            Some((a.trim().to_owned(), b.trim().to_owned()))
        };
        let change = || pair("=>").map(|(from, to)| Damage { from, to });
        match word {
            "inside" => self.place = Place::Inside(rest.into()),
            "around" => self.place = Place::Around,
            "configuration" => self.configuration += &format!("{rest}\n"),
            "circuit" => self.circuits.push(rest.into()),
            "steps" => self.steps = rest.parse().ok()?,
            "within" => self.reset_steps = rest.parse().ok()?,
            "probe" => self.probes.push(pair(" ")?),
            "join" => self.joins.push(pair(" = ")?),
            "instead" => self.abstractions.push(change()?),
            "damaged" => self.damages.push(change()?),
            "per" => {
                let (times, line) = rest.split_once(' ')?;
                for number in 0..times.parse::<u32>().ok()? {
                    self.line(&line.replace('#', &number.to_string()))?;
                }
            }
            "roms" => self.roms = true,
            "slow" => self.slow = true,
            _ => return None,
        }
        Some(())
    }

    pub fn top(&self) -> String {
        match &self.place {
            Place::Inside(module) => module.clone(),
            Place::Around => format!("{}_proof", self.name),
        }
    }

    /// The circuit with the assertions in their place.
    ///
    /// # Errors
    ///
    /// If a module or a text that the file names is not there.
    pub fn applied(&self, verilog: &str) -> Result<String, PropertyError> {
        let mut text = verilog.to_owned();
        for abstraction in &self.abstractions {
            text = abstraction
                .found_in(&text)?
                .replace(&abstraction.from, &abstraction.to);
        }
        for (module, probe) in &self.probes {
            text = inserted(&text, module, probe)?;
        }
        match &self.place {
            Place::Inside(module) => inserted(&text, module, &self.text),
            Place::Around => Ok(text + &self.text),
        }
    }
}

impl Damage {
    /// The circuit with this damage.
    ///
    /// # Errors
    ///
    /// If the text is not there.
    pub fn applied(&self, verilog: &str) -> Result<String, PropertyError> {
        Ok(self.found_in(verilog)?.replacen(&self.from, &self.to, 1))
    }

    fn found_in<'a>(&self, verilog: &'a str) -> Result<&'a str, PropertyError> {
        match verilog.contains(&self.from) {
            true => Ok(verilog),
            false => Err(PropertyError::NoText(self.from.clone())),
        }
    }
}

/// The text with something at the end of a module.
fn inserted(text: &str, module: &str, what: &str) -> Result<String, PropertyError> {
    let missing = || PropertyError::NoModule(module.into());
    let start = text
        .find(&format!("\nmodule {module} "))
        .ok_or_else(missing)?;
    let end = start + text[start..].find("\nendmodule").ok_or_else(missing)?;
    Ok(format!("{}\n{what}{}", &text[..end], &text[end..]))
}
