//! Reads settings by name and collects every problem, so that all are told at once.
//!
//! A name must be declared in [`settings`](super::settings), where its default stands too.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::str::FromStr;
use std::time::Duration;

use limber_telemetry::unknown_settings;
use secrecy::SecretString;
use url::Url;

use super::duration::parse_duration;
use super::settings::{ALIAS_PREFIX, Effect, PREFIX, Setting, ValueKind, all, declared};

/// Every problem of a configuration. The text names variables, never their values.
#[derive(Debug, thiserror::Error)]
#[error("The configuration cannot be used:\n{}", .problems.iter().map(|p| format!("  - {p}")).collect::<Vec<_>>().join("\n"))]
pub struct ConfigError {
    /// One sentence each.
    pub problems: Vec<String>,
}

type Values = HashMap<String, String>;

/// The variables, and what was wrong with them so far.
pub(super) struct Environment {
    /// The process's own variables, then those of the file.
    layers: [Values; 2],
    problems: Vec<String>,
    notices: RefCell<BTreeSet<String>>,
    /// Declarations that were read.
    asked: RefCell<BTreeSet<&'static str>>,
}

impl Environment {
    pub(super) fn new(
        process: impl IntoIterator<Item = (String, String)>,
        file: impl IntoIterator<Item = (String, String)>,
    ) -> Self {
        Self {
            layers: [process.into_iter().collect(), file.into_iter().collect()],
            problems: Vec::new(),
            notices: RefCell::default(),
            asked: RefCell::default(),
        }
    }

    /// The value that is set, without regard to a default. The environment before the file; then
    /// our prefix, the bare name where that is allowed, the prefix of the service most
    /// installations come from, and names of earlier versions. Empty is the same as absent.
    pub(super) fn set(&self, name: &str) -> Option<String> {
        let setting = self.declaration(name);
        let current = std::iter::once(name).chain(setting.also.iter().copied());
        let mut names: Vec<String> = current.clone().map(|n| format!("{PREFIX}{n}")).collect();
        if setting.bare {
            names.extend(current.clone().map(str::to_owned));
        }
        names.extend(current.map(|n| format!("{ALIAS_PREFIX}{n}")));
        let found = self.first_of(&names);
        found.or_else(|| setting.formerly.iter().find_map(|old| self.under_old_name(name, old)))
    }

    fn under_old_name(&self, name: &str, old: &str) -> Option<String> {
        let value = self.first_of(&[format!("{PREFIX}{old}"), format!("{ALIAS_PREFIX}{old}")])?;
        self.notice(format!("{PREFIX}{old} is the old name of {PREFIX}{name}; rename it"));
        Some(value)
    }

    fn first_of(&self, names: &[String]) -> Option<String> {
        let mut found = self.layers.iter().flat_map(|layer| names.iter().map(|n| layer.get(n)));
        let value = found.find_map(|value| value.filter(|v| !v.trim().is_empty()))?;
        Some(value.trim().to_owned())
    }

    fn declaration(&self, name: &str) -> &'static Setting {
        let setting = declared(name).expect("a setting is declared before it is read");
        self.asked.borrow_mut().insert(setting.name);
        setting
    }

    pub(super) fn problem(&mut self, text: impl Into<String>) {
        self.problems.push(text.into());
    }

    pub(super) fn notice(&self, text: impl Into<String>) {
        self.notices.borrow_mut().insert(text.into());
    }

    /// The value, or the default if there is one.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        let default = self.declaration(name).default;
        self.set(name).or_else(|| (!default.is_empty()).then(|| default.to_owned()))
    }

    /// A family: the word in the name, and the value, of each that is set.
    pub(super) fn family(&self, name: &str) -> Vec<(String, String)> {
        let setting = all().find(|setting| setting.name == name);
        let setting = setting.expect("a family is declared before it is read");
        self.asked.borrow_mut().insert(setting.name);
        let words = setting.words.iter().map(|word| word.to_uppercase());
        words.zip(setting.names()).filter_map(|(word, n)| Some((word, self.set(&n)?))).collect()
    }

    pub(super) fn required(&mut self, name: &str, meaning: &str) -> String {
        self.set(name).unwrap_or_else(|| {
            self.problem(format!("{PREFIX}{name} is missing: set it to {meaning}"));
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
            self.problem(format!("{PREFIX}{name} must be an address such as https://example.org"));
        }
        // never used: a problem was noted
        url.unwrap_or_else(|| Url::parse("http://invalid/").expect("a constant address parses"))
    }

    /// The same where the scheme may be left out before a host and its port: the service most
    /// installations come from takes `id.example:443` for an address.
    pub(super) fn required_place(&mut self, name: &str, meaning: &str) -> Url {
        let Some(place) = self.set(name).filter(|text| is_host_and_port(text)) else {
            return self.required_url(name, meaning);
        };
        let local = place.starts_with("localhost:");
        let url = Url::parse(&format!("{}://{place}", if local { "http" } else { "https" }));
        // what is a host to us may still be none to the parser, which then says so
        url.unwrap_or_else(|_| self.required_url(name, meaning))
    }

    pub(super) fn flag(&mut self, name: &str) -> bool {
        let default = self.declaration(name).default == "true";
        match self.set(name).map(|v| v.to_ascii_lowercase()).as_deref() {
            None => default,
            Some("true" | "1" | "t" | "yes" | "on") => true,
            Some("false" | "0" | "f" | "no" | "off") => false,
            Some(_) => {
                self.problem(format!("{PREFIX}{name} must be true or false"));
                default
            }
        }
    }

    pub(super) fn number<T: FromStr + Default>(&mut self, name: &str) -> T {
        let default = self.declaration(name).default.parse().unwrap_or_default();
        let Some(text) = self.set(name) else { return default };
        text.parse().unwrap_or_else(|_| {
            self.problem(format!("{PREFIX}{name} must be a whole number in its range"));
            default
        })
    }

    /// `None` only where nothing is set and there is no default.
    pub(super) fn duration(&mut self, name: &str) -> Option<Duration> {
        let default = parse_duration(self.declaration(name).default);
        let Some(text) = self.set(name) else { return default };
        let parsed = parse_duration(&text);
        if parsed.is_none() {
            self.problem(format!("{PREFIX}{name} must be seconds or a duration such as 1h30m"));
        }
        parsed.or(default)
    }

    pub(super) fn list(&self, name: &str) -> Vec<String> {
        let text = self.text(name).unwrap_or_default();
        text.split(',').map(str::trim).filter(|s| !s.is_empty()).map(str::to_owned).collect()
    }

    /// Settings that are set and do nothing. A switch that asks for what is not there is a
    /// problem: a protection or a way in must not be passed over.
    pub(super) fn report_what_has_no_effect(&mut self) {
        for setting in all().filter(|setting| setting.effect != Effect::Works) {
            for name in setting.names() {
                if self.set(&name).is_none() {
                    continue;
                }
                let switch = setting.kind == ValueKind::Flag && setting.default == "false";
                if setting.effect == Effect::NotYet && switch {
                    if self.flag(&name) {
                        let text = "is not available in this version: set it false";
                        self.problem(format!("{PREFIX}{name} {text}"));
                    }
                } else {
                    self.notice(format!("{PREFIX}{name} is accepted but has no effect"));
                }
            }
        }
    }

    /// Names with our prefix that nobody knows, most likely slips of the keyboard.
    pub(super) fn report_unknown_names(&self) {
        let names = self.layers.iter().flat_map(HashMap::keys).map(String::as_str);
        // what works under another name is no slip, and not what a slip was meant for
        let undeclared =
            |name: &&str| name.strip_prefix(PREFIX).is_some_and(|bare| declared(bare).is_none());
        let known = all().flat_map(Setting::names);
        let told = unknown_settings(PREFIX, names.filter(undeclared), known);
        self.notices.borrow_mut().extend(told);
    }

    /// Declarations that work and were not read.
    #[cfg(test)]
    pub(super) fn never_asked(&self) -> Vec<&'static str> {
        let asked = self.asked.borrow();
        let works = all().filter(|setting| setting.effect == Effect::Works);
        works.map(|setting| setting.name).filter(|name| !asked.contains(name)).collect()
    }

    pub(super) fn notices(&self) -> Vec<String> {
        self.notices.borrow().iter().cloned().collect()
    }

    pub(super) fn finish<T>(self, value: T) -> Result<T, ConfigError> {
        if self.problems.is_empty() {
            return Ok(value);
        }
        Err(ConfigError { problems: self.problems })
    }
}

/// `localhost:9999`, with or without a path. A number first would be no scheme there either.
fn is_host_and_port(text: &str) -> bool {
    let Some((host, rest)) = text.split_once(':') else { return false };
    let port = rest.split('/').next().unwrap_or_default();
    host.starts_with(|c: char| c.is_ascii_alphabetic())
        && host.bytes().all(|b| b.is_ascii_alphanumeric() || b"-.".contains(&b))
        && port.parse::<u16>().is_ok()
}
