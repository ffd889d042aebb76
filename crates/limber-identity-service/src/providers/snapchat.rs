//! Snapchat: discloses a name and an avatar, but never an email address.
//!
//! Source: Snap's "Login Kit for web".

use super::answers::{Answers, id};
use super::profile::Profile;
use super::recipe::{Call, Endpoints, PLAIN, Recipe, Source, at, call};

const ACCOUNTS: &str = "https://accounts.snapchat.com";
const KIT: &str = "https://kit.snapchat.com";

pub(super) const RECIPE: Recipe = Recipe {
    issuer: KIT,
    endpoints: Endpoints::Fixed {
        authorize: at(ACCOUNTS, "/accounts/oauth2/auth"),
        token: at(ACCOUNTS, "/accounts/oauth2/token"),
    },
    scopes: &[
        "https://auth.snapchat.com/oauth2/api/user.external_id",
        "https://auth.snapchat.com/oauth2/api/user.display_name",
        "https://auth.snapchat.com/oauth2/api/user.bitmoji.avatar",
    ],
    source: Source::Calls(&[Call {
        body: Some(r#"{"query":"{me{externalId displayName bitmoji{avatar id}}}"}"#),
        ..call("user", at(KIT, "/v1/me"))
    }]),
    read,
    never_tells_email: true,
    ..PLAIN
};

fn read(answers: &Answers<'_>) -> Option<Profile> {
    let me = &answers.get("user")["data"]["me"];
    Some(
        Profile::new(answers.issuer, id(&me["externalId"])?)
            .name(&me["displayName"])
            .picture(&me["bitmoji"]["avatar"])
            .email(&me["email"], false),
    )
}
