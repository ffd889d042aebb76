//! Figma. Source: Figma's REST API documentation, "Authentication" and "Users".

use super::answers::{Answers, id};
use super::profile::Profile;
use super::recipe::{Endpoints, Exchange, PLAIN, Recipe, Source, at, call};

const API: &str = "https://api.figma.com";

pub(super) const RECIPE: Recipe = Recipe {
    issuer: API,
    endpoints: Endpoints::Fixed {
        authorize: at("https://www.figma.com", "/oauth"),
        token: at(API, "/v1/oauth/token"),
    },
    scopes: &["current_user:read"],
    pkce: true,
    exchange: Exchange::FormWithBasic,
    source: Source::Calls(&[call("user", at(API, "/v1/me"))]),
    read,
    ..PLAIN
};

fn read(answers: &Answers<'_>) -> Option<Profile> {
    let user = answers.get("user");
    Some(
        Profile::new(answers.issuer, id(&user["id"])?)
            .email(&user["email"], true)
            .name(&user["handle"])
            .picture(&user["img_url"]),
    )
}
