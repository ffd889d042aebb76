//! Keycloak: the realm whose URL is configured.
//!
//! Source: Keycloak's "Securing applications", OpenID Connect endpoints.

use super::answers::{Answers, id, is_true};
use super::profile::Profile;
use super::recipe::{Endpoints, OPEN_ID, PLAIN, Recipe, Source, at, call};

pub(super) const RECIPE: Recipe = Recipe {
    endpoints: Endpoints::Fixed {
        authorize: at("", "/protocol/openid-connect/auth"),
        token: at("", "/protocol/openid-connect/token"),
    },
    scopes: &["profile", "email"],
    pkce: true,
    source: Source::Calls(&[call("user", at("", "/protocol/openid-connect/userinfo"))]),
    read,
    openid: Some(OPEN_ID),
    ..PLAIN
};

fn read(answers: &Answers<'_>) -> Option<Profile> {
    let user = answers.user_or_claims();
    Some(
        Profile::new(answers.issuer, id(&user["sub"])?)
            .email(&user["email"], is_true(&user["email_verified"]))
            .name(&user["name"])
            .handle(&user["preferred_username"])
            .picture(&user["picture"]),
    )
}
