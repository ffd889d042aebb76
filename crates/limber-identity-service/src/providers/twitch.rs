//! Twitch. Source: Twitch's API reference, "Get Users".

use super::answers::{Answers, id};
use super::profile::Profile;
use super::recipe::{Call, Endpoints, Extra, PLAIN, Recipe, Source, at, call};

const ID: &str = "https://id.twitch.tv";
const API: &str = "https://api.twitch.tv";

pub(super) const RECIPE: Recipe = Recipe {
    issuer: API,
    endpoints: Endpoints::Fixed {
        authorize: at(ID, "/oauth2/authorize"),
        token: at(ID, "/oauth2/token"),
    },
    scopes: &["user:read:email"],
    source: Source::Calls(&[Call {
        extra: Extra::ClientIdHeader,
        ..call("user", at(API, "/helix/users"))
    }]),
    read,
    ..PLAIN
};

/// Reads the profile. Twitch discloses an email address only once it is verified.
fn read(answers: &Answers<'_>) -> Option<Profile> {
    let user = &answers.get("user")["data"][0];
    Some(
        Profile::new(answers.issuer, id(&user["id"])?)
            .email(&user["email"], true)
            .name(&user["login"])
            .handle(&user["login"])
            .set("nickname", &user["display_name"])
            .picture(&user["profile_image_url"])
            .custom("broadcaster_type", &user["broadcaster_type"]),
    )
}
