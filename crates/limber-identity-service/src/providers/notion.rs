//! Notion: signs in the owner of the integration's access.
//!
//! Source: Notion's API reference, "Authorization" and "Retrieve your token's bot user".

use super::answers::{Answers, id};
use super::profile::Profile;
use super::recipe::{Call, Endpoints, Exchange, PLAIN, Recipe, Source, at, call};

const API: &str = "https://api.notion.com";

pub(super) const RECIPE: Recipe = Recipe {
    issuer: API,
    endpoints: Endpoints::Fixed {
        authorize: at(API, "/v1/oauth/authorize"),
        token: at(API, "/v1/oauth/token"),
    },
    parameters: &[("owner", "user")],
    exchange: Exchange::JsonWithBasic,
    source: Source::Calls(&[Call {
        headers: &[("Notion-Version", "2021-08-16")],
        ..call("user", at(API, "/v1/users/me"))
    }]),
    read,
    ..PLAIN
};

fn read(answers: &Answers<'_>) -> Option<Profile> {
    let user = &answers.get("user")["bot"]["owner"]["user"];
    Some(
        Profile::new(answers.issuer, id(&user["id"])?)
            .email(&user["person"]["email"], true)
            .name(&user["name"])
            .picture(&user["avatar_url"]),
    )
}
