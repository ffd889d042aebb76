//! Twitter through OAuth 1.0a. Source: X developer platform, "GET account/verify_credentials".

use super::answers::{Answers, id};
use super::profile::Profile;
use super::recipe::{Call, Endpoints, PLAIN, Recipe, Source, at, call};

const API: &str = "https://api.twitter.com";

pub(super) const RECIPE: Recipe = Recipe {
    issuer: API,
    endpoints: Endpoints::OAuth1 {
        request_token: at(API, "/oauth/request_token"),
        authorize: at(API, "/oauth/authenticate"),
        access_token: at(API, "/oauth/access_token"),
    },
    source: Source::Calls(&[Call {
        query: &[("include_email", "true")],
        ..call("user", at(API, "/1.1/account/verify_credentials.json"))
    }]),
    read,
    ..PLAIN
};

/// Reads the profile. Twitter discloses an email address only once it is verified.
fn read(answers: &Answers<'_>) -> Option<Profile> {
    let user = answers.get("user");
    Some(
        Profile::new(answers.issuer, id(&user["id_str"]).or_else(|| id(&user["id"]))?)
            .email(&user["email"], true)
            .name(&user["name"])
            .handle(&user["screen_name"])
            .picture(&user["profile_image_url_https"]),
    )
}
