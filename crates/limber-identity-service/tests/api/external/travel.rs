//! A browser that goes to a provider and comes back.

use std::collections::HashMap;

use reqwest::{Method, Url};
use serde_json::Value;

use super::stand_in::{Case, StandIn, Style};
use crate::service::{Answer, TestService};

/// Where a redirect led.
#[derive(Debug)]
pub(crate) struct Landing {
    pub(crate) status: u16,
    pub(crate) address: Url,
    /// Cookies to send from here on, as a `Cookie` header.
    pub(crate) cookies: String,
}

impl Landing {
    pub(crate) fn query(&self, name: &str) -> Option<String> {
        let mut pairs = self.address.query_pairs();
        pairs.find(|(n, _)| n == name).map(|(_, v)| v.into_owned())
    }

    pub(crate) fn fragment(&self, name: &str) -> Option<String> {
        let text = self.address.fragment().unwrap_or_default();
        let pairs: HashMap<String, String> =
            url::form_urlencoded::parse(text.as_bytes()).into_owned().collect();
        pairs.get(name).cloned()
    }

    /// Returns the access token. Panics if there is none.
    #[track_caller]
    pub(crate) fn access(&self) -> String {
        self.fragment("access_token").unwrap_or_else(|| panic!("no session: {self:?}"))
    }

    /// Asserts exactly this error, in both the query and the fragment.
    #[track_caller]
    pub(crate) fn is_error(&self, error: &str, code: &str, description: &str) {
        let expected = [("error", error), ("error_code", code), ("error_description", description)];
        for (name, value) in expected {
            assert_eq!(self.query(name).as_deref(), Some(value), "{self:?}");
            assert_eq!(self.fragment(name).as_deref(), Some(value), "{self:?}");
        }
        assert_eq!((self.status, self.fragment("sb").as_deref()), (302, Some("")));
        assert_eq!(self.fragment("access_token"), None);
    }
}

/// Sends a request and returns the redirect without following it.
pub(crate) async fn step(request: reqwest::RequestBuilder) -> Landing {
    let response = request.send().await.expect("the server responds");
    let status = response.status().as_u16();
    let cookies = cookies_of(&response);
    let location = response.headers().get("location").and_then(|l| l.to_str().ok());
    let Some(location) = location.map(str::to_owned) else {
        panic!("{status} has no target: {:?}", response.text().await)
    };
    Landing { status, address: Url::parse(&location).expect("the URL is absolute"), cookies }
}

fn cookies_of(response: &reqwest::Response) -> String {
    let lines = response.headers().get_all("set-cookie").iter().map(|line| line.to_str());
    let pairs = lines.map(|line| line.expect("text").split(';').next().unwrap_or_default());
    pairs.collect::<Vec<_>>().join("; ")
}

/// Adds the browser's cookies to a request.
pub(crate) fn with(request: reqwest::RequestBuilder, cookies: &str) -> reqwest::RequestBuilder {
    if cookies.is_empty() { request } else { request.header("cookie", cookies) }
}

/// Opens a URL that a client was given. If it is our consent page, presses the button.
pub(crate) async fn give_consent(address: &str) -> Landing {
    let page = browser().get(address).send().await.expect("the server responds");
    if page.status() != 200 {
        let cookies = cookies_of(&page);
        let status = page.status().as_u16();
        let location = page.headers()["location"].to_str().expect("text");
        return Landing { status, address: Url::parse(location).expect("an address"), cookies };
    }
    let cookies = cookies_of(&page);
    let text = page.text().await.expect("a page");
    let (_, rest) = text.split_once("name=\"pressed\" value=\"").expect("a button");
    let proof = rest.split('"').next().unwrap_or_default();
    step(with(browser().post(address).form(&[("pressed", proof)]), &cookies)).await
}

pub(crate) fn browser() -> reqwest::Client {
    let none = reqwest::redirect::Policy::none();
    reqwest::Client::builder().redirect(none).build().expect("a client can be built")
}

pub(crate) fn authorize_path(case: &Case, more: &str) -> String {
    format!("/authorize?provider={}{}{more}", case.name, case.asked)
}

/// Goes to the provider and returns the callback request that carries the code.
pub(crate) async fn to_callback(
    service: &TestService,
    stand_in: &StandIn,
    more: &str,
) -> reqwest::RequestBuilder {
    let case = stand_in.case();
    let away = step(service.request(Method::GET, &authorize_path(&case, more))).await;
    assert_eq!(away.status, 302);
    with(at_provider(&case, away.address).await, &away.cookies)
}

/// Consents at the provider and returns the browser's callback request.
pub(crate) async fn at_provider(case: &Case, address: Url) -> reqwest::RequestBuilder {
    if case.style != Style::Signed {
        return browser().get(step(browser().get(address)).await.address);
    }
    let page = browser().get(address).send().await.expect("Apple answers");
    let page = page.text().await.expect("a page");
    let between = |from: &str, to: &str| {
        let (_, rest) = page.split_once(from).unwrap_or_else(|| panic!("{from} in {page}"));
        rest.split(to).next().unwrap_or_default().replace("&quot;", "\"")
    };
    let fields = ["state", "code", "user"]
        .map(|name| (name, between(&format!(r#"name="{name}" value=""#), "\"><")));
    browser().post(between(r#"action=""#, "\">")).form(&fields)
}

/// Completes a whole sign-in.
pub(crate) async fn round_trip(service: &TestService, stand_in: &StandIn, more: &str) -> Landing {
    step(to_callback(service, stand_in, more).await).await
}

/// Returns the account that was signed in.
pub(crate) async fn account(service: &TestService, landing: &Landing) -> Value {
    service.get_as(&landing.access(), "/user").await.ok().body
}

/// Sends a request and returns the whole response.
pub(crate) async fn answer(request: reqwest::RequestBuilder) -> Answer {
    Answer::of(request).await
}
