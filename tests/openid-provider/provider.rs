//! The OpenID provider of this folder as a process, and a user who visits it. Included by the tests
//! of the identity service and by the journeys.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use reqwest::Url;

/// Client credentials of the identity service at the provider.
pub(crate) const CLIENT_ID: &str = "our-client";
pub(crate) const CLIENT_SECRET: &str = "our secret & more";

/// A running provider, killed when dropped.
pub(crate) struct Provider {
    process: Child,
    pub(crate) base: Url,
    /// Kept open, because a program whose output is closed exits.
    _output: BufReader<ChildStdout>,
}

impl Drop for Provider {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Provider {
    /// Starts the provider from this folder, with the paths of `product`. Prints a message and
    /// returns `None` if its packages are not installed.
    pub(crate) fn start(folder: &Path, product: &str, redirect_uri: &str) -> Option<Self> {
        if !folder.join("node_modules/oidc-provider").exists() {
            println!(
                "skipped: run `npm ci` in tests/openid-provider to sign in at a real provider"
            );
            return None;
        }
        let mut process = Command::new("node")
            .arg(folder.join("provider.mjs"))
            .args([product, redirect_uri])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("node can be started");
        let mut output = BufReader::new(process.stdout.take().expect("it was piped"));
        let lines = output.by_ref().lines();
        let address = lines.map_while(Result::ok).find(|line| line.starts_with("http://"));
        let base = Url::parse(&address.expect("it prints its address")).expect("a whole address");
        Some(Self { process, base, _output: output })
    }
}

/// A user at the provider, with a browser that keeps cookies and fills in forms.
pub(crate) struct Visitor {
    login: &'static str,
    cookies: BTreeMap<String, String>,
    browser: reqwest::Client,
}

impl Visitor {
    pub(crate) fn new(login: &'static str) -> Self {
        let browser = reqwest::Client::builder()
            .redirect(reqwest::redirect::Policy::none())
            .tls_certs_only([])
            .build()
            .expect("a client can be built");
        Self { login, cookies: BTreeMap::new(), browser }
    }

    /// Follows pages from an address until one that begins with `until`.
    pub(crate) async fn go(&mut self, address: Url, until: &str) -> Url {
        let (mut address, mut form) = (address, None);
        for _ in 0..16 {
            let (next, page) = self.open(&address, form.take()).await;
            match next {
                Some(next) if next.as_str().starts_with(until) => return next,
                Some(next) => address = next,
                None => {
                    form = Some(self.fill_in(&page));
                    let action = between(&page, "action=\"", "\"");
                    address = address.join(&action).expect("a valid path");
                }
            }
        }
        panic!("the provider never led back; it is at {address}")
    }

    async fn open(&mut self, address: &Url, form: Option<Fields>) -> (Option<Url>, String) {
        let request = match form {
            Some(fields) => self.browser.post(address.clone()).form(&fields),
            None => self.browser.get(address.clone()),
        };
        let cookies: Vec<String> = self.cookies.iter().map(|(n, v)| format!("{n}={v}")).collect();
        let response =
            request.header("cookie", cookies.join("; ")).send().await.expect("it answers");
        for cookie in response.headers().get_all("set-cookie") {
            let text = cookie.to_str().expect("plain text").split(';').next().unwrap_or_default();
            let (name, value) = text.split_once('=').expect("a cookie has a name");
            self.cookies.insert(name.to_owned(), value.to_owned());
        }
        let location = response.headers().get("location").and_then(|l| l.to_str().ok());
        let next = location.map(|l| address.join(l).expect("a whole address"));
        (next, response.text().await.expect("a page"))
    }

    /// Fills in the form of the sign-in page or of the consent page.
    fn fill_in(&self, page: &str) -> Fields {
        let prompt = between(page, "name=\"prompt\" value=\"", "\"");
        let mut fields = vec![("prompt", prompt.clone())];
        if prompt == "login" {
            fields.extend([("login", self.login.to_owned()), ("password", "any".to_owned())]);
        }
        fields
    }
}

type Fields = Vec<(&'static str, String)>;

#[track_caller]
fn between(page: &str, from: &str, to: &str) -> String {
    let rest = page.split_once(from).unwrap_or_else(|| panic!("{from} in {page}")).1;
    rest.split(to).next().unwrap_or_default().to_owned()
}
