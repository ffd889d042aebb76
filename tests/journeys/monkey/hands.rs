//! Random clicks, typing and key presses.

use rand::{RngExt, rngs::SmallRng};
use serde_json::json;

use crate::window::Window;

/// Buttons that lose something permanently, which is their purpose, or that leave the local studio,
/// where a monkey could not continue.
const FORBIDDEN: &str =
    "Empty trash|Delete permanently|Delete character|^Server$|Delete .* for good";

const PROMPTS: [&str; 4] = [
    "a person walks forward",
    "waves with the left hand",
    "jumps twice, then sits down",
    "turns around slowly",
];

const TEXTS: [&str; 8] = [
    "asdf",
    "",
    "\u{202e}אבג 🕺🏽",
    "<img src=x onerror=alert(1)>",
    "../../etc/passwd",
    "0",
    "-99999999999999",
    "a person walks and walks and walks and walks and walks and walks and walks and walks",
];

/// Key codes of WebDriver.
const KEYS: [&str; 22] = [
    "\u{E004}",
    "\u{E007}",
    "\u{E00C}",
    "\u{E012}",
    "\u{E013}",
    "\u{E014}",
    "\u{E015}",
    "\u{E017}",
    "\u{E009}\u{E007}",
    "\u{E009}1",
    "\u{E009}2",
    "\u{E009}3",
    "\u{E009}4",
    "\u{E009}z",
    "\u{E009}y",
    "\u{E009}a",
    "\u{E009}e",
    " ",
    "?",
    "g",
    "i",
    "p",
];

const GENERATE: &str = "\u{E009}\u{E007}\u{E009}";

/// Returns the prompt box if it is visible and not covered.
const PROMPT_BOX: &str = "
    const box = document.querySelector('section textarea');
    return box?.checkVisibility() && !document.querySelector('dialog[open]') ? box : null";

/// Returns the button that enters the studio, if the user is outside.
const ENTER_STUDIO: &str = "
    return document.querySelector('dialog[open]') ? null : [...document.querySelectorAll('button')]
        .find(e => e.innerText.includes('Continue on this computer') && !e.disabled) ?? null";

/// Removes the focus from a forbidden element, so that a key cannot press it either.
const DROP_FOCUS: &str = "
    const [forbidden] = arguments;
    const one = document.activeElement;
    if (new RegExp(forbidden).test([one?.innerText, one?.ariaLabel].join(' / ').slice(0, 60))) one.blur()";

/// Returns a random element and its text.
const CHOOSE: &str = "
    const [chance, forbidden] = arguments;
    const place = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document;
    const words = e => [e.innerText, e.ariaLabel, e.title, e.closest('label')?.innerText]
        .filter(Boolean).join(' / ').slice(0, 60);
    const all = [...place.querySelectorAll(
        'button, input, textarea, select, summary, a[href], [role=slider], [tabindex=\"0\"]')]
        .filter(e => !e.disabled && e.checkVisibility() && !e.closest('[inert]'))
        .filter(e => !new RegExp(forbidden).test(words(e)));
    const one = all[Math.floor(chance * all.length)];
    return one ? [one, one.tagName + ' ' + words(one), one.matches(
        'textarea, input:not([type=checkbox], [type=radio], [type=range])')] : null";

const LISTEN: &str = "
    window.complaints ??= (() => {
        const heard = [];
        addEventListener('error', e => heard.push(`${e.message} (${e.filename}:${e.lineno})`));
        addEventListener('unhandledrejection', e => heard.push(`rejected: ${e.reason?.stack ?? e.reason}`));
        return heard;
    })();";

/// Records errors in the page from now on.
pub(super) async fn listen(window: &Window) {
    window.run(LISTEN, vec![]).await;
}

/// Returns the errors in the page since it was opened; empty if there are none.
pub(super) async fn page_errors(window: &Window) -> String {
    let heard = window.run("return (window.complaints ?? []).join('; ')", vec![]).await;
    heard.and_then(|heard| heard.as_str().map(str::to_owned)).unwrap_or_default()
}

/// Performs one action at a time.
pub(super) struct Hands<'a> {
    window: &'a Window,
    random: &'a mut SmallRng,
}

impl<'a> Hands<'a> {
    pub(super) fn new(window: &'a Window, random: &'a mut SmallRng) -> Self {
        Self { window, random }
    }

    fn one_of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.random.random_range(0..texts.len())]
    }

    /// Performs a random action and describes it.
    pub(super) async fn do_something(&mut self) -> String {
        if self.random.random_range(0..10) == 0 {
            let button = self.window.run(ENTER_STUDIO, vec![]).await;
            if let Some(button) = button.filter(serde_json::Value::is_object) {
                self.window.click(&button).await;
                return "enter the studio".to_owned();
            }
            let prompt = self.one_of(&PROMPTS);
            let field = self.window.run(PROMPT_BOX, vec![]).await;
            if let Some(field) = field.filter(serde_json::Value::is_object) {
                self.window.fill(&field, &format!("{prompt}{GENERATE}")).await;
                return format!("generate: {prompt}");
            }
        }
        if self.random.random_range(0..4) == 0 {
            let keys = self.one_of(&KEYS);
            self.window.run(DROP_FOCUS, vec![json!(FORBIDDEN)]).await;
            self.window.key(keys).await;
            return format!("key {}", keys.escape_unicode());
        }
        let chance: f64 = self.random.random();
        let chosen = self.window.run(CHOOSE, vec![json!(chance), json!(FORBIDDEN)]).await;
        let Some(chosen) = chosen.as_ref().and_then(|chosen| chosen.as_array()) else {
            return "nothing to press".to_owned();
        };
        let words = chosen[1].as_str().unwrap_or_default().replace('\n', " ");
        let takes_text = chosen[2].as_bool().unwrap_or(false);
        let text = takes_text.then(|| self.one_of(&TEXTS));
        match text {
            // sometimes longer than any field accepts
            Some("") if self.random.random_range(0..2) == 0 => {
                self.window.fill(&chosen[0], &"walk ".repeat(400)).await;
            }
            Some(text) => self.window.fill(&chosen[0], text).await,
            None => self.window.click(&chosen[0]).await,
        }
        format!("{words} {}", text.unwrap_or_default())
    }
}
