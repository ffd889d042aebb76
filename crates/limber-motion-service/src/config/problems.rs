//! Reads settings and collects the problems with them.

use std::{collections::BTreeMap, fmt, ops::RangeInclusive, str::FromStr, time::Duration};

use limber_api::proxies::ProxyRange;
use limber_pipeline::Stage;

/// Prefix of our environment variables.
pub(super) const PREFIX: &str = "MOTIONSVC_";

/// All problems with the settings, one per line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError(Vec<String>);

impl fmt::Display for ConfigError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the settings have {} error(s):", self.0.len())?;
        self.0.iter().try_for_each(|problem| write!(formatter, "\n  {problem}"))
    }
}

impl std::error::Error for ConfigError {}

pub(super) struct Reader<'a> {
    lookup: &'a dyn Fn(&str) -> Option<String>,
    problems: Vec<String>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(lookup: &'a dyn Fn(&str) -> Option<String>) -> Self {
        Self { lookup, problems: Vec::new() }
    }

    pub(super) fn problem(&mut self, name: &str, what: &str) {
        self.problems.push(format!("{name} {what}"));
    }

    pub(super) fn text(&self, name: &str) -> Option<String> {
        (self.lookup)(name).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
    }

    pub(super) fn required(&mut self, name: &str, example: &str) -> String {
        self.text(name).unwrap_or_else(|| {
            self.problem(name, &format!("is missing; set it to something like {example}"));
            String::new()
        })
    }

    pub(super) fn parsed<T: FromStr>(&mut self, name: &str, kind: &str) -> Option<T> {
        let value = self.text(name)?;
        let parsed = value.parse().ok();
        if parsed.is_none() {
            self.problem(name, &format!("must be {kind}"));
        }
        parsed
    }

    pub(super) fn number<T>(&mut self, name: &str, range: RangeInclusive<T>, default: T) -> T
    where
        T: FromStr + PartialOrd + fmt::Display,
    {
        let Some(value) = self.text(name) else { return default };
        match value.parse() {
            Ok(number) if range.contains(&number) => number,
            _ => {
                self.problem(name, &format!("must be {} to {}", range.start(), range.end()));
                default
            }
        }
    }

    /// Reads a number of credits with at most one decimal place; returns it in tenths.
    pub(super) fn tenths(&mut self, name: &str, default: u32) -> u32 {
        let Some(value) = self.text(name) else { return default };
        let tenths = value.parse::<f64>().ok().map(|credits| credits * 10.0);
        let whole = |tenths: &f64| {
            (0.0..=10_000.0).contains(tenths) && (tenths - tenths.round()).abs() < 1e-6
        };
        tenths.filter(whole).map_or_else(
            || {
                self.problem(name, "must be 0 to 1000 credits with at most one decimal place");
                default
            },
            |tenths| tenths.round() as u32,
        )
    }

    /// Reads one of `words` and returns its index.
    pub(super) fn choice<const N: usize>(
        &mut self,
        name: &str,
        words: [&str; N],
        default: usize,
    ) -> usize {
        let Some(value) = self.text(name) else { return default };
        words.iter().position(|word| *word == value).unwrap_or_else(|| {
            self.problem(name, &format!("must be {}", words.join(" or ")));
            default
        })
    }

    pub(super) fn list(&self, name: &str) -> Option<Vec<String>> {
        let words = self.text(name)?;
        Some(
            words
                .split(',')
                .map(|word| word.trim().to_owned())
                .filter(|word| !word.is_empty())
                .collect(),
        )
    }

    /// Reads host names, each with or without a port.
    pub(super) fn hosts(&mut self, name: &str) -> Vec<String> {
        let hosts = self.list(name).unwrap_or_default();
        let is_host = |host: &String| {
            let url = url::Url::parse(&format!("https://{host}"));
            let bare = url.is_ok_and(|url| url.path() == "/" && url.username().is_empty());
            bare && !host.contains(['/', '?', '#', '@', '*'])
        };
        if !hosts.iter().all(is_host) {
            self.problem(name, "must be host names like files.example or files.example:8443");
        }
        hosts
    }

    /// Reads addresses and CIDR blocks of proxies.
    pub(super) fn proxies(&mut self, name: &str) -> Vec<ProxyRange> {
        let words = self.list(name).unwrap_or_default();
        words.iter().map(|word| ProxyRange::parse(word)).collect::<Option<_>>().unwrap_or_else(
            || {
                self.problem(
                    name,
                    "must contain only addresses such as 10.0.0.7 and blocks such as 10.0.0.0/8",
                );
                Vec::new()
            },
        )
    }

    /// Reads stages with their limits in seconds, such as `generate:600,bake:300`.
    pub(super) fn stage_limits(&mut self, name: &str) -> BTreeMap<String, Duration> {
        let limited = || Stage::ALL.into_iter().filter(|stage| stage.limit_s().is_some());
        let read = |word: &String| {
            let (stage, seconds) = word.split_once(':')?;
            let stage = limited().find(|known| known.name() == stage.trim())?;
            let seconds = seconds.trim().parse().ok().filter(|s| (1..=86_400).contains(s))?;
            Some((stage.name().to_owned(), Duration::from_secs(seconds)))
        };
        let words = self.list(name).unwrap_or_default();
        words.iter().map(read).collect::<Option<_>>().unwrap_or_else(|| {
            let stages: Vec<&str> = limited().map(Stage::name).collect();
            let stages = stages.join(", ");
            self.problem(
                name,
                &format!("must be like bake:300, with one of {stages} and 1 to 86400 seconds"),
            );
            BTreeMap::new()
        })
    }

    pub(super) fn cookie_name(&mut self, name: &str, default: String) -> String {
        let Some(value) = self.text(name) else { return default };
        if value.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-') {
            return value;
        }
        self.problem(name, "may contain only letters, digits, `_` and `-`");
        default
    }

    pub(super) fn finish<T>(self, value: T) -> Result<T, ConfigError> {
        if self.problems.is_empty() { Ok(value) } else { Err(ConfigError(self.problems)) }
    }
}
