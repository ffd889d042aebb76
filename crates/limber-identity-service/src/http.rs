//! The HTTP interface: routes, and the middleware around every request.
//!
//! Handlers parse and authorise the request, call one domain function and shape the response.
//! Compatibility quirks of the wire format live here and nowhere deeper. Every path is served at
//! `/` and at `/auth/v1`.

mod action_link;
mod admin_audit;
mod admin_factors;
mod admin_users;
mod answer;
mod authorize;
mod body;
mod browser_cookie;
mod button_page;
mod callback;
mod caller;
mod captcha;
mod consent_page;
mod factors;
mod health;
mod identities;
mod invite;
mod jwks;
mod logout;
mod magiclink;
mod middleware;
mod openapi;
mod otp;
mod own_sessions;
mod paging;
mod path;
mod query;
mod reauthenticate;
mod recover;
mod redirect;
mod request_context;
mod resend;
mod response_time;
mod settings;
mod signup;
mod sso;
mod token;
mod user;
mod verify;

use std::sync::Arc;

use axum::{Extension, Router};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::instance::Instance;

/// Returns the complete router, with middleware.
pub(crate) fn router(instance: Arc<Instance>) -> Router {
    let (routes, api) = described().split_for_parts();
    let description = openapi::finished(api);
    let routes = routes.layer(Extension(description));
    let all = Router::new()
        .merge(routes.clone())
        .nest("/auth/v1", routes)
        .fallback(middleware::no_such_path)
        .method_not_allowed_fallback(middleware::wrong_method)
        .with_state(Arc::clone(&instance));
    middleware::wrap(all, instance)
}

/// Collects the routes. Each handler declares its own path, method and description.
fn described() -> OpenApiRouter<Arc<Instance>> {
    OpenApiRouter::with_openapi(openapi::frame())
        .routes(routes!(health::get))
        .routes(routes!(health::ready))
        .routes(routes!(jwks::get))
        .routes(routes!(openapi::get))
        .routes(routes!(settings::get))
        .routes(routes!(signup::post))
        .routes(routes!(token::post))
        .routes(routes!(user::get, user::put))
        .routes(routes!(authorize::link))
        .routes(routes!(identities::delete))
        .routes(routes!(authorize::get))
        .routes(routes!(consent_page::get, consent_page::post))
        .routes(routes!(callback::get, callback::post, callback::head))
        .routes(routes!(logout::post))
        .routes(routes!(verify::post, verify::get, verify::head))
        .routes(routes!(recover::post))
        .routes(routes!(resend::post))
        .routes(routes!(magiclink::post))
        .routes(routes!(otp::post))
        .routes(routes!(invite::post))
        .routes(routes!(reauthenticate::get))
        .routes(routes!(action_link::post))
        .routes(routes!(sso::post))
        .routes(routes!(factors::post))
        .routes(routes!(factors::delete))
        .routes(routes!(factors::ask))
        .routes(routes!(factors::verify))
        .routes(routes!(own_sessions::list))
        .routes(routes!(own_sessions::delete))
        .routes(routes!(admin_audit::get))
        .routes(routes!(admin_users::list, admin_users::create))
        .routes(routes!(
            admin_users::get,
            admin_users::create_with_id,
            admin_users::update,
            admin_users::delete
        ))
        .routes(routes!(admin_factors::list))
        .routes(routes!(admin_factors::update, admin_factors::delete))
}
