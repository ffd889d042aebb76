//! Settings: appearance, shortcuts, language, and where jobs run.

use std::collections::BTreeMap;

use limber_domain::lock;

use super::App;
use crate::{
    AppError,
    settings::{Server, Settings},
    views::{Language, LanguageChoice, Place, ServerEntry, SettingsView, Theme, TimelineRate},
};

/// Sanity limits for shortcuts; no interface has more, or longer names and keys.
const MOST_SHORTCUTS: usize = 200;
const LONGEST_SHORTCUT: usize = 40;

impl App {
    /// Returns the settings as the interface shows them.
    pub async fn settings(&self) -> SettingsView {
        let settings = lock(&self.inner.settings).clone();
        let has_secret = match &settings.server {
            Some(server) => self.inner.secrets.get(&server.secret_name()).await.is_some(),
            None => false,
        };
        settings.view(has_secret, self.inner.secrets.are_kept())
    }

    /// Sets the colour theme.
    ///
    /// # Errors
    /// If the settings cannot be saved.
    pub async fn set_theme(&self, theme: Theme) -> Result<SettingsView, AppError> {
        self.change(|settings| settings.theme = theme)?;
        Ok(self.settings().await)
    }

    /// Sets the frame rate of timelines.
    ///
    /// # Errors
    /// If the settings cannot be saved.
    pub async fn set_timeline_rate(&self, rate: TimelineRate) -> Result<SettingsView, AppError> {
        self.change(|settings| settings.timeline_rate = rate)?;
        Ok(self.settings().await)
    }

    /// Replaces all custom shortcuts; see [`SettingsView::shortcuts`]. Implausible entries are
    /// dropped.
    ///
    /// # Errors
    /// If the settings cannot be saved.
    pub async fn set_shortcuts(
        &self,
        shortcuts: BTreeMap<String, String>,
    ) -> Result<SettingsView, AppError> {
        let is_short = |text: &str| text.chars().count() <= LONGEST_SHORTCUT;
        let chosen = shortcuts.into_iter().filter(|(name, keys)| is_short(name) && is_short(keys));
        self.change(|settings| settings.shortcuts = chosen.take(MOST_SHORTCUTS).collect())?;
        Ok(self.settings().await)
    }

    /// Sets the chosen language and the one that the interface resolved it to; only the interface
    /// knows what the desktop prefers.
    ///
    /// # Errors
    /// If the settings cannot be saved.
    pub async fn set_language(
        &self,
        wanted: LanguageChoice,
        spoken: Language,
    ) -> Result<SettingsView, AppError> {
        self.change(|settings| (settings.language, settings.spoken) = (wanted, spoken))?;
        self.viewer_language(spoken).await;
        Ok(self.settings().await)
    }

    /// Returns the language of the interface.
    #[must_use]
    pub fn spoken(&self) -> Language {
        lock(&self.inner.settings).spoken
    }

    /// Switches to the local studio.
    ///
    /// # Errors
    /// If the settings cannot be saved.
    pub async fn work_here(&self) -> Result<SettingsView, AppError> {
        let was_here = lock(&self.inner.settings).server().is_none();
        self.change(|settings| settings.place = Place::ThisComputer)?;
        if !was_here {
            self.disconnect().await;
            self.start();
        }
        Ok(self.settings().await)
    }

    /// Switches to a server.
    ///
    /// # Errors
    /// If the entry is invalid or cannot be saved. Whether the server can be reached is reported
    /// later, as the state of the studio.
    pub async fn work_on_server(&self, entry: ServerEntry) -> Result<SettingsView, AppError> {
        let server = Server::parse(&entry)?;
        if let Some(secret) = entry.client_secret.filter(|secret| !secret.is_empty()) {
            self.inner.secrets.set(&server.secret_name(), secret.into()).await;
        }
        self.change(|settings| {
            settings.place = Place::Server;
            settings.server = Some(server);
        })?;
        self.disconnect().await;
        self.start();
        Ok(self.settings().await)
    }

    pub(super) fn change(&self, change: impl FnOnce(&mut Settings)) -> Result<(), AppError> {
        let mut settings = lock(&self.inner.settings);
        let mut changed = settings.clone();
        change(&mut changed);
        changed.save(&self.inner.folders)?;
        *settings = changed;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[tokio::test]
    async fn shortcuts_are_saved_except_invalid_ones() {
        let home = tempfile::tempdir().expect("a folder");
        let app = testing::app(home.path());
        let entry = |name: &str, keys: &str| (name.to_owned(), keys.to_owned());
        let long = "a".repeat(LONGEST_SHORTCUT + 1);
        let asked =
            [entry("play", "Ctrl+P"), entry("loop", ""), entry(&long, "A"), entry("b", &long)];
        let shown = app.set_shortcuts(asked.into()).await.expect("saved");
        let kept = BTreeMap::from([entry("loop", ""), entry("play", "Ctrl+P")]);
        assert_eq!(shown.shortcuts, kept);
        let many = (0..=MOST_SHORTCUTS).map(|at| entry(&format!("do {at}"), "A"));
        let shown = app.set_shortcuts(many.collect()).await.expect("saved");
        assert_eq!(shown.shortcuts.len(), MOST_SHORTCUTS);
    }
}
