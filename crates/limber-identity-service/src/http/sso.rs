//! `POST /sso`: not offered; the client's method shows this message (6.6).

use super::answer::ApiError;
use crate::refusal::SAML_DISABLED;

pub(super) async fn post() -> ApiError {
    SAML_DISABLED.into()
}
