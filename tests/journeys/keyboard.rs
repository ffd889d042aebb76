//! The hands of somebody who has no pointer: whatever a journey does, done by Tab, arrows, Enter and Space.
//!
//! `LIMBER_JOURNEYS_BY_KEYBOARD=1` lets every journey go that way.

use fantoccini::{Client, Locator, elements::Element};

/// As WebDriver spells them.
const TAB: &str = "\u{E004}";
const ENTER: &str = "\u{E007}";
const DOWN: &str = "\u{E015}";
const ALL: &str = "\u{E009}a\u{E009}";
/// More than any page has stops.
const MOST_STOPS: usize = 250;

pub(crate) fn is_wanted() -> bool {
    std::env::var_os("LIMBER_JOURNEYS_BY_KEYBOARD").is_some()
}

/// What is done with what was reached.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Touch<'a> {
    Press,
    /// One of several, of which Tab stops at the chosen one alone.
    Choose,
    Tick,
    Write(&'a str),
}

/// Walks to one of these elements and touches it. `None`: none of them is there and can be reached, for
/// now.
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
    let is_there = |at: &Element| ids.contains(&at.element_id());
    for _ in 0..MOST_STOPS {
        let at = client.active_element().await.ok()?;
        if is_there(&at) {
            return act(&at, touch).await;
        }
        let is_radio = at.attr("type").await.ok()?.as_deref() == Some("radio");
        if matches!(touch, Touch::Choose)
            && is_radio
            && let Some(()) = walk_among(client, &is_there).await
        {
            return Some(());
        }
        client.active_element().await.ok()?.send_keys(TAB).await.ok()?;
    }
    None
}

/// Arrows walk from one choice to the next and choose it, until it is the first again.
async fn walk_among(client: &Client, is_there: &impl Fn(&Element) -> bool) -> Option<()> {
    let first = client.active_element().await.ok()?.element_id();
    loop {
        client.active_element().await.ok()?.send_keys(DOWN).await.ok()?;
        let at = client.active_element().await.ok()?;
        if is_there(&at) {
            return Some(());
        }
        if at.element_id() == first {
            return None;
        }
    }
}

async fn act(at: &Element, touch: Touch<'_>) -> Option<()> {
    match touch {
        Touch::Press => at.send_keys(ENTER).await.ok(),
        // walking to it has chosen it, unless it was where the walk began
        Touch::Choose => at.is_selected().await.ok()?.then_some(()),
        Touch::Tick => at.send_keys(" ").await.ok(),
        Touch::Write(text) => at.send_keys(&format!("{ALL}{text}")).await.ok(),
    }
}
