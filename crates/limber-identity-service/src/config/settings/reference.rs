//! Generates the documentation page that lists every setting.

use std::fmt::Write;

use super::{Effect, SECTIONS, Setting, ValueKind};

const INTRODUCTION: &str = "\
# Identity service settings

<!-- Generated from the declarations in the code; a test says how to renew it. -->

Settings are environment variables, or `NAME=value` lines in a `.env` file in the working directory.
The environment takes precedence over the file. Prefix every name on this page with `AUTHSVC_`;
names marked *bare* are also read without it. For existing installations, the prefix `GOTRUE_` also
works, with the lowest precedence. An empty value counts as not set.

At every start, the service checks all settings and lists all problems at once. The log warns about
unknown names, old names and settings that have no effect. To check a whole deployment, run
`limber-identity doctor`.

A *duration* is a number of seconds or a form such as `1h30m`. A *rate* is `N` (N per clock hour) or
`N/1h` (a burst of N, refilled by one each hour; other durations work too). The items of a *list* are
separated by commas.
";

/// Returns the whole page in Markdown.
#[must_use]
pub fn reference() -> String {
    let mut page = INTRODUCTION.to_owned();
    for section in SECTIONS {
        let heading = format!("\n## {}\n\n", section.title);
        page.push_str(&heading);
        page.push_str("| name | type | default | description |\n|---|---|---|---|\n");
        for setting in section.settings {
            writeln!(page, "{}", row(setting)).expect("writing to a string cannot fail");
        }
    }
    page
}

fn row(setting: &Setting) -> String {
    let mut name = format!("`{}`", setting.name);
    for other in setting.also {
        name += &format!(" or `{other}`");
    }
    if setting.bare {
        name += " (bare)";
    }
    let default = match (setting.required, setting.otherwise, setting.default) {
        (true, ..) => "**required**".to_owned(),
        (_, "", "") => String::new(),
        (_, "", value) => format!("`{value}`"),
        (_, said, _) => said.to_owned(),
    };
    format!("| {name} | {} | {default} | {} |", kind(setting), meaning(setting))
}

fn kind(setting: &Setting) -> String {
    let word = match setting.kind {
        ValueKind::Text => "text",
        ValueKind::Address => "URL",
        ValueKind::Flag => "boolean",
        ValueKind::Number => "number",
        ValueKind::Duration => "duration",
        ValueKind::List => "list",
        ValueKind::Rate => "rate",
        ValueKind::Json => "JSON",
    };
    if setting.secret { format!("{word}, secret") } else { word.to_owned() }
}

fn meaning(setting: &Setting) -> String {
    let mut text = setting.meaning.replace('|', "\\|");
    if !setting.words.is_empty() {
        let words: Vec<String> =
            setting.words.iter().map(|word| format!("`{}`", word.to_uppercase())).collect();
        text += &format!(" One setting each for {}.", words.join(", "));
    }
    for old in setting.formerly {
        text += &format!(" The old name `{old}` still works.");
    }
    match setting.effect {
        Effect::Works => {}
        Effect::NotYet => text += " **Not supported in this version.**",
        Effect::None => text += " *Accepted, but has no effect.*",
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::{ALIAS_PREFIX, PREFIX, declared};
    use super::*;

    const PAGE: &str =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/src/operate/identity-settings.md");

    #[test]
    fn the_page_of_the_book_says_what_the_code_declares() {
        if std::env::var_os("LIMBER_RENEW_PAGES").is_some() {
            std::fs::write(PAGE, reference()).expect("the page can be written");
        }
        let page = std::fs::read_to_string(PAGE).unwrap_or_default();
        assert!(
            page == reference(),
            "the page is out of date; renew it with \
             `LIMBER_RENEW_PAGES=1 cargo test -p limber-identity-service page_of_the_book`"
        );
    }

    #[test]
    fn pages_for_operators_name_only_existing_settings() {
        let mut named = 0;
        for page in ["server.md", "operate/existing-clients.md"] {
            let path = format!("{}/../../docs/src/{page}", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(path).expect("the page exists");
            let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let names = words.filter_map(|word| {
                word.strip_prefix(PREFIX).or_else(|| word.strip_prefix(ALIAS_PREFIX))
            });
            // A prefix alone stands for all settings.
            for name in names.filter(|name| !name.is_empty()) {
                named += 1;
                assert!(declared(name).is_some(), "{page}: {name} is not a setting");
            }
        }
        assert!(named > 10, "{named} settings are named");
    }
}
