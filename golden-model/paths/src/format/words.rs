//! The words of a line of the text format.

/// A name, as a JSON string where it is not a plain word.
pub(super) fn quoted(name: &str) -> String {
    let plain = |c: char| !c.is_whitespace() && !c.is_control() && !"#;\"".contains(c);
    match !name.is_empty() && name != "->" && name.chars().all(plain) {
        true => name.into(),
        false => serde_json::Value::from(name).to_string(),
    }
}

/// A word of a line; quoted ones are never keywords.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Word {
    Plain(String),
    Quoted(String),
}

impl Word {
    pub(super) fn text(&self) -> &str {
        match self {
            Word::Plain(text) | Word::Quoted(text) => text,
        }
    }

    /// What it is if it is a keyword.
    pub(super) fn keyword(&self) -> &str {
        match self {
            Word::Plain(text) => text,
            Word::Quoted(_) => "",
        }
    }

    pub(super) fn is(&self, keyword: &str) -> bool {
        self.keyword() == keyword
    }
}

/// The words of a line, and what stands after its `;`.
pub(super) fn split(line: &str) -> Result<(Vec<Word>, Option<&str>), String> {
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    while let Some(first) = rest.chars().next() {
        let end_of_word;
        match first {
            '#' => return Ok((words, None)),
            ';' => {
                let note = rest[1..].split('#').next().unwrap_or_default();
                return Ok((words, Some(note.trim())));
            }
            '"' => {
                let mut strings = serde_json::Deserializer::from_str(rest).into_iter::<String>();
                let Some(Ok(name)) = strings.next() else {
                    return Err("a quoted name does not end, or holds a wrong escape".into());
                };
                end_of_word = strings.byte_offset();
                words.push(Word::Quoted(name));
            }
            _ => {
                let end = |c: char| c.is_whitespace() || "#;\"".contains(c);
                end_of_word = rest.find(end).unwrap_or(rest.len());
                words.push(Word::Plain(rest[..end_of_word].into()));
            }
        }
        rest = rest[end_of_word..].trim_start();
    }
    Ok((words, None))
}
