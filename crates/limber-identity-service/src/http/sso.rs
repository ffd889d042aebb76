//! `POST /sso`: SAML is not supported; the client's method shows this message (6.6).

use limber_api::identity::ErrorBody;

use super::answer::ApiError;
use crate::refusal::SAML_DISABLED;

/// Not supported.
#[utoipa::path(post, path = "/sso", tag = "Sessions", responses((status = 404, description = "Always.", body = ErrorBody)))]
pub(super) async fn post() -> ApiError {
    SAML_DISABLED.into()
}
