//! Looks up settings by name and collects every problem, so that all of them are reported at once.
//!
//! Each name must be declared in [`settings`](super::settings), which also holds its default.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::str::FromStr;
use std::time::Duration;

use limber_telemetry::unknown_settings;
use secrecy::SecretString;
use url::Url;

use super::duration::parse_duration;
use super::settings::{ALIAS_PREFIX, Effect, PREFIX, Setting, ValueKind, all, declared};

/// All problems found in a configuration. The message names variables but never shows their values.
#[derive(Debug, thiserror::Error)]
#[error("The configuration is invalid:\n{}", .problems.iter().map(|p| format!("  - {p}")).collect::<Vec<_>>().join("\n"))]
pub struct ConfigError {
    /// One sentence per problem.
    pub problems: Vec<String>,
}

type Values = HashMap<String, String>;

/// The variables, with the problems found so far.
pub(super) struct Environment {
    /// Process environment first, then the `.env` file.
    layers: [Values; 2],
    problems: Vec<String>,
    notices: RefCell<BTreeSet<String>>,
    /// Names of the declared settings that have been read.
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

    /// Returns the configured value, ignoring the default. An empty value counts as unset.
    ///
    /// The process environment takes precedence over the file. Within each, names are tried in this
    /// order: our prefix, the bare name where allowed, the `GOTRUE_` prefix that migrated
    /// installations use, and names from earlier versions.
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

    /// Returns the configured value, or else the default if there is one.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        let default = self.declaration(name).default;
        self.set(name).or_else(|| (!default.is_empty()).then(|| default.to_owned()))
    }

    /// Returns, for each member of a family of variables that is set, the variable part of its name
    /// and its value.
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
        // This fallback is never used, because the problem has been recorded and start-up will
        // fail.
        url.unwrap_or_else(|| Url::parse("http://invalid/").expect("a constant address parses"))
    }

    /// Like `required_url`, but also accepts a host and port without a scheme: GoTrue, from which
    /// most installations migrate, accepts `id.example:443` as an address.
    pub(super) fn required_place(&mut self, name: &str, meaning: &str) -> Url {
        let Some(place) = self.set(name).filter(|text| is_host_and_port(text)) else {
            return self.required_url(name, meaning);
        };
        let local = place.starts_with("localhost:");
        let url = Url::parse(&format!("{}://{place}", if local { "http" } else { "https" }));
        // The URL parser is stricter than `is_host_and_port` and then reports the problem itself.
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
            self.problem(format!("{PREFIX}{name} must be a whole number in the allowed range"));
            default
        })
    }

    /// Reads a duration. Returns `None` only if it is unset and has no default.
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

    /// Reports settings that are set but have no effect. Switching on a feature that this version
    /// lacks is an error, because silently ignoring it could disable a protection or a sign-in
    /// method.
    pub(super) fn report_what_has_no_effect(&mut self) {
        for setting in all().filter(|setting| setting.effect != Effect::Works) {
            for name in setting.names() {
                if self.set(&name).is_none() {
                    continue;
                }
                let switch = setting.kind == ValueKind::Flag && setting.default == "false";
                if setting.effect == Effect::NotYet && switch {
                    if self.flag(&name) {
                        let text = "is not supported in this version: set it to false";
                        self.problem(format!("{PREFIX}{name} {text}"));
                    }
                } else {
                    self.notice(format!("{PREFIX}{name} is accepted but has no effect"));
                }
            }
        }
    }

    /// Warns about names with our prefix, or with GoTrue's, that are not declared, which are most
    /// likely typos.
    pub(super) fn report_unknown_names(&self) {
        for prefix in [PREFIX, ALIAS_PREFIX] {
            let names = self.layers.iter().flat_map(HashMap::keys).map(String::as_str);
            // A name that works as an alias is neither a typo nor a useful suggestion.
            let undeclared = |name: &&str| {
                name.strip_prefix(prefix).is_some_and(|bare| declared(bare).is_none())
            };
            let known = all().flat_map(Setting::names);
            let told = unknown_settings(prefix, names.filter(undeclared), known);
            self.notices.borrow_mut().extend(told);
        }
    }

    /// Returns the declared, working settings that were never read.
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

/// Recognises `localhost:9999`, with or without a path. A host that starts with a digit is not
/// accepted, as in GoTrue.
fn is_host_and_port(text: &str) -> bool {
    let Some((host, rest)) = text.split_once(':') else { return false };
    let port = rest.split('/').next().unwrap_or_default();
    host.starts_with(|c: char| c.is_ascii_alphabetic())
        && host.bytes().all(|b| b.is_ascii_alphanumeric() || b"-.".contains(&b))
        && port.parse::<u16>().is_ok()
}
