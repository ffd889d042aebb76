//! LinkedIn. Source: LinkedIn's "Profile API" and "Email address API", version 2.

use serde_json::Value;

use super::answers::{Answers, id};
use super::profile::{Profile, joined};
use super::recipe::{Call, Endpoints, PLAIN, Recipe, Source, at, call};

const API: &str = "https://api.linkedin.com";

pub(super) const RECIPE: Recipe = Recipe {
    issuer: API,
    endpoints: Endpoints::Fixed {
        authorize: at(API, "/oauth/v2/authorization"),
        token: at(API, "/oauth/v2/accessToken"),
    },
    scopes: &["r_emailaddress", "r_liteprofile"],
    source: Source::Calls(&[
        Call {
            query: &[(
                "projection",
                "(id,firstName,lastName,profilePicture(displayImage~:playableStreams))",
            )],
            ..call("user", at(API, "/v2/me"))
        },
        Call {
            query: &[("q", "members"), ("projection", "(elements*(handle~))")],
            ..call("emails", at(API, "/v2/emailAddress"))
        },
    ]),
    read,
    ..PLAIN
};

fn read(answers: &Answers<'_>) -> Option<Profile> {
    let user = answers.get("user");
    let email = &answers.get("emails")["elements"][0]["handle~"]["emailAddress"];
    let pictures = &user["profilePicture"]["displayImage~"]["elements"];
    Some(
        Profile::new(answers.issuer, id(&user["id"])?)
            .email(email, true)
            .name(&joined(localised(&user["firstName"]), localised(&user["lastName"])))
            .picture(&pictures[0]["identifiers"][0]["identifier"]),
    )
}

/// Returns a name in the user's preferred language, or else in any.
fn localised(name: &Value) -> &Value {
    let preferred = &name["preferredLocale"];
    let key = format!(
        "{}_{}",
        preferred["language"].as_str().unwrap_or_default(),
        preferred["country"].as_str().unwrap_or_default()
    );
    let all = name["localized"].as_object();
    let found = all.and_then(|all| all.get(&key).or_else(|| all.values().next()));
    found.unwrap_or(&Value::Null)
}
