//! What the descriptions of both services have in common.

use std::{path::Path, sync::Arc};

use utoipa::openapi::{OpenApi, PathItem, path::Operation};

/// A finished description, as it is served and committed. Clones share the text.
#[derive(Debug, Clone)]
pub struct Description(Arc<str>);

impl Description {
    /// The text of a description in which nothing is missing any more.
    #[must_use]
    pub fn of(api: &OpenApi) -> Self {
        let mut text = api.to_pretty_json().unwrap_or_default();
        text.push('\n');
        Self(text.into())
    }

    /// JSON.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the file at `page` holds this text. Writes it first where the environment says that
    /// pages are to be made anew (`LIMBER_RENEW_PAGES`).
    ///
    /// # Errors
    /// When the page is to be written and cannot be.
    pub fn is_committed(&self, page: impl AsRef<Path>) -> std::io::Result<bool> {
        if std::env::var_os("LIMBER_RENEW_PAGES").is_some() {
            std::fs::write(&page, self.as_str())?;
        }
        Ok(std::fs::read_to_string(page).unwrap_or_default() == self.as_str())
    }
}

/// The operations that do not say in a sentence what they do, or belong to no one group.
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

/// Every operation of a path, with its method.
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

/// `get_admin_users_user_id`: handlers are named after their method, and ids must be unique.
#[must_use]
pub fn operation_id(method: &str, path: &str) -> String {
    let words = path.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    std::iter::once(method).chain(words).collect::<Vec<_>>().join("_")
}
