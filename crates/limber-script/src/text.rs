//! The text form of a script: one line, made from the fields of the JSON form.
//!
//! `v2 walk direction:forward steps:3 > wave side:left while:0 | loop:true`: the events in order,
//! each with its action or `verb.part` followed by its fields; after the bar, what applies to the
//! whole clip.

use std::{fmt, str::FromStr};

use serde_json::{Map, Number, Value};

use crate::{Script, ScriptError, version1};

/// Prefix that marks version 2.
const MARK: &str = "v2";
/// Separator between events.
const THEN: &str = " > ";
/// Separator before the fields of the whole clip.
const WHOLE: &str = " | ";

impl fmt::Display for Script {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{MARK} ")?;
        let mut whole = self.to_value();
        let events = whole["events"].take();
        for (index, event) in events.as_array().into_iter().flatten().enumerate() {
            if index > 0 {
                formatter.write_str(THEN)?;
            }
            write_event(formatter, event)?;
        }
        let whole = whole.as_object().into_iter().flatten();
        let said = whole.filter(|(field, _)| !matches!(field.as_str(), "version" | "events"));
        for (index, (field, value)) in said.enumerate() {
            formatter.write_str(if index == 0 { WHOLE } else { " " })?;
            write!(formatter, "{field}:{}", Plain(value))?;
        }
        Ok(())
    }
}

fn write_event(formatter: &mut fmt::Formatter<'_>, event: &Value) -> fmt::Result {
    match (&event["do"], &event["move"], &event["part"]) {
        (Value::String(action), ..) => formatter.write_str(action)?,
        (_, verb, part) => write!(formatter, "{}.{}", Plain(verb), Plain(part))?,
    }
    for (field, value) in event.as_object().into_iter().flatten() {
        if !matches!(field.as_str(), "do" | "move" | "part") {
            write!(formatter, " {field}:{}", Plain(value))?;
        }
    }
    Ok(())
}

/// Formats a value without quotes and brackets; no word of a script contains a space, colon, comma
/// or equals sign.
struct Plain<'a>(&'a Value);

impl fmt::Display for Plain<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Value::String(word) => formatter.write_str(word),
            Value::Array(words) => {
                for (index, word) in words.iter().enumerate() {
                    write!(formatter, "{}{}", if index == 0 { "" } else { "," }, Plain(word))?;
                }
                Ok(())
            }
            Value::Object(fields) => {
                for (index, (field, value)) in fields.iter().enumerate() {
                    write!(
                        formatter,
                        "{}{field}={}",
                        if index == 0 { "" } else { "," },
                        Plain(value)
                    )?;
                }
                Ok(())
            }
            other => other.fmt(formatter),
        }
    }
}

impl FromStr for Script {
    type Err = ScriptError;

    /// Reads the text form of version 2 or version 1.
    fn from_str(line: &str) -> Result<Self, Self::Err> {
        let marked = line.trim().strip_prefix(MARK);
        let Some(line) =
            marked.filter(|rest| !rest.starts_with(|next: char| !next.is_whitespace()))
        else {
            return version1::read(line);
        };
        let (events, whole) = line.split_once(WHOLE).unwrap_or((line, ""));
        let events = events.split(THEN).enumerate().map(|(index, event)| read_event(index, event));
        let mut script = Map::new();
        script.insert("version".to_owned(), Value::from(2));
        script.insert("events".to_owned(), events.collect::<Result<Vec<_>, _>>()?.into());
        for word in whole.split_whitespace() {
            read_field(&mut script, word).map_err(|reason| ScriptError::new("", &reason))?;
        }
        Self::from_value(&Value::Object(script))
    }
}

fn read_event(index: usize, text: &str) -> Result<Value, ScriptError> {
    let mut words = text.split_whitespace();
    let mut event = Map::new();
    match words.next().map(|deed| (deed, deed.split_once('.'))) {
        None => {}
        Some((_, Some((verb, part)))) => {
            event.insert("move".to_owned(), verb.into());
            event.insert("part".to_owned(), part.into());
        }
        Some((action, None)) => {
            event.insert("do".to_owned(), action.into());
        }
    }
    for word in words {
        read_field(&mut event, word)
            .map_err(|reason| ScriptError::new(format!("events[{index}]"), &reason))?;
    }
    Ok(Value::Object(event))
}

fn read_field(fields: &mut Map<String, Value>, word: &str) -> Result<(), String> {
    let shortened = || word.chars().take(60).collect::<String>();
    let Some((field, value)) = word.split_once(':') else {
        return Err(format!("`{}` is not a field with a value", shortened()));
    };
    let value = match field {
        "still" | "avoid" => value.split(',').map(Value::from).collect(),
        "manners" => value
            .split(',')
            .map(|manner| {
                let (manner, intensity) = manner.split_once('=').unwrap_or((manner, "1"));
                (manner.to_owned(), scalar(intensity))
            })
            .collect::<Map<_, _>>()
            .into(),
        _ => scalar(value),
    };
    if fields.insert(field.to_owned(), value).is_some() {
        return Err(format!("`{}` is given twice", field.chars().take(60).collect::<String>()));
    }
    Ok(())
}

/// Parses a value. Words of scripts are never numbers, so anything that parses as a number is one.
fn scalar(text: &str) -> Value {
    if let Ok(truth) = text.parse::<bool>() {
        return Value::Bool(truth);
    }
    text.parse::<Number>().map_or_else(|_| Value::from(text), Value::Number)
}
