//! Google: an OpenID provider, with an older API for the profile as a fallback.
//!
//! Source: Google Identity, "OpenID Connect"; Google API discovery, oauth2 v2.

use super::answers::{Answers, id, is_true};
use super::profile::Profile;
use super::recipe::{OPEN_ID, OpenId, PLAIN, Recipe, Source, at, call};

pub(super) const RECIPE: Recipe = Recipe {
    issuer: "https://accounts.google.com",
    scopes: &["email", "profile"],
    pkce: true,
    source: Source::IdTokenOr(&[call("user", at("https://www.googleapis.com", "/userinfo/v2/me"))]),
    read,
    openid: Some(OpenId { also_issued_as: &["accounts.google.com"], ..OPEN_ID }),
    ..PLAIN
};

fn read(answers: &Answers<'_>) -> Option<Profile> {
    let user = answers.user_or_claims();
    let subject = id(&user["sub"]).or_else(|| id(&user["id"]))?;
    let verified = is_true(&user["email_verified"]) || is_true(&user["verified_email"]);
    Some(
        Profile::new(answers.issuer, subject)
            .email(&user["email"], verified)
            .name(&user["name"])
            .picture(&user["picture"])
            .custom("hd", &user["hd"]),
    )
}
