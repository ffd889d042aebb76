//! The page of the book that lists every setting.

use std::fmt::Write;

use super::{Effect, SECTIONS, Setting, ValueKind};

const INTRODUCTION: &str = "\
# Settings of the identity service

<!-- Written from the declarations in the code; a test says how to renew it. -->

Settings are environment variables, and lines `NAME=value` of a file `.env` in the working folder.
The environment wins over the file. Put `AUTHSVC_` before every name of this page; names marked
*bare* are also read without it. `GOTRUE_` works as a prefix too, for installations that come from
there, and counts less than ours. An empty value is the same as none.

Every start checks all of them and lists all problems at once. Names that nobody knows, names of
earlier versions and settings without effect are noted in the log. `limber-identity doctor` explains
the rest.

*Duration* is a number of seconds or a form such as `1h30m`. *Rate* is `N` (so many in each hour) or
`N/1h` (so many at once and one more each hour). *List* is separated by commas.
";

/// The whole page, in Markdown.
#[must_use]
pub fn reference() -> String {
    let mut page = INTRODUCTION.to_owned();
    for section in SECTIONS {
        let heading = format!("\n## {}\n\n", section.title);
        page.push_str(&heading);
        page.push_str("| name | kind | default | meaning |\n|---|---|---|---|\n");
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
        ValueKind::Address => "address",
        ValueKind::Flag => "flag",
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
        text += &format!(" One for each of {}.", words.join(", "));
    }
    for old in setting.formerly {
        text += &format!(" Formerly `{old}`, which still works.");
    }
    match setting.effect {
        Effect::Works => {}
        Effect::NotYet => text += " **Not in this version.**",
        Effect::None => text += " *Accepted, without effect.*",
    }
    text
}

#[cfg(test)]
mod tests {
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
}
