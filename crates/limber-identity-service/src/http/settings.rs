//! `GET /settings`: the features that this instance offers (identity behaviour, 4.6).

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use limber_api::identity::{ProviderName, Settings};

use crate::instance::Instance;

/// Returns the features that this instance offers.
#[utoipa::path(get, path = "/settings", tag = "Service", responses((status = 200, body = Settings)))]
pub(super) async fn get(State(instance): State<Arc<Instance>>) -> Json<Settings> {
    let config = &instance.config;
    let external = ProviderName::ALL
        .iter()
        .map(|name| (name.as_str(), config.external.providers.contains_key(name)))
        .chain([
            ("anonymous_users", config.signup.anonymous),
            ("email", config.signup.email),
            ("phone", config.signup.phone),
        ])
        .map(|(name, on)| (name.to_owned(), on))
        .collect();
    Json(Settings {
        external,
        disable_signup: config.signup.disabled,
        autoconfirm: config.mailer.autoconfirm,
        mailer_autoconfirm: config.mailer.autoconfirm,
        mfa_phone_enabled: config.factors.phone_enroll && config.factors.phone_verify,
        phone_autoconfirm: config.signup.phone_autoconfirm,
        sms_provider: instance.texts.name().to_owned(),
        saml_enabled: false,
        passkeys_enabled: false,
    })
}
