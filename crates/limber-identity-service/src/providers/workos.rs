//! WorkOS: delegates to an organisation's directory, which the request must name.
//!
//! Source: WorkOS' API reference, "Single Sign-On".

use super::ProviderError;
use super::answers::{Answers, TOKEN, id};
use super::profile::{Profile, joined};
use super::recipe::{Endpoints, PLAIN, Recipe, Source, at};

const API: &str = "https://api.workos.com";

pub(super) const RECIPE: Recipe = Recipe {
    issuer: API,
    endpoints: Endpoints::Fixed {
        authorize: at(API, "/sso/authorize"),
        token: at(API, "/sso/token"),
    },
    source: Source::TokenAnswer,
    read,
    ..PLAIN
};

/// Returns the directory that the request selects. `connection` and `organization` are passed on
/// unchanged; WorkOS' `provider` clashes with our own parameter and comes as `workos_provider`.
pub(super) fn selector(
    parameters: &[(String, String)],
) -> Result<Option<(&'static str, &str)>, ProviderError> {
    let named = |name: &str| parameters.iter().find(|(n, v)| n == name && !v.is_empty());
    if let Some((_, provider)) = named("workos_provider") {
        return Ok(Some(("provider", provider)));
    }
    if named("connection").is_some() || named("organization").is_some() {
        return Ok(None);
    }
    Err(ProviderError::Unusable("workos needs connection, organization or workos_provider"))
}

/// Reads the profile. The address is whatever the directory's administrator entered, and the client
/// chooses the directory: it counts as verified only if the operator listed that directory. If the
/// operator listed any, users of others are rejected.
fn read(answers: &Answers<'_>) -> Option<Profile> {
    let user = &answers.get(TOKEN)["profile"];
    let home = [&user["connection_id"], &user["organization_id"]];
    let is_named =
        answers.directories.iter().any(|named| home.iter().any(|id| id.as_str() == Some(named)));
    if !answers.directories.is_empty() && !is_named {
        return None;
    }
    Some(
        Profile::new(answers.issuer, id(&user["id"])?)
            .email(&user["email"], is_named)
            .name(&joined(&user["first_name"], &user["last_name"]))
            .custom("connection_id", &user["connection_id"])
            .custom("organization_id", &user["organization_id"]),
    )
}
