//! `GET /openapi.json`: the OpenAPI description of this API, assembled from the handlers.
//!
//! Handlers declare which error statuses they return. The meaning of each status, and the statuses
//! that every request can return, are defined here.

use axum::{
    Extension,
    http::header,
    response::{IntoResponse, Response},
};
use limber_api::{
    motion::{DryRunAnswer, ErrorBody, ModelEntry, ParameterProblem, ProcessAnswer, StatusEntry},
    openapi::{Description, operation_id, operations},
};
use utoipa::{
    OpenApi as _, ToSchema,
    openapi::{
        Content, HeaderBuilder, ObjectBuilder, OpenApi, Ref, RefOr, Response as Described,
        ResponseBuilder, Type,
        path::Operation,
        schema::Schema,
        security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityScheme},
    },
};

/// For each error status: the values of `type`, and what the status means.
const REFUSALS: &[(&str, &[&str], &str)] = &[
    (
        "400",
        &["malformed_request", "checksum_mismatch"],
        "The request cannot be parsed, or the body does not match what was announced.",
    ),
    ("401", &["not_authenticated"], "There is no valid session, or the secret is wrong."),
    (
        "402",
        &["insufficient_credits"],
        "Not enough credits; `details` says how many are required and available.",
    ),
    (
        "403",
        &["feature_limit", "origin_not_allowed", "bad_signature"],
        "The plan, the web page's origin or the signature does not allow it.",
    ),
    (
        "404",
        &["job_not_found", "model_not_found", "route_not_found", "upload_session_not_found"],
        "It does not exist, or belongs to another account.",
    ),
    ("405", &["method_not_allowed"], "`Allow` lists the supported methods."),
    ("408", &["interrupted"], "The upload stalled; what has arrived is kept."),
    ("409", &["invalid_state"], "Its state does not allow this, or it is being written to."),
    ("410", &["gone"], "It existed, but was removed, has ended or has expired."),
    ("411", &["length_required"], "Files are only accepted with their length."),
    ("413", &["payload_too_large"], "More bytes than are accepted."),
    ("415", &["unsupported_media_type"], "Neither JSON nor a supported file type."),
    ("416", &["range_not_satisfiable"], "The requested range lies outside the file."),
    (
        "422",
        &["invalid_parameter", "unknown_processor", "unsupported_model"],
        "The request is well-formed, but a value is invalid; `param` names the first, \
         `details.errors` lists all.",
    ),
    ("429", &["rate_limited"], "Too many requests; `Retry-After` says how long to wait."),
    ("500", &["internal"], "An internal error; quote `requestId` to the operator."),
    ("503", &["unavailable"], "Temporarily unavailable; `Retry-After` says when to try again."),
];

/// Statuses that any request can return.
const ALWAYS: [&str; 3] = ["403", "500", "503"];
/// Statuses that any request with a session can also return.
const WITH_SESSION: [&str; 2] = ["401", "429"];

/// The stored job or, with `dryRun=1`, what the job would be.
#[derive(ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "describes one of two answers")]
pub(super) enum ProcessOrDryRun {
    /// The job was stored.
    Stored(ProcessAnswer),
    /// Nothing was stored.
    DryRun(DryRunAnswer),
}

/// The characters: an array or `{count, list}`, depending on the operator's settings.
#[derive(ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "describes one of two answers")]
pub(super) enum ModelsAnswer {
    /// The default.
    Bare(Vec<ModelEntry>),
    /// With `MOTIONSVC_LIST_MODELS=wrapped`.
    Wrapped {
        /// Number of characters.
        count: usize,
        /// The characters.
        list: Vec<ModelEntry>,
    },
}

/// The bytes of a file.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "describes bytes that are passed through")]
pub(super) struct RawBytes(String);

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Limber motion service",
        description = "Prompts in, animated characters out. Sign in at `/account/v1/auth` and send \
            the cookie with every other request. HEAD is allowed wherever GET is. Every response \
            has `X-Request-Id`. Requests that are not valid HTTP get 400 or 431 without a body."
    ),
    components(schemas(ErrorBody, ParameterProblem, StatusEntry))
)]
struct Frame;

/// Returns the description without routes.
pub(super) fn frame() -> OpenApi {
    let mut api = Frame::openapi();
    let components = api.components.get_or_insert_default();
    let cookie = "The session, as `/account/v1/auth` sets it.";
    let cookie = ApiKey::Cookie(ApiKeyValue::with_description("svcsess", cookie));
    components.add_security_scheme("session", SecurityScheme::ApiKey(cookie));
    let http = |scheme, who: &str| {
        let scheme = HttpBuilder::new().scheme(scheme).description(Some(who));
        SecurityScheme::Http(scheme.build())
    };
    let basic = http(HttpAuthScheme::Basic, "Client id and client secret.");
    components.add_security_scheme("credentials", basic);
    let bearer = http(HttpAuthScheme::Bearer, "The value of the cookie, for programs.");
    components.add_security_scheme("bearer", bearer);
    let words = REFUSALS.iter().flat_map(|(_, words, _)| words.iter().copied());
    if let Some(RefOr::T(Schema::Object(body))) = components.schemas.get_mut("ErrorBody") {
        let kind = ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("A stable word for programs."))
            .enum_values(Some(words));
        body.properties.insert("type".to_owned(), kind.into());
        for always in ["message", "type", "requestId"] {
            if !body.required.iter().any(|name| name == always) {
                body.required.push(always.to_owned());
            }
        }
    }
    api
}

/// Completes the description with operation ids and common responses.
pub(super) fn finished(mut api: OpenApi) -> Description {
    for (path, item) in &mut api.paths.paths {
        for (method, operation) in operations(item) {
            operation.operation_id = Some(operation_id(method, path));
            complete(operation, path);
        }
    }
    Description::of(&api)
}

/// Adds the responses that any request can return, and describes each status.
fn complete(operation: &mut Operation, path: &str) {
    let has_session = operation.security.is_some();
    let further = WITH_SESSION.iter().filter(|_| has_session);
    // a path with an empty parameter matches no route
    let nowhere = ["404"].iter().filter(|_| path.contains('{'));
    let responses = &mut operation.responses.responses;
    for status in ALWAYS.iter().chain(further).chain(nowhere) {
        let problem = || {
            let body = Content::new(Some(Ref::from_schema_name("ErrorBody")));
            RefOr::T(ResponseBuilder::new().content("application/json", body).build())
        };
        responses.entry((*status).to_owned()).or_insert_with(problem);
    }
    for (status, response) in responses {
        let RefOr::T(response) = response else { continue };
        if response.description.is_empty() {
            response.description = meaning(status);
        }
        number(response);
    }
}

fn meaning(status: &str) -> String {
    let known = REFUSALS.iter().find(|(known, ..)| *known == status);
    known.map_or_else(|| "Done.".to_owned(), |(_, _, meaning)| (*meaning).to_owned())
}

fn number(response: &mut Described) {
    let header = HeaderBuilder::new().schema(Some(ObjectBuilder::new().schema_type(Type::String)));
    let header = header.description(Some("Identifies the request in the service's log."));
    response.headers.insert("X-Request-Id".to_owned(), RefOr::T(header.build()));
}

/// Returns this OpenAPI description.
#[utoipa::path(get, path = "/openapi.json", tag = "Service",
    responses((status = 200, description = "OpenAPI 3.1.", body = serde_json::Value)))]
pub(super) async fn get(Extension(description): Extension<Description>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], description.as_str().to_owned()).into_response()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use limber_api::openapi::undescribed;

    use super::{super::described, *};

    const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/openapi.json");

    #[test]
    fn the_committed_description_matches_the_handlers() {
        let description = finished(described().into_openapi());
        assert!(
            description.is_committed(PAGE).expect("the description is writable"),
            "openapi.json is out of date; regenerate it with `LIMBER_RENEW_PAGES=1 cargo test -p \
             limber-motion-service committed_description`"
        );
    }

    #[test]
    fn every_operation_has_a_summary_and_one_tag() {
        let lacking = undescribed(&mut described().into_openapi());
        assert!(lacking.is_empty(), "without a doc comment or a tag: {lacking:?}");
    }

    #[test]
    fn no_route_bypasses_the_description() {
        let routes = include_str!("../http.rs");
        assert!(!routes.contains(".route("), "use `.routes(routes!(…))`, as the others do");
    }

    /// Collects the error types in a source file: string literals that follow a `StatusCode`.
    fn words_in(source: &str, words: &mut BTreeSet<String>) {
        for (place, _) in source.match_indices("StatusCode::") {
            let rest = source[place..].split_once(',').map_or("", |(_, rest)| rest).trim_start();
            let word = rest.strip_prefix('"').and_then(|rest| rest.split('"').next());
            let plain = |word: &&str| word.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
            words.extend(word.filter(plain).map(str::to_owned));
        }
    }

    fn walk(folder: &std::path::Path, words: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).expect("the sources can be read").flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => walk(&entry.path(), words),
                _ => words_in(&std::fs::read_to_string(entry.path()).expect("text"), words),
            }
        }
    }

    #[test]
    fn every_error_type_is_described_and_used() {
        let mut used = BTreeSet::new();
        walk(concat!(env!("CARGO_MANIFEST_DIR"), "/src/http").as_ref(), &mut used);
        let described: BTreeSet<String> = REFUSALS
            .iter()
            .flat_map(|(_, words, _)| words.iter().map(ToString::to_string))
            .collect();
        assert_eq!(used, described);
    }
}
