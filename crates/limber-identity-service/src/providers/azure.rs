//! Microsoft: an OpenID provider with one issuer per tenant.
//!
//! Source: Microsoft identity platform, "ID token claims reference".

use super::answers::{Answers, CLAIMS, id, is_true};
use super::profile::Profile;
use super::recipe::{Endpoints, OPEN_ID, OpenId, PLAIN, Recipe, at};

const HOST: &str = "https://login.microsoftonline.com/common";

pub(super) const RECIPE: Recipe = Recipe {
    issuer: HOST,
    endpoints: Endpoints::Fixed {
        authorize: at(HOST, "/oauth2/v2.0/authorize"),
        token: at(HOST, "/oauth2/v2.0/token"),
    },
    scopes: &["openid"],
    pkce: true,
    read,
    openid: Some(OpenId {
        configuration: "/v2.0/.well-known/openid-configuration",
        issuer_names_tenant: true,
        ..OPEN_ID
    }),
    ..PLAIN
};

/// `xms_edov` says whether the owner of the address's domain was verified; tenants that do not
/// send it keep the addresses themselves.
fn read(answers: &Answers<'_>) -> Option<Profile> {
    let claims = answers.get(CLAIMS);
    let owned = &claims["xms_edov"];
    let verified = owned.is_null() || is_true(owned);
    Some(
        Profile::new(claims["iss"].as_str().unwrap_or(answers.issuer), id(&claims["sub"])?)
            .email(&claims["email"], verified)
            .name(&claims["name"])
            .set("preferred_username", &claims["preferred_username"])
            .custom("tid", &claims["tid"])
            .custom("oid", &claims["oid"]),
    )
}
