//! URLs: malformed paths and queries, and redirect targets that merely look allowed.

use limber_identity_service::Config;
use reqwest::{Method, Url};
use serde_json::json;

use super::{Try, everything_on, no_problem, routes, start, unlike};
use crate::service::{SITE, TestService};
use crate::wire::{Request, ask};

/// Returns wrong values for a query or path, already encoded.
fn pieces() -> Vec<String> {
    let long = unlike(10_000);
    let plain = [
        "%00",
        "%0d%0aSet-Cookie:%20a=b",
        "%ff%fe",
        "%c0%ae%c0%ae%2f",
        "..%2f..%2fetc",
        "%",
        "%zz",
        "-1",
        "0",
        "1e9",
        "99999999999999999999",
        "9223372036854775807",
        "2147483648",
        "true",
        "null",
        "%27%20OR%201=1--",
        "%F0%9F%92%83",
        "%E2%80%AE",
        "[]",
        "%7B%7D",
        "*",
        "00000000-0000-0000-0000-000000000000",
        "%20",
        "a&a=b&a=c",
        "%25%32%35",
    ];
    plain.iter().map(ToString::to_string).chain([long]).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_query_and_path_withstands_arbitrary_values() {
    let (service, cast) = start().await;
    let mut requests = Vec::new();
    for route in routes::all() {
        for piece in pieces() {
            let short: String = piece.chars().take(30).collect();
            for parameter in &route.query {
                let target = cast.target(&route, Some((parameter, &piece)));
                let request = cast.request_to(&route, target.into_bytes());
                requests.push(Try::new(&route, &format!("{short} as {parameter}"), request));
            }
            for parameter in ["{user_id}", "{factor_id}", "{session_id}", "{identity_id}"] {
                if !route.path.contains(parameter) {
                    continue;
                }
                let piece = piece.replace(['&', '?', '#'], "");
                let target =
                    route.path.replace(parameter, &piece).replace("{user_id}", &cast.victim);
                let target = target.replace("{factor_id}", "3f1e2a38-0000-4000-8000-000000000003");
                let request = cast.request_to(&route, target.into_bytes());
                requests.push(Try::new(&route, &format!("{short} as {parameter}"), request));
            }
        }
        for around in ["//", "/auth/v1", "/auth/v1/auth/v1", "/.", "/%2e%2e", "/;a=b"] {
            let target = format!("{around}{}", cast.target(&route, None));
            let request = cast.request_to(&route, target.into_bytes());
            requests.push(Try::new(&route, &format!("{around} before it"), request));
        }
        let target = cast.target(&route, None);
        let mark = if target.contains('?') { '&' } else { '?' };
        let target = format!("{target}{mark}a=%00&%ff&&=&a=%zz&%F0%9F={}", unlike(10_000));
        let request = cast.request_to(&route, target.into_bytes());
        requests.push(Try::new(&route, "an unknown query", request));
    }
    no_problem(&service.base, requests).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn unsupported_methods_get_the_documented_error() {
    let (service, cast) = start().await;
    let mut requests = Vec::new();
    for route in routes::all() {
        for method in ["PATCH", "TRACE", "PROPFIND", "A"] {
            let mut request = cast.request(&route);
            request.method = method.to_owned();
            requests.push(Try::new(&route, &format!("the method {method}"), request));
        }
    }
    no_problem(&service.base, requests).await;
}

/// Redirect targets, none of which leads to the site or an allowed address.
const TRICKS: [&str; 38] = [
    // userinfo
    "https://app.example@evil.example/",
    "https://app.example:443@evil.example/",
    "https://a:b@app.example/",
    "https://site.example%2f@evil.example/",
    "http://site.example@evil.example/",
    "http://a@site.example/",
    // backslashes, tabs and line breaks
    "https://evil.example\\@app.example/",
    "https:\\\\evil.example\\app.example",
    "\\\\evil.example",
    "https://evil.example\t.good.example/",
    "https://app.example\r\n.evil.example/",
    "ht\ntps://evil.example/",
    "\u{1}https://evil.example/",
    // no scheme, or another one
    "//evil.example/",
    "///evil.example",
    "/\\evil.example",
    "https:evil.example",
    "https:/evil.example/",
    "javascript:alert(1)//https://app.example/",
    "data:text/html,<script>alert(1)</script>",
    "file:///etc/passwd",
    "vbscript:x",
    // Look-alike names.
    "https://app.example.evil.example/",
    "https://evilapp.example/",
    "https://evil.example/.good.example/",
    "https://evil.example#.good.example/",
    "https://evil.example?.good.example/",
    "https://evil.example%23.good.example/",
    "https://evil.example%2f.good.example/",
    "https://evil.example%5c.good.example/",
    "https://evil%E3%80%82example/",
    "https://\u{ff45}vil.example/",
    // IP addresses in unusual notations.
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0177.0.0.1/",
    "http://127.1/",
    "http://[::ffff:10.0.0.1]/",
    "http://10.0.0.1/",
];

fn two_places(config: &mut Config) {
    everything_on(config);
    config.uri_allow_list =
        vec!["https://app.example/**".to_owned(), "https://*.good.example/".to_owned()];
}

fn escaped(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// Returns where an invalid link leads if asked to redirect to `target`.
async fn led_to(service: &TestService, carrier: &str, target: &str) -> String {
    let link = "/verify?type=signup&token=a";
    let request = match carrier {
        "query" => Request::new("GET", format!("{link}&redirect_to={}", escaped(target))),
        header => Request::new("GET", link).header(header, target),
    };
    let told = ask(&service.base, &request).await;
    assert_eq!(told.status, 303, "{carrier} {target:?}: {told:?}");
    told.header("location").expect("there is a redirect target").to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn no_trick_redirects_a_browser_to_a_disallowed_url() {
    let service = TestService::start_with(two_places).await;
    for good in ["https://app.example/a/b?c=d", "https://x.good.example/", "http://site.example/a"]
    {
        for carrier in ["query", "redirect_to", "Referer"] {
            let location = led_to(&service, carrier, good).await;
            let expected = good.split('?').next().expect("an address");
            assert!(location.starts_with(expected), "{carrier}: {location}");
        }
    }
    for trick in TRICKS {
        let location = led_to(&service, "query", trick).await;
        let host = Url::parse(&location).expect("an address").host_str().map(str::to_owned);
        assert_eq!(host.as_deref(), Some("site.example"), "{trick:?} leads to {location}");
        if trick.is_ascii() && !trick.contains(char::is_control) {
            for header in ["redirect_to", "Referer"] {
                let location = led_to(&service, header, trick).await;
                assert!(location.starts_with(SITE), "{header}: {trick:?} leads to {location}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_trick_gets_a_disallowed_url_into_an_emailed_link() {
    let service = TestService::start_with(two_places).await;
    for (number, trick) in TRICKS.iter().enumerate() {
        let email = format!("n{number}@b.co");
        // A target that is not allowed is ignored, and the email links to the site instead.
        for (nth, path) in ["/otp", "/recover"].into_iter().enumerate() {
            let path = format!("{path}?redirect_to={}", escaped(trick));
            service.post(&path, json!({"email": email})).await.ok();
            let mail = service.mailbox.nth(&email, nth + 1).await;
            assert_eq!(mail.parameter("redirect_to"), SITE, "{trick:?}");
        }
    }
    let body = json!({"email": "invited@b.co"});
    let path = format!("/invite?redirect_to={}", escaped(TRICKS[0]));
    service.send_as(&service.admin_token(), Method::POST, &path, body).await.ok();
    let mail = service.mailbox.nth("invited@b.co", 1).await;
    assert_eq!(mail.parameter("redirect_to"), SITE);
}
