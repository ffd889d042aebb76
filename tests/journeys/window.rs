//! The window, driven by WebDriver. Every query is repeated until it succeeds, because the page
//! appears after the session and changes meanwhile.

use std::{
    process::Command,
    time::{Duration, Instant},
};

use fantoccini::{Client, Locator, elements::Element};
use serde_json::{Value, json};

use crate::{
    access::findings,
    driver::{Driver, drive},
    home::{Home, program},
    keyboard::{self, Touch},
};

/// Timeout for anything to appear: debug builds are slow, and two processors are busy.
const PATIENCE: Duration = Duration::from_secs(300);
/// Interval between two queries.
const PACE: Duration = Duration::from_millis(100);

/// Number of queries within which a page has to report a click.
const MOST_QUESTIONS: u32 = 50;

/// Listens for the next click, and whether it hits this element.
const AIM: &str = "
    const [element] = arguments;
    const box = element.getBoundingClientRect();
    const there = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    // drivers consider an element visible if any part of it is
    if (!element.contains(there)) element.scrollIntoView({ block: 'center' });
    window.aim?.abort();
    const aim = (window.aim = new AbortController());
    const heard = (event) => (aim.hit = aim.hit || event.composedPath().includes(element));
    addEventListener('click', heard, { capture: true, signal: aim.signal });";

/// Returns whether the click hit, or null before any click.
const HIT: &str = "return window.aim?.hit ?? null";

/// A running app.
pub(crate) struct Window {
    pub(crate) client: Client,
    _driver: Driver,
}

impl Window {
    /// Starts the app in this home and waits for its page.
    pub(crate) async fn open(home: &Home) -> Self {
        Self::open_with(home, &[]).await
    }

    /// Does the same with arguments, as when the desktop passes on a link.
    pub(crate) async fn open_with(home: &Home, arguments: &[&str]) -> Self {
        assert!(
            std::env::var_os("DISPLAY").is_some(),
            "journeys need a desktop: run them with `cargo xtask test journeys`, which starts one \
             for each, or leave them out with --no-default-features"
        );
        let mut driver = Command::new("WebKitWebDriver");
        // journeys look for English texts
        driver.env("TAURI_WEBVIEW_AUTOMATION", "true").env("LC_ALL", "C.UTF-8");
        driver.envs(home.variables());
        let options = json!({ "binary": program(), "args": arguments });
        let capabilities = json!({ "webkitgtk:browserOptions": options });
        let (client, driver) = drive(&driver, &capabilities).await;
        Self { client, _driver: driver }
    }

    /// Asks the program to exit as the system does when a user logs out (the driver could only kill
    /// it), and waits until the studio has stopped too.
    pub(crate) async fn close(self, home: &Home) {
        home.end_app();
        until("the program to exit", async || home.processes("limber").is_empty().then_some(()))
            .await;
    }

    pub(crate) async fn press(&self, button: &str) {
        let path = format!(
            "//button[contains(normalize-space(.), \"{button}\") or @aria-label=\"{button}\"]"
        );
        self.touch(&format!("the button {button}"), &path, Touch::Press).await;
    }

    /// Presses the button with exactly this text and no other accessible name: every listed session
    /// has a “Sign out” button.
    pub(crate) async fn press_exactly(&self, button: &str) {
        let path = format!("//button[normalize-space(.)=\"{button}\" and not(@aria-label)]");
        self.touch(&format!("the button {button}"), &path, Touch::Press).await;
    }

    /// Ticks the checkbox whose label contains this text.
    pub(crate) async fn tick(&self, words: &str) {
        let path = format!("//label[contains(normalize-space(.), \"{words}\")]/input");
        self.touch(&format!("the checkbox {words}"), &path, Touch::Tick).await;
    }

    /// Selects a radio button by its label.
    pub(crate) async fn choose(&self, words: &str) {
        let path = format!("//label[normalize-space(.)=\"{words}\"]/input[@type=\"radio\"]");
        self.touch(&format!("the option {words}"), &path, Touch::Choose).await;
    }

    pub(crate) async fn write(&self, label: &str, text: &str) {
        let path = format!("//*[@id=(//label[normalize-space(.)=\"{label}\"]/@for)]");
        self.touch(&format!("the field {label}"), &path, Touch::Write(text)).await;
    }

    /// Types into the prompt box.
    pub(crate) async fn prompt(&self, words: &str) {
        self.write("What should the character do?", words).await;
    }

    /// Waits until this text is somewhere on the page, including text for assistive technology.
    pub(crate) async fn see(&self, text: &str) {
        self.until(&format!("the text {text}"), async || self.says(text).await.then_some(())).await;
    }

    /// Returns whether this text is on the page now.
    pub(crate) async fn says(&self, text: &str) -> bool {
        self.source().await.is_some_and(|words| words.contains(text))
    }

    /// Returns whether a job shows progress.
    pub(crate) async fn shows_work(&self) -> bool {
        self.count("[role=progressbar][aria-valuenow]:not([aria-valuenow='0'])").await > 0
    }

    /// Fills in and submits the form for a new account.
    pub(crate) async fn create_account(&self, email: &str, password: &str) {
        self.press("Create one").await;
        self.write("Email", email).await;
        self.write("Password", password).await;
        self.press("Create account").await;
        self.see(&format!("We sent a link to {email}")).await;
    }

    /// Follows the confirmation link in the email.
    pub(crate) async fn confirm_by_mail(&self) {
        self.press("Mail on this computer").await;
        self.follow_mail("Confirm", "").await;
    }

    /// Opens the newest email with this subject to this address in the open sheet, and follows its
    /// link.
    pub(crate) async fn follow_mail(&self, subject: &str, to: &str) {
        let path = format!(
            "//dialog//li/button[contains(normalize-space(.), \"{subject}\") and \
             contains(normalize-space(.), \"{to}\")]"
        );
        self.touch(&format!("the email {subject}"), &path, Touch::Press).await;
        self.see(&format!("to {to}")).await;
        self.keys("article .links button", "\u{E007}").await;
    }

    /// Returns the text of an element.
    pub(crate) async fn words_of(&self, css: &str) -> String {
        self.until(css, async || self.client.find(Locator::Css(css)).await.ok()?.text().await.ok())
            .await
    }

    /// Waits until this text is no longer on the page.
    pub(crate) async fn see_no_more(&self, text: &str) {
        self.until(&format!("the text {text} to disappear"), async || {
            (!self.source().await?.contains(text)).then_some(())
        })
        .await;
    }

    /// Waits until the editor has opened the result of the edit just submitted: that clip's own
    /// editor lists no jobs.
    pub(crate) async fn result_opens(&self) {
        let jobs = "article.editor ul.jobs";
        self.until("the job to be listed", async || (self.count(jobs).await > 0).then_some(()))
            .await;
        self.until("its result", async || (self.count(jobs).await == 0).then_some(())).await;
    }

    pub(crate) async fn never_sees(&self, text: &str) {
        let words = self.until("any text", async || self.source().await).await;
        assert!(!words.contains(text), "the page shows {text}");
    }

    pub(crate) async fn count(&self, css: &str) -> usize {
        self.client.find_all(Locator::Css(css)).await.map_or(0, |found| found.len())
    }

    pub(crate) async fn keys(&self, css: &str, keys: &str) {
        self.until(css, async || {
            self.client.find(Locator::Css(css)).await.ok()?.send_keys(keys).await.ok()
        })
        .await;
    }

    /// Inspects the page: axe-core must find no violations, and a screenshot is saved as `NAME.png`
    /// in the folder named by `LIMBER_PICTURES`, if it is set. The screenshots of the documentation
    /// are made this way.
    pub(crate) async fn inspect(&self, name: &str) {
        let mut found = None;
        // elements that fade in or out lack contrast for a moment
        let is_fine = patiently(PATIENCE, async || {
            found = findings(&self.client).await;
            found.as_ref()?.is_empty().then_some(())
        });
        assert!(is_fine.await.is_some(), "accessibility violations on the page {name}: {found:#?}");
        if let Some(folder) = std::env::var_os("LIMBER_PICTURES") {
            let picture = self.client.screenshot().await.expect("a screenshot can be taken");
            let file = std::path::Path::new(&folder).join(name).with_extension("png");
            std::fs::write(file, picture).expect("LIMBER_PICTURES is a writable folder");
        }
    }

    /// Returns the position on the display of the centre of an element, once it has stopped moving.
    /// Without a window manager the page begins in the corner of the display.
    pub(crate) async fn middle_of(&self, css: &str) -> (i32, i32) {
        let mut before = None;
        self.until(css, async || {
            let place = self.client.find(Locator::Css(css)).await.ok()?.rectangle().await.ok()?;
            let stands_still = before.replace(place) == Some(place);
            let (left, top, width, height) = place;
            let middle = ((left + width / 2.0) as i32, (top + height / 2.0) as i32);
            stands_still.then_some(middle)
        })
        .await
    }

    /// Returns a screenshot of an element; `None` while it does not exist.
    pub(crate) async fn picture_of(&self, css: &str) -> Option<image::RgbImage> {
        let element = self.client.find(Locator::Css(css)).await.ok()?;
        let (left, top, width, height) = element.rectangle().await.ok()?;
        let page = image::load_from_memory(&self.client.screenshot().await.ok()?).ok()?;
        let [left, top, width, height] = [left, top, width, height].map(|length| length as u32);
        Some(page.crop_imm(left, top, width, height).into_rgb8())
    }

    /// Runs a script in the page and returns its result; `None` while there is no page.
    pub(crate) async fn run(&self, script: &str, arguments: Vec<Value>) -> Option<Value> {
        self.client.execute(script, arguments).await.ok()
    }

    /// Sends keys to the focused element, if there is one.
    pub(crate) async fn key(&self, keys: &str) {
        if let Ok(focused) = self.client.active_element().await {
            let _ = focused.send_keys(keys).await;
        }
    }

    /// Clicks an element returned by a script, if it still exists.
    pub(crate) async fn click(&self, element: &Value) {
        if let Some(element) = self.element(element) {
            let _ = element.click().await;
        }
    }

    /// Types into an element returned by a script, if it still exists.
    pub(crate) async fn fill(&self, element: &Value, text: &str) {
        if let Some(element) = self.element(element) {
            let _ = element.clear().await;
            let _ = element.send_keys(text).await;
        }
    }

    fn element(&self, element: &Value) -> Option<Element> {
        let id = element.as_object()?.values().next()?.as_str()?.to_owned();
        Some(Element::from_element_id(self.client.clone(), id.into()))
    }

    /// Returns all text of the page; `None` while there is no page.
    async fn source(&self) -> Option<String> {
        let script = "return document.body.innerText + ' ' + \
            [...document.querySelectorAll('[aria-label]')].map(e => e.ariaLabel).join(' ')";
        self.client.execute(script, vec![]).await.ok()?.as_str().map(str::to_owned)
    }

    /// Repeats a query until it succeeds; on timeout, fails with the text of the page.
    async fn until<T>(&self, what: &str, ask: impl AsyncFnMut() -> Option<T>) -> T {
        if let Some(answer) = patiently(PATIENCE, ask).await {
            return answer;
        }
        let words = self.source().await.unwrap_or_default();
        panic!("timed out waiting for {what}; the page shows: {words}");
    }

    /// Acts on the element at this path, by pointer or keyboard.
    async fn touch(&self, what: &str, path: &str, touch: Touch<'_>) {
        self.until(what, async || {
            if keyboard::is_wanted() {
                return keyboard::touch(&self.client, Locator::XPath(path), touch).await;
            }
            let element = self.client.find(Locator::XPath(path)).await.ok()?;
            if !element.is_enabled().await.ok()? {
                return None;
            }
            if let Touch::Write(text) = touch {
                element.clear().await.ok()?;
                return element.send_keys(text).await.ok();
            }
            // checkboxes and radio buttons are small or hidden below their labels
            let words = element.find(Locator::XPath("self::button | parent::label")).await.ok()?;
            if !self.hits(&words).await? {
                return None;
            }
            let is_missed = matches!(touch, Touch::Choose)
                && element.is_selected().await.is_ok_and(|is_chosen| !is_chosen);
            (!is_missed).then_some(())
        })
        .await;
    }

    /// Clicks an element and returns whether it was hit, because the page may move under the
    /// pointer.
    async fn hits(&self, element: &Element) -> Option<bool> {
        let aimed_at = serde_json::to_value(element).ok()?;
        self.client.execute(AIM, vec![aimed_at]).await.ok()?;
        let is_clicked = element.click().await.is_ok();
        for _ in 0..MOST_QUESTIONS {
            match self.client.execute(HIT, vec![]).await {
                Ok(Value::Bool(is_hit)) => return Some(is_hit),
                Ok(_) if is_clicked => tokio::time::sleep(PACE).await,
                Ok(_) => return Some(false),
                // the page has changed, and a second click could do harm
                Err(_) => return Some(is_clicked),
            }
        }
        Some(false)
    }
}

/// Repeats a query until it succeeds.
pub(crate) async fn until<T>(what: &str, ask: impl AsyncFnMut() -> Option<T>) -> T {
    within(PATIENCE, what, ask).await
}

/// Does the same with a specific timeout.
pub(crate) async fn within<T>(
    limit: Duration,
    what: &str,
    ask: impl AsyncFnMut() -> Option<T>,
) -> T {
    patiently(limit, ask).await.unwrap_or_else(|| panic!("timed out waiting for {what}"))
}

async fn patiently<T>(limit: Duration, mut ask: impl AsyncFnMut() -> Option<T>) -> Option<T> {
    let deadline = now() + limit;
    loop {
        if let Some(answer) = ask().await {
            return Some(answer);
        }
        if now() >= deadline {
            return None;
        }
        tokio::time::sleep(PACE).await;
    }
}

#[expect(clippy::disallowed_methods, reason = "a journey takes real time")]
fn now() -> Instant {
    Instant::now()
}
