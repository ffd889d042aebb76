//! Spotify. Source: Spotify's Web API, "Get current user's profile".

use super::answers::{Answers, id};
use super::profile::Profile;
use super::recipe::{Endpoints, PLAIN, Recipe, Source, at, call};

const ACCOUNTS: &str = "https://accounts.spotify.com";
const API: &str = "https://api.spotify.com";

pub(super) const RECIPE: Recipe = Recipe {
    issuer: API,
    endpoints: Endpoints::Fixed {
        authorize: at(ACCOUNTS, "/authorize"),
        token: at(ACCOUNTS, "/api/token"),
    },
    scopes: &["user-read-email"],
    pkce: true,
    source: Source::Calls(&[call("user", at(API, "/v1/me"))]),
    read,
    ..PLAIN
};

/// Reads the profile. According to Spotify, the email address is unverified.
fn read(answers: &Answers<'_>) -> Option<Profile> {
    let user = answers.get("user");
    Some(
        Profile::new(answers.issuer, id(&user["id"])?)
            .email(&user["email"], false)
            .name(&user["display_name"])
            .picture(&user["images"][0]["url"]),
    )
}
