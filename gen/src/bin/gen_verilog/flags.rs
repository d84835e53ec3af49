//! A flag for every parameter of a configuration, made of the table of parameters.

use anyhow::Result;
use clap::builder::ValueParser;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use hpp_gen::{Config, PARAMETERS, ParameterTable};
use hpp_golden::branch::BranchKind;
use hpp_golden::config::{Parameter, Values};
use hpp_golden::profiler::{Row, Rows};
use serde::Deserialize;
use serde::de::IntoDeserializer;
use serde::de::value::Error as NameError;
use std::collections::BTreeMap;
use toml::{Table, Value};

const ROWS: &str = "reset-rows";
const ROW: &str = "reset-row";

/// What flags say; the rest stays as the configuration file or the default has it.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    /// As a configuration file says it.
    table: Table,
    /// The parameters, and what the names of their flags begin with.
    given: BTreeMap<&'static str, &'static str>,
    rows: Option<Rows>,
    row: Vec<(BranchKind, Row)>,
}

impl Args for Flags {
    fn augment_args(command: Command) -> Command {
        let plain = PARAMETERS.iter().fold(command, |command, table| {
            let arguments = table.plain().map(|parameter| argument(table, parameter));
            command.args(arguments)
        });
        let heading = PARAMETERS[PARAMETERS.len() - 1].heading;
        plain
            .arg(
                Arg::new(ROWS)
                    .long(ROWS)
                    .value_name("PRESET")
                    .help("Operations of all kinds of branches [ball-larus, whole-program-path; default: ball-larus]")
                    .help_heading(heading)
                    .value_parser(preset),
            )
            .arg(
                Arg::new(ROW)
                    .long(ROW)
                    .value_name("KIND=OPERATIONS")
                    .help("Operations of one kind, such as call=update-count,push; after --reset-rows, may be repeated")
                    .help_heading(heading)
                    .action(ArgAction::Append)
                    .value_parser(row),
            )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Flags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut flags = Self::default();
        flags.update_from_arg_matches(matches)?;
        Ok(flags)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        for table in &PARAMETERS {
            for parameter in table.plain() {
                if let Some(value) = matches.get_one::<Value>(&flag(table, parameter)) {
                    self.set(table, parameter, value.clone());
                }
            }
        }
        self.rows = matches.get_one(ROWS).copied();
        self.row = matches
            .get_many(ROW)
            .into_iter()
            .flatten()
            .copied()
            .collect();
        Ok(())
    }
}

fn flag(table: &ParameterTable, parameter: &Parameter) -> String {
    format!("{}{}", table.flag, parameter.name)
}

fn argument(table: &ParameterTable, parameter: &'static Parameter) -> Arg {
    let flag = flag(table, parameter);
    let help = format!(
        "{} [{}; default: {}]",
        parameter.about(),
        parameter.allowed(),
        table.default(parameter)
    );
    let argument = Arg::new(flag.clone())
        .long(flag)
        .help(help)
        .help_heading(table.heading)
        // So that the error is about the value.
        .allow_negative_numbers(true)
        .value_name(match parameter.values {
            Values::Number(_) => "N",
            Values::Choice(_) => "KIND",
            Values::Switch => "BOOL",
            Values::Names => "NAME,...",
            Values::Name | Values::Other => "NAME",
        })
        .value_parser(ValueParser::from(move |text: &str| read(parameter, text)));
    match parameter.values {
        Values::Switch => argument.num_args(0..=1).default_missing_value("true"),
        _ => argument,
    }
}

/// A value as a configuration file has it.
fn read(parameter: &Parameter, text: &str) -> Result<Value, String> {
    match parameter.values {
        Values::Number(range) => {
            let number: Result<u32, _> = text.parse();
            let number = number.map_err(|_| {
                format!("expected a whole number; allowed: {}", parameter.allowed())
            })?;
            // What does not fit into its field is no configuration, of which all violations could be named.
            match parameter.refusal(number) {
                Some(error) if range.high <= u8::MAX.into() && number > u8::MAX.into() => {
                    Err(error.to_string())
                }
                _ => Ok(Value::Integer(number.into())),
            }
        }
        Values::Switch => {
            let switch: Result<bool, _> = text.parse();
            let switch = switch.map_err(|_| "expected `true` or `false`")?;
            Ok(Value::Boolean(switch))
        }
        Values::Choice(names) if !names().contains(&text) => {
            let names: Vec<String> = names().iter().map(|name| format!("`{name}`")).collect();
            Err(format!("expected one of {}", names.join(", ")))
        }
        // None at all is no name; one left out between others would move the names after it.
        Values::Names if text.is_empty() => Ok(Value::Array(Vec::new())),
        Values::Names => Ok(Value::Array(text.split(',').map(Value::from).collect())),
        Values::Choice(_) | Values::Name | Values::Other => Ok(text.into()),
    }
}

impl Flags {
    fn set(&mut self, table: &ParameterTable, parameter: &'static Parameter, value: Value) {
        self.given.insert(parameter.name, table.flag);
        let values = match table.name {
            None => &mut self.table,
            Some(name) => {
                let inner = self
                    .table
                    .entry(name)
                    .or_insert_with(|| Table::new().into());
                inner.as_table_mut().expect("a table of parameters")
            }
        };
        values.insert(parameter.name.into(), value);
    }

    /// The configuration of a file's table, with what was given in the place of what it says.
    ///
    /// # Errors
    /// If a number does not fit into its field at all.
    pub fn over(&self, mut table: Table) -> Result<Config> {
        for (key, value) in &self.table {
            match (table.get_mut(key).and_then(Value::as_table_mut), value) {
                (Some(inner), Value::Table(values)) => inner.extend(values.clone()),
                _ => drop(table.insert(key.clone(), value.clone())),
            }
        }
        let mut config = Config::of(table)?;
        if let Some(rows) = self.rows {
            config.reset.rows = rows;
        }
        for (kind, row) in &self.row {
            config.reset.rows[*kind] = *row;
        }
        Ok(config)
    }

    /// The flag that sets this parameter, if one does.
    pub fn setting(&self, name: &str) -> Option<String> {
        self.given.get(name).map(|table| format!("--{table}{name}"))
    }
}

/// A value by the name that a configuration file gives it; the error lists the names there are.
fn named<T: for<'a> Deserialize<'a>>(text: &str) -> Result<T, String> {
    T::deserialize(text.into_deserializer()).map_err(|error: NameError| error.to_string())
}

fn preset(text: &str) -> Result<Rows, String> {
    match text {
        "ball-larus" => Ok(Rows::BALL_LARUS),
        "whole-program-path" => Ok(Rows::WHOLE_PROGRAM_PATH),
        _ => Err("expected `ball-larus` or `whole-program-path`".to_string()),
    }
}

/// `call=update-count,push`; nothing after the `=` is a row that does nothing.
fn row(text: &str) -> Result<(BranchKind, Row), String> {
    let Some((kind, operations)) = text.split_once('=') else {
        return Err(
            "expected KIND=OPERATION,OPERATION..., such as call=update-count,push".to_string(),
        );
    };
    let kind = named(&kind.replace('-', "_")).map_err(|error| error.replace('_', "-"))?;
    let operations = operations
        .split(',')
        .filter(|operation| !operation.is_empty())
        .map(named)
        .collect::<Result<Vec<_>, _>>()?;
    let row = Row::try_from(operations).map_err(|error| error.to_string())?;
    Ok((kind, row))
}
