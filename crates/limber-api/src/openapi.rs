//! Helpers for the OpenAPI descriptions of both services.

use std::{path::Path, sync::Arc};

use utoipa::openapi::{OpenApi, PathItem, path::Operation};

/// A complete OpenAPI description as JSON, as it is served and committed. Clones share the text.
#[derive(Debug, Clone)]
pub struct Description(Arc<str>);

impl Description {
    /// Serialises a complete description.
    #[must_use]
    pub fn of(api: &OpenApi) -> Self {
        let mut text = api.to_pretty_json().unwrap_or_default();
        text.push('\n');
        Self(text.into())
    }

    /// Returns the JSON.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns whether the file at `page` contains this text. If the environment variable
    /// `LIMBER_RENEW_PAGES` is set, writes the file first.
    ///
    /// # Errors
    /// If the file should be written and cannot be.
    pub fn is_committed(&self, page: impl AsRef<Path>) -> std::io::Result<bool> {
        if std::env::var_os("LIMBER_RENEW_PAGES").is_some() {
            std::fs::write(&page, self.as_str())?;
        }
        Ok(std::fs::read_to_string(page).unwrap_or_default() == self.as_str())
    }
}

/// Returns the operations whose summary is not a sentence, or that do not have exactly one tag.
pub fn undescribed(api: &mut OpenApi) -> Vec<String> {
    let mut found = Vec::new();
    for (path, item) in &mut api.paths.paths {
        for (method, operation) in operations(item) {
            let summary = operation.summary.as_deref().unwrap_or_default();
            let grouped = operation.tags.as_ref().is_some_and(|tags| tags.len() == 1);
            if !summary.ends_with('.') || !grouped {
                found.push(format!("{method} {path}"));
            }
        }
    }
    found
}

/// Returns the operations of a path, with their methods.
pub fn operations(item: &mut PathItem) -> impl Iterator<Item = (&'static str, &mut Operation)> {
    let all = [
        ("get", &mut item.get),
        ("put", &mut item.put),
        ("post", &mut item.post),
        ("delete", &mut item.delete),
        ("head", &mut item.head),
    ];
    all.into_iter().filter_map(|(method, operation)| Some((method, operation.as_mut()?)))
}

/// Returns a unique operation id such as `get_admin_users_user_id`. The default would be the
/// handler's name, which is not unique.
#[must_use]
pub fn operation_id(method: &str, path: &str) -> String {
    let words = path.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    std::iter::once(method).chain(words).collect::<Vec<_>>().join("_")
}
