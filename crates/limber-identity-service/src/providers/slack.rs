//! Slack. Source: Slack's API documentation, `oauth.access` and `openid.connect.userInfo`.

use super::answers::{Answers, id, is_true};
use super::profile::Profile;
use super::recipe::{Endpoints, PLAIN, Recipe, Source, at, call};

const HOST: &str = "https://slack.com";

pub(super) const RECIPE: Recipe = Recipe {
    issuer: HOST,
    endpoints: Endpoints::Fixed {
        authorize: at(HOST, "/oauth/authorize"),
        token: at(HOST, "/api/oauth.access"),
    },
    scopes: &["profile", "email", "openid"],
    source: Source::Calls(&[call("user", at(HOST, "/api/openid.connect.userInfo"))]),
    read,
    ..PLAIN
};

/// Reads the profile. Slack answers with status 200 even to a refused call, but then without a
/// subject.
fn read(answers: &Answers<'_>) -> Option<Profile> {
    let user = answers.get("user");
    Some(
        Profile::new(answers.issuer, id(&user["sub"])?)
            .email(&user["email"], is_true(&user["email_verified"]))
            .name(&user["name"])
            .picture(&user["picture"])
            .custom("https://slack.com/team_id", &user["https://slack.com/team_id"]),
    )
}
