//! Control-flow graphs as JSON.
//!
//! ```json
//! {
//!   "entry": "a",
//!   "exit": "c",
//!   "blocks": [{"name": "a", "address": 256}, {"name": "b"}, {"name": "c"}],
//!   "edges": [
//!     {"from": "a", "to": "b"},
//!     {"from": "b", "to": "b", "class": "backward", "outcome": true, "weight": 9},
//!     {"from": "b", "to": "c"}
//!   ]
//! }
//! ```
//!
//! Only `edges` is needed. With a list of blocks, edges may join only blocks of the list. Entry,
//! exit and classes that are left out are found as in the [text format](super::text).
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::graph::{BlockId, Cfg, CfgBuilder, CfgError, Edge, EdgeClass, EdgeId};

/// Why JSON is not a graph.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Debug, Error)]
pub enum JsonError {
    #[error("line {line}, column {column}: {reason}")]
    Form {
        line: usize,
        column: usize,
        reason: String,
    },
    #[error("{what} names the block `{name}`, which is not among the blocks")]
    Unknown { what: String, name: String },
    #[error("the block `{0}` is declared twice")]
    Twice(String),
    #[error(transparent)]
    Graph(#[from] CfgError),
}

impl From<serde_json::Error> for JsonError {
    fn from(error: serde_json::Error) -> Self {
        Self::Form {
            line: error.line(),
            column: error.column(),
            reason: in_words(&error),
        }
    }
}

/// What a parser complains of, without the place and the names of its types.
pub fn in_words(error: &serde_json::Error) -> String {
    let message = error.to_string();
    let reason = message
        .rsplit_once(" at line ")
        .map_or(message.as_str(), |(reason, _)| reason);
    [
        ("invalid type: ", ""),
        ("invalid value: ", ""),
        (
            "expected u64",
            "expected a whole number from 0 to 18446744073709551615",
        ),
        (
            "expected u32",
            "expected a whole number from 0 to 4294967295",
        ),
        ("expected usize", "expected a whole number from 0 on"),
        ("expected a sequence", "expected a list"),
        (
            "expected struct GraphForm",
            "expected an object with a list of edges",
        ),
        (
            "expected struct BlockForm",
            "expected an object with a name",
        ),
        (
            "expected struct EdgeForm",
            "expected an object with from and to",
        ),
    ]
    .into_iter()
    .fold(reason.to_string(), |text, (from, to)| {
        text.replace(from, to)
    })
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GraphForm {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    entry: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    exit: Option<String>,
    #[serde(default)]
    blocks: Vec<BlockForm>,
    edges: Vec<EdgeForm>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BlockForm {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    address: Option<u64>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EdgeForm {
    from: String,
    to: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    class: Option<EdgeClass>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    outcome: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    weight: Option<u64>,
}

/// Reads a graph. O(length).
///
/// # Errors
///
/// If the text is not JSON of this form, or what it describes is not a graph.
pub fn parse(text: &str) -> Result<Cfg, JsonError> {
    let form: GraphForm = serde_json::from_str(text)?;
    let mut builder = CfgBuilder::default();
    for block in &form.blocks {
        if builder.find(&block.name).is_some() {
            return Err(JsonError::Twice(block.name.clone()));
        }
        let id = builder.block(&block.name);
        if let Some(address) = block.address {
            builder.address(id, address);
        }
    }
    for (position, edge) in form.edges.iter().enumerate() {
        add_edge(&mut builder, &form, position, edge)?;
    }
    for (name, what) in [(&form.entry, "entry"), (&form.exit, "exit")] {
        let Some(name) = name else { continue };
        let block = builder.find(name).ok_or_else(|| JsonError::Unknown {
            what: what.into(),
            name: name.clone(),
        })?;
        match what {
            "entry" => builder.entry(block),
            _ => builder.exit(block),
        }
    }
    Ok(builder.build()?)
}

fn add_edge(
    builder: &mut CfgBuilder,
    form: &GraphForm,
    position: usize,
    edge: &EdgeForm,
) -> Result<(), JsonError> {
    let mut end = |name: &str| -> Result<BlockId, JsonError> {
        if builder.find(name).is_none() && !form.blocks.is_empty() {
            return Err(JsonError::Unknown {
                what: format!("edge {position} (from 0)"),
                name: name.into(),
            });
        }
        Ok(builder.block(name))
    };
    let (from, to) = (end(&edge.from)?, end(&edge.to)?);
    let id = builder.edge(
        from,
        to,
        Edge {
            class: edge.class.unwrap_or_default(),
            outcome: edge.outcome,
            weight: edge.weight,
        },
    );
    if edge.class.is_none() {
        builder.classify_by_address(id);
    }
    Ok(())
}

/// Writes a graph; [`parse`] reads it back.
pub fn write(cfg: &Cfg) -> String {
    let name = |block: BlockId| cfg.name(block).to_string();
    let edge = |id: EdgeId| {
        let (from, to) = cfg.ends(id);
        let data = cfg.edge(id);
        EdgeForm {
            from: name(from),
            to: name(to),
            class: Some(data.class),
            outcome: data.outcome,
            weight: data.weight,
        }
    };
    let block = |id: BlockId| BlockForm {
        name: name(id),
        address: *cfg.block(id),
    };
    let form = GraphForm {
        entry: Some(name(cfg.entry())),
        exit: Some(name(cfg.exit())),
        blocks: cfg.blocks().map(block).collect(),
        edges: cfg.edges().map(edge).collect(),
    };
    serde_json::to_string_pretty(&form).expect("strings and numbers are always JSON")
}
