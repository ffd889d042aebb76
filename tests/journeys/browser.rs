//! A person's browser: a real Chromium, which hands links that are not for it over to the desktop.

use std::{
    net::TcpListener,
    process::{Child, Command, Stdio},
};

use fantoccini::{Client, ClientBuilder, Locator};
use reqwest::Url;
use serde_json::json;

use crate::{home::Home, window::until};

/// One run of Chromium, in a profile of its own.
pub(crate) struct Browser {
    client: Client,
    driver: Child,
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

impl Browser {
    /// In this home, with a person who has agreed once and for all that pages of these origins may
    /// open links of Limber's.
    pub(crate) async fn open(home: &Home, origins: &[&str]) -> Self {
        let port =
            TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("it").port();
        let driver = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .envs(home.variables_of_a_desktop())
            .stdout(Stdio::null())
            .spawn()
            .expect("chromium-driver is installed");
        let agreed: serde_json::Map<_, _> = origins
            .iter()
            .map(|origin| ((*origin).to_owned(), json!({ "limber": true })))
            .collect();
        let profile = home.path().join("chromium");
        let options = json!({
            // tests run as root in some places, where its sandbox refuses to
            "args": ["--no-sandbox", "--no-first-run", format!("--user-data-dir={}", profile.display())],
            "prefs": { "protocol_handler": { "allowed_origin_protocol_pairs": agreed } },
        });
        let capabilities = json!({ "goog:chromeOptions": options });
        let capabilities = capabilities.as_object().expect("an object").clone();
        let address = format!("http://127.0.0.1:{port}");
        let client = until("a browser", async || {
            let connector = hyper_util::client::legacy::connect::HttpConnector::new();
            let mut builder = ClientBuilder::new(connector);
            builder.capabilities(capabilities.clone()).connect(&address).await.ok()
        })
        .await;
        Self { client, driver }
    }

    /// Ends it in order: a browser whose driver dies lives on, and keeps its profile.
    pub(crate) async fn close(self) {
        self.client.clone().close().await.expect("it ends");
    }

    /// Signs in at the provider that this address leads to, and agrees to what it asks.
    pub(crate) async fn sign_in(&self, address: &Url, login: &str) {
        self.client.goto(address.as_str()).await.expect("the page opens");
        self.write("input[name=login]", login).await;
        self.write("input[name=password]", "any").await;
        self.submit("login").await;
        self.submit("consent").await;
    }

    /// The provider would not ask whom it remembers.
    pub(crate) async fn forget_people(&self) {
        self.client.delete_all_cookies().await.expect("they are forgotten");
    }

    async fn write(&self, css: &str, text: &str) {
        until(css, async || {
            let field = self.client.find(Locator::Css(css)).await.ok()?;
            field.send_keys(text).await.ok()
        })
        .await;
    }

    /// Sends the form of this question.
    async fn submit(&self, question: &str) {
        let button = format!("form:has(input[value={question}]) button[type=submit]");
        until(&format!("the question {question}"), async || {
            self.client.find(Locator::Css(&button)).await.ok()?.click().await.ok()
        })
        .await;
    }
}
