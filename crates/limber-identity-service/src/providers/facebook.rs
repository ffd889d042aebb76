//! Facebook: the Graph API, and an OpenID provider for native apps (Limited Login).
//!
//! Source: Meta for Developers, "Graph API: User", "Securing Graph API calls", "Limited Login".

use super::answers::{Answers, id};
use super::profile::{Profile, joined};
use super::recipe::{Call, Endpoints, Extra, OPEN_ID, OpenId, PLAIN, Recipe, Source, at, call};

const SITE: &str = "https://www.facebook.com";
const GRAPH: &str = "https://graph.facebook.com";

pub(super) const RECIPE: Recipe = Recipe {
    issuer: SITE,
    endpoints: Endpoints::Fixed {
        authorize: at(SITE, "/dialog/oauth"),
        token: at(GRAPH, "/oauth/access_token"),
    },
    scopes: &["email"],
    source: Source::Calls(&[Call {
        query: &[("fields", "email,first_name,last_name,name,picture")],
        extra: Extra::SecretProof,
        ..call("user", at(GRAPH, "/me"))
    }]),
    read,
    openid: Some(OpenId {
        configuration: "/.well-known/openid-configuration/",
        also_issued_as: &["https://facebook.com"],
        ..OPEN_ID
    }),
    ..PLAIN
};

/// Reads the profile. Facebook confirms email addresses before they can be used.
fn read(answers: &Answers<'_>) -> Option<Profile> {
    let user = answers.user_or_claims();
    let subject = id(&user["id"]).or_else(|| id(&user["sub"]))?;
    let picture = &user["picture"];
    let joined = joined(&user["first_name"], &user["last_name"]);
    let name = if user["name"].is_string() { &user["name"] } else { &joined };
    Some(
        Profile::new(answers.issuer, subject)
            .email(&user["email"], true)
            .name(name)
            .picture(if picture.is_object() { &picture["data"]["url"] } else { picture }),
    )
}
