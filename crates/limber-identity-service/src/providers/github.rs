//! GitHub, and GitHub Enterprise if the operator configures its host.
//!
//! Source: GitHub's REST API, "Users" and "Emails".

use super::answers::{Answers, id};
use super::profile::Profile;
use super::recipe::{Address, Endpoints, PLAIN, Recipe, Source, at, call};

const SITE: &str = "https://github.com";
const API: &str = "https://api.github.com";

/// Returns an API address. The API has its own host for github.com and a path prefix elsewhere.
const fn api(path: &'static str) -> Address {
    Address { elsewhere: "/api/v3", ..at(API, path) }
}

pub(super) const RECIPE: Recipe = Recipe {
    issuer: API,
    endpoints: Endpoints::Fixed {
        authorize: at(SITE, "/login/oauth/authorize"),
        token: at(SITE, "/login/oauth/access_token"),
    },
    scopes: &["user:email"],
    pkce: true,
    source: Source::Calls(&[call("user", api("/user")), call("emails", api("/user/emails"))]),
    read,
    ..PLAIN
};

/// Reads the profile. The address in the profile is merely the public one; only the email list
/// tells which ones are verified.
fn read(answers: &Answers<'_>) -> Option<Profile> {
    let user = answers.get("user");
    let mut profile = Profile::new(answers.issuer, id(&user["id"])?)
        .name(&user["name"])
        .handle(&user["login"])
        .picture(&user["avatar_url"]);
    for email in answers.get("emails").as_array()? {
        let (verified, primary) = (email["verified"] == true, email["primary"] == true);
        profile = profile.add_email(&email["email"], verified, primary);
    }
    Some(profile)
}
