//! The user's browser: a real Chromium, which passes `limber:` links on to the desktop.

use std::process::Command;

use fantoccini::{Client, Locator};
use reqwest::Url;
use serde_json::json;

use crate::{
    driver::{Driver, drive},
    home::Home,
    window::until,
};

/// A running Chromium with its own profile.
pub(crate) struct Browser {
    client: Client,
    _driver: Driver,
}

impl Browser {
    /// Opens the browser in this home, with permission for pages of these origins to open Limber's
    /// links.
    pub(crate) async fn open(home: &Home, origins: &[&str]) -> Self {
        let mut driver = Command::new("chromedriver");
        driver.envs(home.variables_of_a_desktop());
        let agreed: serde_json::Map<_, _> = origins
            .iter()
            .map(|origin| ((*origin).to_owned(), json!({ "limber": true })))
            .collect();
        let profile = home.path().join("chromium");
        let options = json!({
            // tests run as root in some places, where the sandbox does not work
            "args": ["--no-sandbox", "--no-first-run", format!("--user-data-dir={}", profile.display())],
            "prefs": { "protocol_handler": { "allowed_origin_protocol_pairs": agreed } },
        });
        let capabilities = json!({ "goog:chromeOptions": options });
        let (client, driver) = drive(&driver, &capabilities).await;
        Self { client, _driver: driver }
    }

    /// Closes the browser cleanly: if its driver were killed, it would keep running with its
    /// profile.
    pub(crate) async fn close(self) {
        self.client.clone().close().await.expect("the browser can be closed");
    }

    pub(crate) async fn open_page(&self, address: &str) {
        self.client.goto(address).await.expect("the page opens");
    }

    /// Signs in at the identity provider with this address, and gives consent.
    pub(crate) async fn sign_in(&self, address: &Url, login: &str) {
        self.open_page(address.as_str()).await;
        self.write("input[name=login]", login).await;
        self.write("input[name=password]", "any").await;
        self.submit("login").await;
        self.submit("consent").await;
    }

    /// Cancels the sign-in at the identity provider with this address.
    pub(crate) async fn cancel_sign_in(&self, address: &Url) {
        self.open_page(address.as_str()).await;
        let back = "a[href$='/abort']";
        until(back, async || self.client.find(Locator::Css(back)).await.ok()?.click().await.ok())
            .await;
    }

    /// Deletes cookies, so that the provider asks for the login again.
    pub(crate) async fn delete_cookies(&self) {
        self.client.delete_all_cookies().await.expect("the cookies can be deleted");
    }

    async fn write(&self, css: &str, text: &str) {
        until(css, async || {
            let field = self.client.find(Locator::Css(css)).await.ok()?;
            field.send_keys(text).await.ok()
        })
        .await;
    }

    /// Submits the form with this prompt.
    async fn submit(&self, question: &str) {
        let button = format!("form:has(input[value={question}]) button[type=submit]");
        until(&format!("the form for {question}"), async || {
            self.client.find(Locator::Css(&button)).await.ok()?.click().await.ok()
        })
        .await;
    }
}
