//! Keyboard-only operation: everything a journey does is done with Tab, arrows, Enter and Space.
//!
//! `LIMBER_JOURNEYS_BY_KEYBOARD=1` makes every journey use it.

use fantoccini::{Client, Locator, elements::Element};

/// Key codes of WebDriver.
const TAB: &str = "\u{E004}";
const ENTER: &str = "\u{E007}";
const UP: &str = "\u{E013}";
const DOWN: &str = "\u{E015}";
const ALL: &str = "\u{E009}a\u{E009}";
/// More tab stops than any page has.
const MOST_STOPS: usize = 250;

pub(crate) fn is_wanted() -> bool {
    std::env::var_os("LIMBER_JOURNEYS_BY_KEYBOARD").is_some()
}

/// What to do with the element that was reached.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Touch<'a> {
    Press,
    /// Select one of a group of radio buttons.
    Choose,
    Tick,
    Write(&'a str),
}

/// Tabs to one of these elements and acts on it. Returns `None` if none of them can be reached at
/// the moment.
pub(crate) async fn touch(client: &Client, wanted: Locator<'_>, touch: Touch<'_>) -> Option<()> {
    let found = client.find_all(wanted).await.ok()?;
    let mut ids = Vec::new();
    for element in &found {
        if element.is_enabled().await.ok()? {
            ids.push(element.element_id());
        }
    }
    if ids.is_empty() {
        return None;
    }
    let wanted_group = group(found.first()?).await?;
    let is_there = |at: &Element| ids.contains(&at.element_id());
    for _ in 0..MOST_STOPS {
        let at = client.active_element().await.ok()?;
        if is_there(&at) {
            return act(&at, touch).await;
        }
        // arrow keys select what they move over, so they are used in the wanted group only
        if wanted_group.is_some() && group(&at).await? == wanted_group {
            return walk_among(client, &is_there).await;
        }
        client.active_element().await.ok()?.send_keys(TAB).await.ok()?;
    }
    None
}

/// Returns the radio group of an element; Tab stops only at the selected button of a group.
async fn group(element: &Element) -> Option<Option<String>> {
    if element.attr("type").await.ok()?.as_deref() != Some("radio") {
        return Some(None);
    }
    element.attr("name").await.ok()
}

/// Moves within a radio group by arrow keys, which select: all the way down, then up.
async fn walk_among(client: &Client, is_there: &impl Fn(&Element) -> bool) -> Option<()> {
    for arrow in [DOWN, UP] {
        for _ in 0..MOST_STOPS {
            let before = client.active_element().await.ok()?;
            before.send_keys(arrow).await.ok()?;
            let at = client.active_element().await.ok()?;
            if is_there(&at) {
                return Some(());
            }
            if at.element_id() == before.element_id() {
                break;
            }
        }
    }
    None
}

async fn act(at: &Element, touch: Touch<'_>) -> Option<()> {
    match touch {
        Touch::Press => at.send_keys(ENTER).await.ok(),
        // moving to it has selected it, unless the movement began there
        Touch::Choose => at.is_selected().await.ok()?.then_some(()),
        Touch::Tick => at.send_keys(" ").await.ok(),
        Touch::Write(text) => at.send_keys(&format!("{ALL}{text}")).await.ok(),
    }
}
