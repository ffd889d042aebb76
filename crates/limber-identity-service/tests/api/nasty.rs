//! Invalid input for every route in the OpenAPI description: everything is answered in time and
//! never with an internal error, and every refusal has the documented shape.

pub(crate) mod routes;
mod slow;
mod targets;
mod tokens;

use std::time::Duration;

use futures_util::{StreamExt, stream};
use limber_api::identity::ProviderName;
use limber_identity_service::Config;
use limber_identity_service::config::{MessageLimit, ProviderConfig};
use reqwest::Url;
use serde_json::Value;

use self::routes::{Cast, Route, good_body};
use crate::service::TestService;
use crate::wire::{Request, ask};

/// Enables every feature that works without other services.
pub(crate) fn everything_on(config: &mut Config) {
    config.signup.phone = true;
    config.signup.anonymous = true;
    config.external.manual_linking = true;
    config.factors.max_enrolled = 1000;
    config.factors.phone_enroll = true;
    config.factors.phone_verify = true;
    config.mailer.max_frequency = Some(Duration::ZERO);
    config.limits.emails = MessageLimit::PerHour(1_000_000);
    // Nothing listens on port 9.
    let mut github = ProviderConfig::new("id", "secret".into(), "http://id.example/callback");
    github.base = Some("http://127.0.0.1:9".to_owned());
    config.external.providers.insert(ProviderName::Github, github);
}

async fn start() -> (TestService, Cast) {
    let service = TestService::start_with(everything_on).await;
    let cast = Cast::of(&service).await;
    (service, cast)
}

/// A request, with a description of its fault.
struct Try {
    what: String,
    request: Request,
    /// Whether the request must be rejected as unauthorised.
    refused: bool,
}

impl Try {
    fn new(route: &Route, what: &str, request: Request) -> Self {
        let what = format!("{} {} with {what}", route.method, route.path);
        Self { what, request, refused: false }
    }

    async fn problem(&self, base: &Url) -> Option<String> {
        let told = ask(base, &self.request).await;
        let problem = told.problem().filter(|_| {
            // Responses to HEAD have no body.
            self.request.method != "HEAD" || !(200..500).contains(&told.status)
        });
        let entered = self.refused && !(400..=403).contains(&told.status);
        let problem = problem.or_else(|| entered.then(|| format!("accepted: {}", told.status)))?;
        Some(format!("{}: {problem}", self.what))
    }
}

/// Sends all requests and reports every answer that is not as it should be.
async fn no_problem(base: &Url, tries: Vec<Try>) {
    let problems: Vec<String> = stream::iter(&tries)
        .map(|one| one.problem(base))
        .buffer_unordered(8)
        .filter_map(std::future::ready)
        .collect()
        .await;
    println!("{} requests", tries.len());
    assert!(
        problems.is_empty(),
        "{} responses are wrong:\n{}",
        problems.len(),
        problems.join("\n")
    );
}

/// Returns a string of this length that does not compress.
fn unlike(count: usize) -> String {
    let mut state = 1_u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from(b'a' + u8::try_from((state >> 24) % 26).unwrap_or_default())
    };
    (0..count).map(|_| next()).collect()
}

/// Returns wrong field values, as JSON text.
fn values() -> Vec<(&'static str, String)> {
    let long = unlike(10_000);
    let plain = [
        ("null", "null"),
        ("true", "true"),
        ("a negative number", "-1"),
        ("a number past every type", "1e400"),
        ("a fraction", "0.1"),
        ("an empty text", "\"\""),
        ("a blank", "\" \""),
        ("an array", "[\"a\"]"),
        ("an object", "{\"a\": {\"b\": [null]}}"),
        ("U+0000", r#""a\u0000b@b.co""#),
        ("control characters", r#""a\r\nBcc: x@y.z\u001b[2J\u0007""#),
        ("half a surrogate", r#""\ud800""#),
        ("writing that turns round", "\"\u{202e}moc.b@a\u{200f}\u{1f9d1}\u{200d}\u{1f680}\""),
        ("SQL", r#""'; DROP TABLE accounts; --""#),
        ("a path", r#""../../../../etc/passwd%00""#),
        ("a template", r#""{{ .Token }}${7*7}<script>""#),
    ];
    let long = [
        ("10 000 characters", format!("\"{long}\"")),
        ("an address of 10 000 characters", format!("\"{long}@b.co\"")),
        ("10 000 digits", format!("\"+{}\"", "4".repeat(10_000))),
    ];
    plain.map(|(what, text)| (what, text.to_owned())).into_iter().chain(long).collect()
}

/// Returns the valid body with `text` as the value of one field.
fn with_field(route: &Route, field: &str, text: &str) -> String {
    let good = good_body(route);
    let fields = good.as_object().expect("every body is an object");
    let others = fields.iter().filter(|(name, _)| *name != field);
    let mut parts: Vec<String> = others.map(|(n, value)| format!("\"{n}\": {value}")).collect();
    parts.push(format!("\"{field}\": {text}"));
    format!("{{{}}}", parts.join(", "))
}

#[tokio::test(flavor = "multi_thread")]
async fn every_body_field_withstands_arbitrary_values() {
    let (service, cast) = start().await;
    let mut requests = Vec::new();
    for route in routes::all() {
        for field in &route.fields {
            for (what, text) in values() {
                let mut request = cast.request(&route);
                request.body = with_field(&route, field, &text).into_bytes();
                requests.push(Try::new(&route, &format!("{what} as {field}"), request));
            }
        }
    }
    assert!(requests.len() > 1500, "the description contains too few fields: {}", requests.len());
    no_problem(&service.base, requests).await;
}

/// Returns whole bodies that are invalid.
fn bodies(route: &Route) -> Vec<(&'static str, Vec<u8>)> {
    let good = good_body(route).to_string();
    let nested = |open: &str, close: &str, count: usize| {
        format!("{{\"data\": {}1{}}}", open.repeat(count), close.repeat(count))
    };
    let many: Vec<String> = (0..20_000).map(|number| format!("\"f{number}\": 0")).collect();
    let mut bodies = vec![
        ("nothing", Vec::new()),
        ("half of it", good.as_bytes()[..good.len() / 2].to_vec()),
        ("more after it", format!("{good}{good}").into_bytes()),
        ("an unknown field", with_field(route, "nobody_knows_this", "[1]").into_bytes()),
        ("20 000 unknown fields", format!("{{{}}}", many.join(", ")).into_bytes()),
        ("10 000 arrays inside each other", nested("[", "]", 10_000).into_bytes()),
        ("100 objects inside each other", nested("{\"a\": ", "}", 100).into_bytes()),
        ("invalid UTF-8", b"{\"email\": \"\xff\xfe@b.co\", \"data\": {\"\xc0\x80\": 1}}".to_vec()),
        ("UTF-16", good.encode_utf16().flat_map(u16::to_le_bytes).collect()),
        ("a byte order mark", [b"\xef\xbb\xbf", good.as_bytes()].concat()),
        ("zeros", vec![0; 1000]),
        ("a form", b"email=a%00%ff&password&&=&data=%7B%7D&email=b".to_vec()),
    ];
    for text in ["null", "true", "7", "\"text\"", "[]", "[{}]", "[null, 1, \"a\"]"] {
        bodies.push(("JSON that is no object", text.as_bytes().to_vec()));
    }
    if let Some((field, value)) =
        good_body(route).as_object().and_then(|fields| fields.iter().next())
    {
        let twice = format!("{{\"{field}\": {value}, \"{field}\": 1, \"{field}\": {value}}}");
        bodies.push(("a field that is there three times", twice.into_bytes()));
    }
    bodies
}

#[tokio::test(flavor = "multi_thread")]
async fn every_route_withstands_arbitrary_bodies() {
    let (service, cast) = start().await;
    let mut requests = Vec::new();
    for route in routes::all() {
        for (what, body) in bodies(&route) {
            let mut request = cast.request(&route);
            request.body = body;
            for kind in ["application/json", "application/x-www-form-urlencoded", "x/\u{7f}y", ""] {
                let mut request = request.clone();
                request.headers.retain(|(name, _)| name != "Content-Type");
                if kind != "application/json" && what.len() % 3 != 0 {
                    continue;
                }
                let request = request.header("Content-Type", kind.replace('\u{7f}', "\t"));
                requests.push(Try::new(&route, &format!("{what} as {kind}"), request));
            }
        }
    }
    no_problem(&service.base, requests).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_route_rejects_bodies_over_one_mebibyte() {
    let (service, cast) = start().await;
    for route in routes::all().into_iter().filter(|route| route.takes_body) {
        let mut request = cast.request(&route);
        request.body = Vec::new();
        let head = request.head(Some(1_048_577));
        let announced = said(&service.base, &[&head]).await;
        let head = String::from_utf8(head).expect("plain text");
        let head = head.replace("Content-Length: 1048577", "Transfer-Encoding: chunked");
        let filler = [b"100001\r\n".to_vec(), vec![b' '; 0x10_0001], b"\r\n".to_vec()].concat();
        let chunked = said(&service.base, &[head.as_bytes(), &filler]).await;
        for told in [announced, chunked] {
            assert_eq!(told.status, 413, "{} {}: {told:?}", route.method, route.path);
            assert_eq!(told.json()["error_code"], "request_entity_too_large");
        }
    }
}

/// Sends these bytes and reads the answer.
async fn said(base: &Url, parts: &[&[u8]]) -> crate::wire::RawResponse {
    use tokio::io::AsyncWriteExt;
    let mut stream = crate::wire::connect(base).await;
    for part in parts {
        let _ = stream.write_all(part).await;
    }
    crate::wire::read(&mut stream).await
}

/// Headers that the service or its middleware reads.
const HEADERS: [&str; 10] = [
    "X-JWT-AUD",
    "X-Forwarded-For",
    "User-Agent",
    "Referer",
    "redirect_to",
    "X-Supabase-Api-Version",
    "traceparent",
    "Origin",
    "Accept",
    "Cookie",
];

/// Returns invalid header values.
fn header_values() -> [(&'static str, Vec<u8>); 3] {
    [
        ("10 000 characters in every header", unlike(10_000).into_bytes()),
        ("bytes that are no text in every header", b"\xff\xfe\x80".to_vec()),
        ("marks in every header", b"',\";--\t%00%0d%0a{{.}}".to_vec()),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn every_route_withstands_arbitrary_and_many_headers() {
    let (service, cast) = start().await;
    let mut requests = Vec::new();
    for route in routes::all() {
        for (what, value) in header_values() {
            let with = |request: Request, name: &&str| request.header(name, value.clone());
            let request = HEADERS.iter().fold(cast.request(&route), with);
            requests.push(Try::new(&route, what, request));
            // An overlong audience would hide the effects of the other headers.
            let request = HEADERS.iter().skip(1).fold(cast.request(&route), with);
            requests.push(Try::new(&route, what, request));
        }
        for (header, value) in [
            ("X-Supabase-Api-Version", "9999-99-99"),
            ("X-Forwarded-For", "::ffff:1.2.3.4, 999.1.1.1, fe80::1%eth0"),
            ("Expect", "100-continue"),
        ] {
            requests.push(Try::new(&route, value, cast.request(&route).header(header, value)));
        }
        let flood = (0..90).fold(cast.request(&route), |request, number| {
            request.header(&format!("X-Flood-{number}"), vec![b'a'; 1000])
        });
        requests.push(Try::new(&route, "a flood of headers", flood));
    }
    no_problem(&service.base, requests).await;
    // Beyond the limits of HTTP itself the answer has no body, and the service keeps running.
    let flood = |count: usize, length: usize| {
        (0..count).fold(Request::new("GET", "/health"), |request, number| {
            request.header(&format!("X-Flood-{number}"), vec![b'a'; length])
        })
    };
    for (count, length) in [(5000, 10), (1, 2_000_000)] {
        let told = ask(&service.base, &flood(count, length)).await;
        assert!(matches!(told.status, 431 | 0), "{count} x {length}: {told:?}");
    }
    assert_eq!(ask(&service.base, &flood(0, 0)).await.status, 200);
}

#[tokio::test]
async fn absent_and_null_fields_get_the_same_response() {
    let (service, cast) = start().await;
    for route in routes::all().into_iter().filter(|route| route.door == routes::Door::Open) {
        let good = good_body(&route);
        let Some(fields) = good.as_object().filter(|fields| !fields.is_empty()) else { continue };
        for field in fields.keys() {
            let told = async |body: Value| {
                let mut request = cast.request(&route);
                request.body = body.to_string().into_bytes();
                let told = ask(&service.base, &request).await;
                (told.status, told.json()["msg"].clone())
            };
            let (mut null, mut absent) = (good.clone(), good.clone());
            null[field] = Value::Null;
            absent.as_object_mut().expect("an object").remove(field);
            let (null, absent) = (told(null).await, told(absent).await);
            assert_eq!(null.0, absent.0, "{} {}: {field}", route.method, route.path);
        }
    }
}
