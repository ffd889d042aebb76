//! `GET /openapi.json`: the OpenAPI description, collected from the handlers.

use axum::response::{IntoResponse, Response};
use axum::{Extension, http::header};
use limber_api::{
    identity::{ErrorBody, WeakPassword},
    openapi::{Description, operation_id, operations},
};
use utoipa::openapi::response::ResponseBuilder;
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{Content, OpenApi, Ref, RefOr};
use utoipa::{IntoParams, OpenApi as _, ToSchema};

/// Where links lead after use.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "documents a parameter that is read from every request")]
pub(super) struct RedirectTo {
    /// An allowed URL; any other is ignored.
    redirect_to: Option<String>,
}

/// The error body of requests with `X-Supabase-Api-Version: 2024-01-01` or newer.
#[derive(ToSchema)]
#[expect(dead_code, reason = "documents a body that is built by hand")]
pub(super) struct NewErrorBody {
    /// Machine-readable error code: the `error_code` of the other shape.
    code: String,
    /// Description for people.
    message: String,
    /// Identifies the failure in the server's log; only with 5xx.
    error_id: Option<String>,
    /// Only with `weak_password`.
    weak_password: Option<WeakPassword>,
}

/// An error, in the shape that the request asked for.
#[derive(ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "documents a body that is built by hand")]
enum Problem {
    /// The default shape.
    Default(ErrorBody),
    /// The shape for newer clients.
    New(NewErrorBody),
}

/// Selects the body of `POST /token`.
#[derive(ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(dead_code, reason = "documents a parameter that is read as text")]
pub(super) enum GrantType {
    Password,
    RefreshToken,
    Pkce,
    IdToken,
}

/// An OAuth error about an ID token.
#[derive(ToSchema)]
#[expect(dead_code, reason = "documents a body that is built by hand")]
pub(super) struct OAuthErrorBody {
    /// OAuth error code, such as `invalid request` or `invalid_client`.
    error: String,
    /// Description for people.
    error_description: String,
}

/// Why a grant was rejected.
#[derive(ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "documents a body that is built by hand")]
pub(super) enum GrantProblem {
    /// The default shape.
    Default(ErrorBody),
    /// The shape for newer clients.
    New(NewErrorBody),
    /// The shape for `grant_type=id_token`.
    IdToken(OAuthErrorBody),
}

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Limber identity service",
        description = "Accounts, sessions, tokens and email. Existing GoTrue clients work \
                       unmodified; every path is also served under `/auth/v1`. Requests that are \
                       not valid HTTP get 400, and those with more than a hundred headers get 431, \
                       both without a body."
    ),
    components(schemas(Problem, GrantType))
)]
struct Frame;

/// Returns the description without routes.
pub(super) fn frame() -> OpenApi {
    let mut api = Frame::openapi();
    let components = api.components.get_or_insert_default();
    for (name, who) in
        [("person", "A user's access token."), ("administrator", "A token with an admin role.")]
    {
        let scheme = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some(who));
        components.add_security_scheme(name, SecurityScheme::Http(scheme.build()));
    }
    api
}

/// Completes the description: every operation may also be refused or fail, with one error shape.
pub(super) fn finished(mut api: OpenApi) -> Description {
    let problem = |description: &str| {
        let body = Content::new(Some(Ref::from_schema_name("Problem")));
        let response = ResponseBuilder::new().description(description);
        response.content("application/json", body).build()
    };
    let refused = problem("Rejected; `error_code` gives the reason.");
    let failed = problem("Failed or timed out; `error_id` identifies the request in the log.");
    for (path, item) in &mut api.paths.paths {
        for (method, operation) in operations(item) {
            operation.operation_id = Some(operation_id(method, path));
            let responses = &mut operation.responses.responses;
            for response in responses.values_mut() {
                if let RefOr::T(response) = response
                    && response.description.is_empty()
                {
                    response.description = "Done.".to_owned();
                }
            }
            responses.insert("4XX".to_owned(), RefOr::T(refused.clone()));
            responses.insert("5XX".to_owned(), RefOr::T(failed.clone()));
        }
    }
    Description::of(&api)
}

/// Returns this OpenAPI description.
#[utoipa::path(get, path = "/openapi.json", tag = "Service",
    responses((status = 200, description = "OpenAPI 3.1.", body = serde_json::Value)))]
pub(super) async fn get(Extension(description): Extension<Description>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], description.as_str().to_owned()).into_response()
}

#[cfg(test)]
mod tests {
    use limber_api::openapi::undescribed;

    use super::{super::described, *};

    const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json");

    #[test]
    fn the_committed_description_is_that_of_the_handlers() {
        let description = finished(described().into_openapi());
        assert!(
            description.is_committed(PAGE).expect("the description can be written"),
            "openapi.json is out of date; renew it with \
             `LIMBER_RENEW_PAGES=1 cargo test -p limber-identity-service committed_description`"
        );
    }

    #[test]
    fn every_operation_has_a_description_and_a_tag() {
        let lacking = undescribed(&mut described().into_openapi());
        assert!(lacking.is_empty(), "operations without a doc comment or a tag: {lacking:?}");
    }

    #[test]
    fn no_route_is_missing_from_the_description() {
        let routes = include_str!("../http.rs");
        assert!(!routes.contains(".route("), "use `.routes(routes!(…))`, as the other routes do");
    }
}
