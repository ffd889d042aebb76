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

/// Path segments that stand for many tenants, which do not trust each other: three keywords, and
/// the id of the tenant of all personal accounts (Microsoft identity platform, "ID token claims
/// reference", `tid`).
const SHARED: [&str; 4] =
    ["common", "organizations", "consumers", "9188040d-6c67-4c5b-b112-36a304b66dad"];

/// Tells whether the word stands for many tenants.
pub(crate) fn is_shared_tenant(word: &str) -> bool {
    SHARED.iter().any(|shared| shared.eq_ignore_ascii_case(word))
}

/// Returns the single tenant named in a URL, or `None` if the URL covers many.
pub(super) fn tenant_of(base: &str) -> Option<&str> {
    let (_, place) = base.split_once("://")?;
    let (_, path) = place.split_once('/')?;
    path.rsplit('/').next().filter(|word| !word.is_empty() && !is_shared_tenant(word))
}

/// Reads the profile. `xms_edov` tells whether the owner of the address's domain was verified.
/// Without it, the address is whatever the tenant's administrator entered: acceptable if the
/// operator pinned the tenant, untrusted if every tenant is admitted.
fn read(answers: &Answers<'_>) -> Option<Profile> {
    let claims = answers.get(CLAIMS);
    let owned = &claims["xms_edov"];
    let verified = if owned.is_null() { answers.tenant_is_pinned } else { is_true(owned) };
    Some(
        Profile::new(claims["iss"].as_str().unwrap_or(answers.issuer), id(&claims["sub"])?)
            .email(&claims["email"], verified)
            .name(&claims["name"])
            .set("preferred_username", &claims["preferred_username"])
            .custom("tid", &claims["tid"])
            .custom("oid", &claims["oid"]),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn azure_urls_name_one_tenant_or_many() {
        for many in [
            HOST,
            "https://login.microsoftonline.com/Organizations",
            "https://login.microsoftonline.com/consumers",
            "https://login.microsoftonline.com/9188040D-6c67-4c5b-b112-36a304b66dad",
            "https://login.microsoftonline.com",
            "https://login.microsoftonline.com/",
        ] {
            assert_eq!(tenant_of(many), None, "{many}");
        }
        let one = "https://login.microsoftonline.com/contoso.onmicrosoft.com";
        assert_eq!(tenant_of(one), Some("contoso.onmicrosoft.com"));
    }
}
