//! Bitbucket Cloud. Source: Atlassian's "Bitbucket Cloud REST API", users.

use super::answers::{Answers, id};
use super::profile::Profile;
use super::recipe::{Endpoints, PLAIN, Recipe, Source, at, call};

const SITE: &str = "https://bitbucket.org";
const API: &str = "https://api.bitbucket.org";

pub(super) const RECIPE: Recipe = Recipe {
    issuer: API,
    endpoints: Endpoints::Fixed {
        authorize: at(SITE, "/site/oauth2/authorize"),
        token: at(SITE, "/site/oauth2/access_token"),
    },
    scopes: &["account", "email"],
    source: Source::Calls(&[
        call("user", at(API, "/2.0/user")),
        call("emails", at(API, "/2.0/user/emails")),
    ]),
    read,
    ..PLAIN
};

fn read(answers: &Answers<'_>) -> Option<Profile> {
    let user = answers.get("user");
    let mut profile = Profile::new(answers.issuer, id(&user["uuid"])?)
        .name(&user["display_name"])
        .handle(&user["username"])
        .picture(&user["links"]["avatar"]["href"]);
    for email in answers.get("emails")["values"].as_array()? {
        let (confirmed, primary) = (email["is_confirmed"] == true, email["is_primary"] == true);
        profile = profile.add_email(&email["email"], confirmed, primary);
    }
    Some(profile)
}
