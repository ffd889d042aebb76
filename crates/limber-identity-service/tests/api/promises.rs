//! Guarantees that a patch release never breaks; see the documentation page on compatibility.
//!
//! Each list in `promises/` records what has been published. `LIMBER_RENEW_PAGES=1 cargo test -p
//! limber-identity-service promises` adds new lines. A missing line would break clients, and no
//! command removes one.

mod shapes;
mod upgrades;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;

use limber_identity_service::config::settings::SECTIONS;
use serde_json::Value;
use sqlx::PgPool;

use crate::service::TestService;
use crate::settings::values::written_out;

/// Compares the lines with what was published under this name.
#[track_caller]
fn keeps(name: &str, lines: &BTreeSet<String>) {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/api/promises");
    let file = root.join(format!("{name}.txt"));
    let text = std::fs::read_to_string(&file).unwrap_or_default();
    let published: BTreeSet<String> = text.lines().map(str::to_owned).collect();
    let broken: Vec<&String> = published.difference(lines).collect();
    assert!(broken.is_empty(), "missing, although promised: {broken:#?}");
    if std::env::var_os("LIMBER_RENEW_PAGES").is_some() {
        let mut whole = String::new();
        for line in lines {
            writeln!(whole, "{line}").expect("writing to a string cannot fail");
        }
        std::fs::write(&file, whole).expect("the list can be written");
        return;
    }
    let new: Vec<&String> = lines.difference(&published).collect();
    assert!(new.is_empty(), "new, but not listed in {name}.txt: {new:#?}");
}

#[test]
fn settings_keep_their_names_kinds_and_defaults() {
    let settings = SECTIONS.iter().flat_map(|section| section.settings);
    let lines = settings.flat_map(|setting| {
        let old = setting.formerly.iter().map(ToString::to_string);
        let names = written_out(setting).into_iter().chain(old);
        let required = if setting.required { " required" } else { "" };
        let bare = if setting.bare { " bare" } else { "" };
        names.map(move |name| {
            format!("{name} {:?} {:?}{required}{bare}", setting.kind, setting.default)
        })
    });
    keeps("settings", &lines.collect());
}

/// Returns `Schema.field` with its type; optional fields are marked by a `?`.
fn fields(api: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    let schemas = api["components"]["schemas"].as_object().expect("an object");
    for (name, schema) in schemas {
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        for (field, shape) in schema["properties"].as_object().into_iter().flatten() {
            let kind = match (&shape["type"], &shape["$ref"]) {
                (Value::Null, Value::String(other)) => other.rsplit('/').next().map(str::to_owned),
                (Value::Null, _) => shape["oneOf"].as_array().map(|_| "one of several".to_owned()),
                (kind, _) => Some(kind.to_string().replace('"', "")),
            };
            let mark = if required.iter().any(|r| r == field) { "" } else { "?" };
            lines.push(format!("{name}.{field}{mark}: {}", kind.unwrap_or_default()));
        }
    }
    lines
}

#[test]
fn calls_parameters_and_fields_stay() {
    let api: Value = serde_json::from_str(include_str!("../../openapi.json")).expect("JSON");
    let mut lines: BTreeSet<String> = fields(&api).into_iter().collect();
    for (path, methods) in api["paths"].as_object().expect("an object") {
        for (method, call) in methods.as_object().expect("an object") {
            let call_name = format!("{} {path}", method.to_uppercase());
            for parameter in call["parameters"].as_array().into_iter().flatten() {
                let name = parameter["name"].as_str().expect("a name");
                lines.insert(format!("{call_name} takes {name}"));
            }
            for status in call["responses"].as_object().into_iter().flatten() {
                lines.insert(format!("{call_name} answers {}", status.0));
            }
        }
    }
    keeps("calls", &lines);
}

const COLUMNS: &str = "SELECT format('%s.%s %s%s', table_name, column_name, data_type, \
    CASE is_nullable WHEN 'NO' THEN ' not null' ELSE '' END) \
    FROM information_schema.columns WHERE table_schema = 'public' \
    AND table_name NOT LIKE '\\_sqlx%'";
const INDEXES: &str = "SELECT replace(indexdef, 'public.', '') FROM pg_indexes \
    WHERE schemaname = 'public' AND tablename NOT LIKE '\\_sqlx%'";
const CONSTRAINTS: &str = "SELECT format('%s: %s', conrelid::regclass, \
    pg_get_constraintdef(oid)) FROM pg_constraint WHERE connamespace = 'public'::regnamespace \
    AND contype IN ('p', 'u', 'f') AND conrelid::regclass::text NOT LIKE '\\_sqlx%'";

#[tokio::test]
async fn tables_keep_columns_types_keys_and_indexes() {
    let service = TestService::start().await;
    let pool =
        PgPool::connect(service.database.url()).await.expect("the test database is reachable");
    let mut lines = BTreeSet::new();
    for sql in [COLUMNS, INDEXES, CONSTRAINTS] {
        let found: Vec<String> = sqlx::query_scalar(sql)
            .fetch_all(&pool)
            .await
            .expect("the system catalog can be queried");
        lines.extend(found);
    }
    assert!(lines.len() > 100, "{lines:?}");
    keeps("schema", &lines);
}
