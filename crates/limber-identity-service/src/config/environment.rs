//! Reads settings by name and collects every problem, so that all are told at once.

use std::collections::HashMap;
use std::str::FromStr;
use std::time::Duration;

use secrecy::SecretString;
use url::Url;

use super::duration::parse_duration;

/// Every problem of a configuration. The text names variables, never their values.
#[derive(Debug, thiserror::Error)]
#[error("The configuration cannot be used:\n{}", .problems.iter().map(|p| format!("  - {p}")).collect::<Vec<_>>().join("\n"))]
pub struct ConfigError {
    /// One sentence each.
    pub problems: Vec<String>,
}

/// The variables, and what was wrong with them so far.
pub(super) struct Environment {
    values: HashMap<String, String>,
    problems: Vec<String>,
}

impl Environment {
    pub(super) fn new(values: impl IntoIterator<Item = (String, String)>) -> Self {
        Self { values: values.into_iter().collect(), problems: Vec::new() }
    }

    /// Our prefix first, then the bare name where that is allowed, then the prefix of the
    /// service most installations come from. Empty is the same as absent.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        let bare = matches!(name, "PORT" | "DATABASE_URL" | "LOG_LEVEL").then(|| name.to_owned());
        [Some(format!("AUTHSVC_{name}")), bare, Some(format!("GOTRUE_{name}"))]
            .into_iter()
            .flatten()
            .find_map(|full| self.values.get(&full).filter(|v| !v.trim().is_empty()))
            .map(|value| value.trim().to_owned())
    }

    pub(super) fn problem(&mut self, text: impl Into<String>) {
        self.problems.push(text.into());
    }

    pub(super) fn required(&mut self, name: &str, meaning: &str) -> String {
        self.text(name).unwrap_or_else(|| {
            self.problem(format!("AUTHSVC_{name} is missing: set it to {meaning}"));
            String::new()
        })
    }

    pub(super) fn secret(&mut self, name: &str, meaning: &str) -> SecretString {
        self.required(name, meaning).into()
    }

    pub(super) fn required_url(&mut self, name: &str, meaning: &str) -> Url {
        let text = self.required(name, meaning);
        let url = Url::parse(&text).ok().filter(|u| u.has_host());
        if url.is_none() && !text.is_empty() {
            self.problem(format!("AUTHSVC_{name} must be an address such as https://example.org"));
        }
        // never used: a problem was noted
        url.unwrap_or_else(|| Url::parse("http://invalid/").expect("a constant address parses"))
    }

    pub(super) fn flag(&mut self, name: &str, default: bool) -> bool {
        match self.text(name).map(|v| v.to_ascii_lowercase()).as_deref() {
            None => default,
            Some("true" | "1" | "t" | "yes" | "on") => true,
            Some("false" | "0" | "f" | "no" | "off") => false,
            Some(_) => {
                self.problem(format!("AUTHSVC_{name} must be true or false"));
                default
            }
        }
    }

    pub(super) fn number<T: FromStr>(&mut self, name: &str, default: T) -> T {
        let Some(text) = self.text(name) else { return default };
        text.parse().unwrap_or_else(|_| {
            self.problem(format!("AUTHSVC_{name} must be a whole number in its range"));
            default
        })
    }

    pub(super) fn duration(&mut self, name: &str) -> Option<Duration> {
        let text = self.text(name)?;
        let parsed = parse_duration(&text);
        if parsed.is_none() {
            self.problem(format!("AUTHSVC_{name} must be seconds or a duration such as 1h30m"));
        }
        parsed
    }

    pub(super) fn list(&self, name: &str) -> Vec<String> {
        let text = self.text(name).unwrap_or_default();
        text.split(',').map(str::trim).filter(|s| !s.is_empty()).map(str::to_owned).collect()
    }

    pub(super) fn finish<T>(self, value: T) -> Result<T, ConfigError> {
        if self.problems.is_empty() {
            return Ok(value);
        }
        Err(ConfigError { problems: self.problems })
    }
}
