//! Every variable the service reads, declared once: name, type, default and meaning.
//!
//! To add a variable, add one line to the file of its topic. Tests fail for a variable that is read
//! but not declared here, and for one that is declared but never read. The page
//! `docs/src/operate/identity-settings.md` is generated from these declarations.

/// Declares the settings of one file. Each row gives name, type, default and meaning, followed by
/// optional modifiers.
macro_rules! settings {
    ($($name:literal $kind:ident $default:literal $meaning:literal
        $(.$also:ident($($argument:expr),*))*;)+) => {
        pub(super) const SETTINGS: &[super::Setting] = &[$(
            super::setting($name, super::ValueKind::$kind, $default, $meaning)
                $(.$also($($argument),*))*
        ),+];
    };
}

mod accounts;
mod database;
mod limits;
mod mail;
mod mfa;
mod phone;
mod providers;
mod reference;
mod service;
mod sessions;
mod telemetry;
mod tokens;

pub use reference::reference;

/// Prefix of every variable name.
pub(crate) const PREFIX: &str = "AUTHSVC_";
/// Alternative prefix of GoTrue, from which most installations migrate; ours takes precedence.
pub(super) const ALIAS_PREFIX: &str = "GOTRUE_";

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    /// Any text.
    Text,
    /// A URL such as `https://…`.
    Address,
    /// `true` or `false`.
    Flag,
    /// A non-negative number.
    Number,
    /// Seconds, or a form such as `1h30m`.
    Duration,
    /// Strings separated by commas.
    List,
    /// `N` per hour, or `N/1h`: a bucket of N that refills by one per hour.
    Rate,
    /// JSON.
    Json,
}

/// Whether a variable has an effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It works as documented.
    Works,
    /// Not available in this version. Switching it on prevents start-up, because a requested
    /// protection must not be silently ignored.
    NotYet,
    /// Accepted for compatibility with existing installations; it will never have an effect.
    None,
}

/// One variable, or a family of variables whose name contains a placeholder such as `<PROVIDER>`.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// Name without its prefix.
    pub name: &'static str,
    /// Type of its value.
    pub kind: ValueKind,
    /// Value used when the variable is not set. Empty if there is none.
    pub default: &'static str,
    /// Describes the behaviour when the variable is not set, where a value cannot express it. Empty
    /// if `default` does.
    pub otherwise: &'static str,
    /// Explanation for operators, in Markdown.
    pub meaning: &'static str,
    /// Words that may replace the `<…>` placeholder, in any letter case.
    pub words: &'static [&'static str],
    /// Alternative names of equal standing.
    pub also: &'static [&'static str],
    /// Deprecated names from earlier versions: they still work, with a warning in the log.
    pub formerly: &'static [&'static str],
    /// Also read without any prefix.
    pub bare: bool,
    /// Whether the value is a secret, which is never printed.
    pub secret: bool,
    /// Whether the service refuses to start without it.
    pub required: bool,
    /// Whether it has an effect.
    pub effect: Effect,
}

const fn setting(
    name: &'static str,
    kind: ValueKind,
    default: &'static str,
    meaning: &'static str,
) -> Setting {
    Setting {
        name,
        kind,
        default,
        otherwise: "",
        meaning,
        words: &[],
        also: &[],
        formerly: &[],
        bare: false,
        secret: false,
        required: false,
        effect: Effect::Works,
    }
}

impl Setting {
    const fn each(self, words: &'static [&'static str]) -> Self {
        Self { words, ..self }
    }

    const fn otherwise(self, otherwise: &'static str) -> Self {
        Self { otherwise, ..self }
    }

    const fn also(self, also: &'static [&'static str]) -> Self {
        Self { also, ..self }
    }

    const fn formerly(self, formerly: &'static [&'static str]) -> Self {
        Self { formerly, ..self }
    }

    const fn bare(self) -> Self {
        Self { bare: true, ..self }
    }

    const fn secret(self) -> Self {
        Self { secret: true, ..self }
    }

    const fn required(self) -> Self {
        Self { required: true, ..self }
    }

    const fn not_yet(self) -> Self {
        Self { effect: Effect::NotYet, ..self }
    }

    const fn ignored(self) -> Self {
        Self { effect: Effect::None, ..self }
    }

    /// Returns all names, with the placeholder of a family expanded.
    pub(super) fn names(&self) -> Vec<String> {
        let Some((before, after)) = self.around_word() else { return vec![self.name.to_owned()] };
        self.words.iter().map(|w| format!("{before}{}{after}", w.to_uppercase())).collect()
    }

    fn around_word(&self) -> Option<(&'static str, &'static str)> {
        let (before, rest) = self.name.split_once('<')?;
        Some((before, rest.split_once('>')?.1))
    }

    fn is_named(&self, name: &str) -> bool {
        let Some((before, after)) = self.around_word() else {
            return self.name == name || self.also.contains(&name) || self.formerly.contains(&name);
        };
        let word = name.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
        word.is_some_and(|word| self.words.iter().any(|known| known.eq_ignore_ascii_case(word)))
    }
}

/// A group of related variables.
#[derive(Debug)]
pub struct Section {
    /// Heading of the group.
    pub title: &'static str,
    /// The variables, in display order.
    pub settings: &'static [Setting],
}

/// All variables, grouped.
pub const SECTIONS: &[Section] = &[
    Section { title: "Service", settings: service::SETTINGS },
    Section { title: "Database and logs", settings: database::SETTINGS },
    Section { title: "Access tokens", settings: tokens::SETTINGS },
    Section { title: "Accounts and passwords", settings: accounts::SETTINGS },
    Section { title: "Sessions", settings: sessions::SETTINGS },
    Section { title: "Email", settings: mail::SETTINGS },
    Section { title: "Text messages", settings: phone::SETTINGS },
    Section { title: "Second factors", settings: mfa::SETTINGS },
    Section { title: "Sign-in providers", settings: providers::SETTINGS },
    Section { title: "Rate limits and captchas", settings: limits::SETTINGS },
    Section { title: "Traces and metrics", settings: telemetry::SETTINGS },
];

/// Iterates over all variables in display order.
pub(super) fn all() -> impl Iterator<Item = &'static Setting> {
    SECTIONS.iter().flat_map(|section| section.settings)
}

/// Finds the declaration for a name without prefix.
pub(super) fn declared(name: &str) -> Option<&'static Setting> {
    all().find(|setting| setting.is_named(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn setting_names_are_unique() {
        let mut names: Vec<String> = all()
            .flat_map(|s| {
                let others = s.also.iter().map(ToString::to_string);
                s.names().into_iter().chain(others)
            })
            .collect();
        names.sort();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn setting_families_accept_only_their_words() {
        let enabled = declared("EXTERNAL_GITHUB_ENABLED").expect("github is a provider");
        assert_eq!(enabled.name, "EXTERNAL_<PROVIDER>_ENABLED");
        assert!(enabled.names().contains(&"EXTERNAL_WORKOS_ENABLED".to_owned()));
        assert!(declared("EXTERNAL_MYSPACE_ENABLED").is_none());
        assert!(declared("EXTERNAL_EMAIL_ENABLED").is_some_and(|s| s.words.is_empty()));
    }

    #[test]
    fn every_setting_has_a_description() {
        for setting in all() {
            assert!(setting.meaning.ends_with('.'), "{}: {}", setting.name, setting.meaning);
            assert!(!setting.required || setting.default.is_empty(), "{}", setting.name);
        }
    }
}
