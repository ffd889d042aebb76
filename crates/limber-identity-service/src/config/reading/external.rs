//! Reads the settings of sign-in through external providers.

use limber_api::identity::ProviderName;
use url::Url;

use crate::config::environment::Environment;
use crate::config::external::MIN_FLOW_LIFETIME;
use crate::config::{AppleKey, ClientSecret, ExternalConfig, ProviderConfig};

pub(super) fn read(env: &mut Environment) -> ExternalConfig {
    let mut external = ExternalConfig {
        manual_linking: env.flag("SECURITY_MANUAL_LINKING_ENABLED"),
        allow_unverified_email: env.flag("MAILER_ALLOW_UNVERIFIED_EMAIL_SIGN_INS"),
        ..ExternalConfig::default()
    };
    if let Some(lifetime) = env.duration("EXTERNAL_FLOW_STATE_EXPIRY_DURATION") {
        external.flow_lifetime = lifetime.max(MIN_FLOW_LIFETIME);
    }
    for name in ProviderName::ALL {
        let written = read_provider(env, *name);
        if env.flag(&variable(*name, "ENABLED")) {
            refuse_gaps(env, *name, &written);
            external.providers.insert(*name, written);
        }
    }
    external
}

fn variable(name: ProviderName, what: &str) -> String {
    format!("EXTERNAL_{}_{what}", name.as_str().to_uppercase())
}

fn read_provider(env: &mut Environment, name: ProviderName) -> ProviderConfig {
    let given = env.text(&variable(name, "SECRET")).unwrap_or_default();
    let base = env.text(&variable(name, "URL"));
    ProviderConfig {
        client_ids: env.list(&variable(name, "CLIENT_ID")),
        secret: apple_key(env, name)
            .map_or_else(|| ClientSecret::Given(given.into()), ClientSecret::Signed),
        redirect_uri: env.text(&variable(name, "REDIRECT_URI")).unwrap_or_default(),
        base: base.map(|base| base.trim_end_matches('/').to_owned()),
        tenants: tenants(env, name),
        email_optional: env.flag(&variable(name, "EMAIL_OPTIONAL")),
        skip_nonce_check: env.flag(&variable(name, "SKIP_NONCE_CHECK")),
    }
}

fn tenants(env: &mut Environment, name: ProviderName) -> Vec<String> {
    match name {
        ProviderName::Azure => {}
        ProviderName::Workos => return env.list("EXTERNAL_WORKOS_CONNECTIONS"),
        _ => return Vec::new(),
    }
    let tenants = env.list("EXTERNAL_AZURE_TENANTS");
    if tenants.iter().any(|tenant| crate::providers::is_shared_tenant(tenant)) {
        env.problem(
            "AUTHSVC_EXTERNAL_AZURE_TENANTS must contain ids of single tenants: common, \
             organizations, consumers and the id of the personal accounts' tenant stand for many \
             tenants",
        );
    }
    tenants
}

fn apple_key(env: &mut Environment, name: ProviderName) -> Option<AppleKey> {
    if name != ProviderName::Apple {
        return None;
    }
    let team_id = env.text("EXTERNAL_APPLE_TEAM_ID").unwrap_or_default();
    let key_id = env.text("EXTERNAL_APPLE_KEY_ID").unwrap_or_default();
    let private_key = env.text("EXTERNAL_APPLE_PRIVATE_KEY")?.replace("\\n", "\n").into();
    Some(AppleKey { team_id, key_id, private_key })
}

/// Reports missing settings of an enabled provider, which would otherwise only show when a user
/// tries it.
fn refuse_gaps(env: &mut Environment, name: ProviderName, written: &ProviderConfig) {
    let mut needed = |there: bool, what: &str, advice: &str| {
        if !there {
            env.problem(format!("AUTHSVC_{} {advice}", variable(name, what)));
        }
    };
    let given = "is missing: set it to what the provider gave you";
    needed(!written.client_ids.is_empty(), "CLIENT_ID", given);
    match &written.secret {
        ClientSecret::Given(secret) => {
            needed(!secrecy::ExposeSecret::expose_secret(secret).is_empty(), "SECRET", given);
        }
        ClientSecret::Signed(key) => {
            needed(!key.team_id.is_empty(), "TEAM_ID", given);
            needed(!key.key_id.is_empty(), "KEY_ID", given);
            let good = crate::providers::is_apple_key(key);
            needed(good, "PRIVATE_KEY", "must be the contents of Apple's .p8 file");
        }
    }
    let web = "must be an http or https address";
    let redirect_uri = &written.redirect_uri;
    needed(
        !redirect_uri.is_empty(),
        "REDIRECT_URI",
        "is missing: set it to AUTHSVC_API_EXTERNAL_URL followed by /callback",
    );
    needed(redirect_uri.is_empty() || is_web_address(redirect_uri), "REDIRECT_URI", web);
    needed(written.base.as_deref().is_none_or(is_web_address), "URL", web);
    needed(
        name != ProviderName::Keycloak || written.base.is_some(),
        "URL",
        "is missing: set it to the URL of the realm",
    );
}

fn is_web_address(text: &str) -> bool {
    Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Config;

    const LEAST: &[(&str, &str)] = &[
        ("AUTHSVC_SITE_URL", "https://site.example"),
        ("AUTHSVC_API_EXTERNAL_URL", "https://id.example"),
        ("AUTHSVC_DB_DRIVER", "postgres"),
        ("DATABASE_URL", "postgres://u:hidden@h/d"),
        ("AUTHSVC_JWT_SECRET", "s3cret of more than thirty-two bytes"),
        ("AUTHSVC_SMTP_ADMIN_EMAIL", "admin@site.example"),
    ];

    fn config(more: &[(&str, &str)]) -> Result<Config, crate::config::ConfigError> {
        let pairs = LEAST.iter().chain(more);
        Config::from_env(pairs.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())))
    }

    #[test]
    fn missing_settings_of_an_enabled_provider_are_reported() {
        let error = config(&[
            ("AUTHSVC_EXTERNAL_KEYCLOAK_ENABLED", "true"),
            ("AUTHSVC_EXTERNAL_APPLE_ENABLED", "true"),
            ("AUTHSVC_EXTERNAL_APPLE_PRIVATE_KEY", "no key"),
        ]);
        let text = error.expect_err("nothing else is set").to_string();
        for name in
            ["KEYCLOAK_CLIENT_ID", "KEYCLOAK_SECRET", "KEYCLOAK_REDIRECT_URI", "KEYCLOAK_URL"]
        {
            assert!(
                text.contains(&format!("AUTHSVC_EXTERNAL_{name} is missing")),
                "{name}: {text}"
            );
        }
        assert!(
            text.contains("APPLE_TEAM_ID") && text.contains("APPLE_PRIVATE_KEY must"),
            "{text}"
        );
    }

    #[test]
    fn azure_tenant_aliases_are_not_accepted_as_tenants() {
        let personal = "9188040d-6c67-4c5b-b112-36a304b66dad";
        for word in ["common", "Organizations", "consumers", personal] {
            let error = config(&[("AUTHSVC_EXTERNAL_AZURE_TENANTS", word)]).expect_err(word);
            assert!(error.to_string().contains("AUTHSVC_EXTERNAL_AZURE_TENANTS must"), "{error}");
        }
    }

    #[test]
    fn providers_accept_several_client_ids_and_trailing_slashes() {
        let config = config(&[
            ("AUTHSVC_EXTERNAL_GITLAB_ENABLED", "true"),
            ("GOTRUE_EXTERNAL_GITLAB_CLIENT_ID", "web, ios"),
            ("AUTHSVC_EXTERNAL_GITLAB_SECRET", "h1dden"),
            ("AUTHSVC_EXTERNAL_GITLAB_REDIRECT_URI", "https://id.example/callback"),
            ("AUTHSVC_EXTERNAL_GITLAB_URL", "https://git.example/"),
            ("AUTHSVC_EXTERNAL_FLOW_STATE_EXPIRY_DURATION", "10s"),
        ])
        .expect("the settings are complete");
        let gitlab = &config.external.providers[&ProviderName::Gitlab];
        assert_eq!(gitlab.client_ids, ["web", "ios"]);
        assert_eq!(gitlab.base.as_deref(), Some("https://git.example"));
        assert_eq!(config.external.flow_lifetime.as_secs(), 300, "that is the least");
        assert!(!format!("{config:?}").contains("h1dden"));
    }
}
