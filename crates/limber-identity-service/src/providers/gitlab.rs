//! GitLab: gitlab.com, or the configured host.
//!
//! Source: GitLab's REST API, "Users" and "User email addresses".

use super::answers::{Answers, id};
use super::profile::Profile;
use super::recipe::{Endpoints, PLAIN, Recipe, Source, at, call};

const HOST: &str = "https://gitlab.com";

pub(super) const RECIPE: Recipe = Recipe {
    issuer: HOST,
    endpoints: Endpoints::Fixed {
        authorize: at(HOST, "/oauth/authorize"),
        token: at(HOST, "/oauth/token"),
    },
    scopes: &["read_user"],
    pkce: true,
    source: Source::Calls(&[
        call("user", at(HOST, "/api/v4/user")),
        call("emails", at(HOST, "/api/v4/user/emails")),
    ]),
    read,
    ..PLAIN
};

/// Reads the profile. `confirmed_at` refers to the primary address; the others count as unverified.
fn read(answers: &Answers<'_>) -> Option<Profile> {
    let user = answers.get("user");
    let confirmed = user["confirmed_at"].as_str().is_some_and(|at| !at.is_empty());
    let mut profile = Profile::new(answers.issuer, id(&user["id"])?)
        .email(&user["email"], confirmed)
        .name(&user["name"])
        .handle(&user["username"])
        .picture(&user["avatar_url"]);
    for email in answers.get("emails").as_array().into_iter().flatten() {
        if email["email"] != user["email"] {
            profile = profile.add_email(&email["email"], false, false);
        }
    }
    Some(profile)
}
