//! Every route in the OpenAPI description, each with a request that passes the first checks.

use limber_api::identity::ActionLinkKind;
use serde_json::{Map, Value, json};

use crate::service::{PASSWORD, TestService};
use crate::wire::Request;

/// Who may use a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Door {
    Open,
    Person,
    Administrator,
}

/// A route, from the OpenAPI description.
#[derive(Debug, Clone)]
pub(crate) struct Route {
    pub(crate) method: String,
    pub(crate) path: String,
    pub(crate) door: Door,
    pub(crate) query: Vec<String>,
    /// Fields of the body.
    pub(crate) fields: Vec<String>,
    pub(crate) takes_body: bool,
}

/// Returns all routes.
pub(crate) fn all() -> Vec<Route> {
    let text = include_str!("../../../openapi.json");
    let api: Value = serde_json::from_str(text).expect("the description is JSON");
    let paths = api["paths"].as_object().expect("paths");
    let of_path = |(path, item): (&String, &Value)| {
        let operations = item.as_object().expect("operations").clone();
        operations.into_iter().map(|(method, it)| route(&api, &method, path, &it)).collect()
    };
    paths.iter().flat_map::<Vec<Route>, _>(of_path).collect()
}

fn route(api: &Value, method: &str, path: &str, operation: &Value) -> Route {
    let security = operation["security"][0].as_object();
    let door = match security.and_then(|names| names.keys().next()).map(String::as_str) {
        None => Door::Open,
        Some("person") => Door::Person,
        Some(_) => Door::Administrator,
    };
    let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
    let query = parameters
        .iter()
        .filter(|parameter| parameter["in"] == "query")
        .filter_map(|parameter| parameter["name"].as_str().map(str::to_owned));
    let body = &operation["requestBody"]["content"]["application/json"]["schema"];
    Route {
        method: method.to_uppercase(),
        path: path.to_owned(),
        door,
        query: query.collect(),
        fields: fields(api, body),
        takes_body: !body.is_null(),
    }
}

/// Returns the fields of a schema, with those of all its alternatives.
fn fields(api: &Value, schema: &Value) -> Vec<String> {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        return fields(api, &api["components"]["schemas"][name]);
    }
    let own = schema["properties"].as_object().into_iter().flat_map(Map::keys).cloned();
    let others = schema["oneOf"].as_array().into_iter().flatten();
    let mut all: Vec<String> = own.chain(others.flat_map(|one| fields(api, one))).collect();
    all.sort();
    all.dedup();
    all
}

/// The callers, and the objects that paths refer to.
pub(crate) struct Cast {
    pub(crate) person: String,
    pub(crate) administrator: String,
    /// An account that nothing else depends on.
    pub(crate) victim: String,
    factor: String,
}

impl Cast {
    pub(crate) async fn of(service: &TestService) -> Self {
        let ann = json!({"email": "ann@b.co", "password": PASSWORD, "email_confirm": true});
        let administrator = service.admin_token();
        let post = |path, body| service.send_as(&administrator, reqwest::Method::POST, path, body);
        post("/admin/users", ann).await.ok();
        let victim = post("/admin/users", json!({"email": "victim@b.co"})).await.ok().text("id");
        let person = service.sign_in("ann@b.co", PASSWORD).await.ok().access();
        let body = json!({"factor_type": "totp", "friendly_name": "first"});
        let factor = service.send_as(&person, reqwest::Method::POST, "/factors", body).await;
        Self { person, administrator, victim, factor: factor.ok().text("id") }
    }

    pub(crate) fn token(&self, door: Door) -> Option<&str> {
        match door {
            Door::Open => None,
            Door::Person => Some(&self.person),
            Door::Administrator => Some(&self.administrator),
        }
    }

    /// Returns the URL with a valid query, except for the parameter in `replaced`.
    pub(crate) fn target(&self, route: &Route, replaced: Option<(&str, &str)>) -> String {
        let path = route
            .path
            .replace("{user_id}", &self.victim)
            .replace("{factor_id}", &self.factor)
            .replace("{session_id}", "3f1e2a38-0000-4000-8000-000000000000")
            .replace("{identity_id}", "3f1e2a38-0000-4000-8000-000000000001");
        let pairs = route.query.iter().filter_map(|name| match replaced {
            Some((other, value)) if other == name => Some(format!("{name}={value}")),
            _ => good_query(route, name).map(|value| format!("{name}={value}")),
        });
        let pairs: Vec<String> = pairs.collect();
        if pairs.is_empty() { path } else { format!("{path}?{}", pairs.join("&")) }
    }

    /// Returns a request by an authorised caller, with a valid body.
    pub(crate) fn request(&self, route: &Route) -> Request {
        self.request_to(route, self.target(route, None).into_bytes())
    }

    pub(crate) fn request_to(&self, route: &Route, target: Vec<u8>) -> Request {
        let request = Request::new(&route.method, target);
        let request = match self.token(route.door) {
            Some(token) => request.bearer(token),
            None => request,
        };
        if route.takes_body { request.json(good_body(route).to_string()) } else { request }
    }
}

fn good_query(route: &Route, name: &str) -> Option<&'static str> {
    match (route.path.as_str(), name) {
        ("/token", "grant_type") => Some("password"),
        ("/verify", "type") => Some("signup"),
        ("/verify", "token") => Some("000000"),
        (_, "provider") => Some("github"),
        (_, "state") => Some("a"),
        (_, "scope") => Some("others"),
        _ => None,
    }
}

/// Returns a valid body for each route, so that each request has only one fault.
pub(crate) fn good_body(route: &Route) -> Value {
    let nobody = "nobody@b.co";
    match (route.method.as_str(), route.path.as_str()) {
        (_, "/token") => json!({"email": "ann@b.co", "password": "wrong password"}),
        (_, "/verify") => json!({"type": "signup", "email": nobody, "token": "000000"}),
        (_, "/resend") => json!({"type": "signup", "email": nobody}),
        (_, "/signup") => json!({"email": nobody, "password": PASSWORD}),
        (_, "/admin/generate_link") => {
            json!({"type": ActionLinkKind::ALL[0].as_str(), "email": nobody, "password": PASSWORD})
        }
        ("PUT", "/user") => json!({"data": {"a": 1}}),
        (_, "/factors") => json!({"factor_type": "totp", "friendly_name": "another"}),
        (_, "/factors/{factor_id}/verify") => {
            json!({"challenge_id": "3f1e2a38-0000-4000-8000-000000000002", "code": "000000"})
        }
        (_, "/admin/users/{user_id}/factors/{factor_id}") => json!({"friendly_name": "new"}),
        ("POST", "/admin/users/{user_id}") => json!({"email": "taken@b.co"}),
        _ if route.fields.iter().any(|field| field == "email") => json!({"email": nobody}),
        _ => json!({}),
    }
}
