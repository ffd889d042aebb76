//! Checks the documentation page on compatibility: every promise names an existing test, and
//! nothing that the service offers or the specification requires is missing.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use limber_api::identity::{ErrorCode, ProviderName};
use limber_identity_service::config::MailKind;
use limber_identity_service::config::settings::SECTIONS;
use serde_json::Value;

use crate::proofs::{Row, Tests, quoted, rows};

const PAGE: &str = "../../docs/src/operate/identity-compatibility.md";
const SPECIFICATION: &str = "../../../shared/spec/identity.md";

fn crate_file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn page() -> String {
    std::fs::read_to_string(crate_file(PAGE)).expect("the page exists")
}

#[test]
fn every_row_names_existing_tests() {
    let rows = rows(&page());
    assert!(rows.len() > 200, "{} rows", rows.len());
    let unproven = rows.iter().filter(|row| row.proofs.is_empty());
    let mut wrong: Vec<String> = unproven
        .map(|row| format!("{}: {}: no test, only {:?}", row.section, row.what, row.instead))
        .collect();
    wrong.extend(Tests::of(&crate_file(""), "cargo xtask bench identity").problems(&rows));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Collects everything in backticks in the rows, except in the last column.
fn told(rows: &[Row]) -> BTreeSet<String> {
    rows.iter().flat_map(|row| quoted(&row.what)).collect()
}

#[track_caller]
fn all_told(kind: &str, names: impl IntoIterator<Item = String>) {
    let told = told(&rows(&page()));
    let missing: Vec<String> = names.into_iter().filter(|name| !told.contains(name)).collect();
    assert!(missing.is_empty(), "{kind} without a row: {missing:#?}");
}

#[test]
fn every_call_setting_mail_provider_and_code_has_a_row() {
    let api: Value = serde_json::from_str(include_str!("../../openapi.json")).expect("JSON");
    let calls = api["paths"].as_object().expect("an object").iter().flat_map(|(path, methods)| {
        let methods = methods.as_object().expect("an object").keys();
        methods.map(move |method| format!("{} {path}", method.to_uppercase()))
    });
    all_told("calls", calls);
    let settings = SECTIONS.iter().flat_map(|section| section.settings);
    let names = settings.flat_map(|s| {
        std::iter::once(&s.name).chain(s.also).chain(s.formerly).map(ToString::to_string)
    });
    all_told("settings", names);
    all_told("mails", MailKind::ALL.into_iter().map(|kind| kind.as_str().to_owned()));
    all_told("providers", ProviderName::ALL.iter().map(|name| name.as_str().to_owned()));
    all_told("codes", ErrorCode::ALL.iter().map(|code| code.as_str().to_owned()));
}

/// Collects the variables in the specification's tables, as this service declares them.
fn variables(specification: &str) -> BTreeSet<String> {
    let configuration = specification.split("### Configuration").nth(1).unwrap_or_default();
    let configuration = configuration.split("\n## ").next().unwrap_or_default();
    let mut names = BTreeSet::new();
    let mut is_kind = false;
    for line in configuration.lines() {
        is_kind = if line.starts_with("| Kind") { true } else { is_kind && line.starts_with('|') };
        let first = line.strip_prefix('|').and_then(|rest| rest.split('|').next());
        let Some(first) = first.filter(|_| !is_kind) else { continue };
        for word in first.split([' ', ',', '/', '`']) {
            let is_name = word.len() > 3
                && word.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_')
                && !word.starts_with('_');
            if is_name {
                let name = word.replace("EXTERNAL_X_", "EXTERNAL_<PROVIDER>_");
                names.insert(name.replace("MAILER_URLPATHS_INVITE", "MAILER_URLPATHS_<KIND>"));
            }
        }
    }
    names
}

#[test]
fn every_call_and_variable_of_the_specification_has_a_row() {
    let Ok(specification) = std::fs::read_to_string(crate_file(SPECIFICATION)) else {
        eprintln!("skipped: the specification is not available");
        return;
    };
    let headings = specification.lines().filter_map(|line| line.strip_prefix("### "));
    let calls: Vec<String> = headings
        .flat_map(|heading| heading.split(" and "))
        .filter(|heading| heading.contains(" /"))
        .map(str::to_owned)
        .collect();
    assert!(calls.len() >= 18, "{calls:?}");
    all_told("calls of the specification", calls);
    let variables = variables(&specification);
    assert!(variables.len() > 60, "{variables:?}");
    all_told("variables of the specification", variables);
}

/// Error codes that clients know but this version never returns.
const UNUSED: [ErrorCode; 8] = [
    ErrorCode::OauthProviderNotSupported,
    ErrorCode::EmailAddressInvalid,
    ErrorCode::EmailAddressNotAuthorized,
    ErrorCode::FlowStateAlreadyUsed,
    ErrorCode::InviteNotFound,
    ErrorCode::UnexpectedAudience,
    ErrorCode::MfaVerificationRejected,
    ErrorCode::FeatureDisabled,
];

fn sources(folder: &Path, text: &mut String) {
    for entry in std::fs::read_dir(folder).expect("the sources can be read").flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&std::fs::read_to_string(&path).expect("a source is text"));
        }
    }
}

#[test]
fn codes_documented_as_unused_are_unused_and_all_others_are_used() {
    let mut text = String::new();
    sources(&crate_file("src"), &mut text);
    let table = std::fs::read_to_string(crate_file("src/refusal.rs")).expect("the item exists");
    for code in ErrorCode::ALL {
        let named = text.contains(&format!("ErrorCode::{code:?}"));
        let in_table = table
            .lines()
            .any(|line| line.split_whitespace().skip(2).take(2).any(|w| w == format!("{code:?}")));
        assert_eq!(named || in_table, !UNUSED.contains(code), "{code}");
    }
}
