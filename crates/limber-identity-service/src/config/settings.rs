//! Every variable the service reads, declared once: name, kind of value, default, meaning.
//!
//! A variable is added by one line in the file of its subject; reading one that is not declared
//! here is a mistake that the tests find, and so is declaring one that nobody reads. The page
//! `docs/src/operate/identity-settings.md` is written from these lines.

/// The rows of one file: name, kind, default, meaning, and what else is to be said.
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

/// Put before every name.
pub(crate) const PREFIX: &str = "AUTHSVC_";
/// The prefix of the service most installations come from; counts less than ours.
pub(super) const ALIAS_PREFIX: &str = "GOTRUE_";

/// What a value looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueKind {
    /// Any text.
    Text,
    /// `https://…`.
    Address,
    /// `true` or `false`.
    Flag,
    /// A number that is not negative.
    Number,
    /// Seconds, or a form such as `1h30m`.
    Duration,
    /// Texts separated by commas.
    List,
    /// `N` per hour, or `N/1h`: N at once and one more each hour.
    Rate,
    /// JSON.
    Json,
}

/// Whether a variable does anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It does what its meaning says.
    Works,
    /// Not in this version. Switching it on stops the start: a protection that was asked for
    /// must not be passed over.
    NotYet,
    /// Accepted for the sake of existing installations, and never more than that.
    None,
}

/// One variable, or one family of variables whose name holds a word such as `<PROVIDER>`.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// Without prefix.
    pub name: &'static str,
    /// What its value looks like.
    pub kind: ValueKind,
    /// Taken when the variable is not set. Empty: there is none.
    pub default: &'static str,
    /// What happens without the variable, where a value cannot say it. Empty: `default` says it.
    pub otherwise: &'static str,
    /// For operators, in Markdown.
    pub meaning: &'static str,
    /// What may stand in place of `<…>`, in any case.
    pub words: &'static [&'static str],
    /// Further names that are as good.
    pub also: &'static [&'static str],
    /// Names of earlier versions: they work, and the log says so.
    pub formerly: &'static [&'static str],
    /// Also read without any prefix.
    pub bare: bool,
    /// Never printed.
    pub secret: bool,
    /// The service does not start without it.
    pub required: bool,
    /// Whether it does anything.
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

    /// Every name, with the words of a family filled in.
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

/// Variables that belong together.
#[derive(Debug)]
pub struct Section {
    /// A heading.
    pub title: &'static str,
    /// The variables, in the order in which they are shown.
    pub settings: &'static [Setting],
}

/// Every variable.
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

/// Every variable, in order.
pub(super) fn all() -> impl Iterator<Item = &'static Setting> {
    SECTIONS.iter().flat_map(|section| section.settings)
}

/// The declaration behind a name without prefix.
pub(super) fn declared(name: &str) -> Option<&'static Setting> {
    all().find(|setting| setting.is_named(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_declared_twice() {
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
    fn families_know_their_words_and_no_others() {
        let enabled = declared("EXTERNAL_GITHUB_ENABLED").expect("github is a provider");
        assert_eq!(enabled.name, "EXTERNAL_<PROVIDER>_ENABLED");
        assert!(enabled.names().contains(&"EXTERNAL_WORKOS_ENABLED".to_owned()));
        assert!(declared("EXTERNAL_MYSPACE_ENABLED").is_none());
        assert!(declared("EXTERNAL_EMAIL_ENABLED").is_some_and(|s| s.words.is_empty()));
    }

    #[test]
    fn every_variable_says_what_it_means() {
        for setting in all() {
            assert!(setting.meaning.ends_with('.'), "{}: {}", setting.name, setting.meaning);
            assert!(!setting.required || setting.default.is_empty(), "{}", setting.name);
        }
    }
}
