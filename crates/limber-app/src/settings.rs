//! The user's settings.

use std::collections::BTreeMap;

use limber_client::{ConnectionPolicy, Unencrypted};
use serde::{Deserialize, Serialize};
use url::Url;

use crate::{
    AppError, Doing, ErrorCode, Folders, Notice, ServiceName, folders,
    language_model::OwnModel,
    views::{
        Language, LanguageChoice, Place, ServerEntry, ServerView, SettingsView, Theme, TimelineRate,
    },
};

/// A server connection without its client secret, which is stored in the keychain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Server {
    pub identity_url: Url,
    pub motion_url: Url,
    pub client_id: String,
    /// Whether the user has accepted unencrypted connections.
    #[serde(default)]
    pub unencrypted: Unencrypted,
}

impl Server {
    /// Validates the user's entry.
    pub(crate) fn parse(entry: &ServerEntry) -> Result<Self, AppError> {
        let client_id = entry.client_id.trim();
        if client_id.is_empty() {
            return Err(AppError::new(ErrorCode::BadInput, Notice::ClientIdMissing));
        }
        let unencrypted = if entry.allow_unencrypted {
            Unencrypted::ToThisServer
        } else {
            Unencrypted::OnThisComputer
        };
        Ok(Self {
            identity_url: address(&entry.identity_url, ServiceName::IdentityService, unencrypted)?,
            motion_url: address(&entry.motion_url, ServiceName::MotionService, unencrypted)?,
            client_id: client_id.to_owned(),
            unencrypted,
        })
    }

    /// Returns the connection options of its services.
    pub(crate) fn connection_policy(&self) -> ConnectionPolicy {
        ConnectionPolicy { unencrypted: self.unencrypted, app_secret: None }
    }

    /// Returns the name of the keychain entry with the client secret.
    pub(crate) fn secret_name(&self) -> String {
        format!("client-secret {} {}", self.motion_url, self.client_id)
    }
}

fn address(typed: &str, service: ServiceName, unencrypted: Unencrypted) -> Result<Url, AppError> {
    let wrong = || AppError::new(ErrorCode::BadInput, Notice::NoWebAddress { service });
    let url = Url::parse(typed.trim()).map_err(|_| wrong())?;
    let fits = matches!(url.scheme(), "http" | "https")
        && url.has_host()
        && url.username().is_empty()
        && url.password().is_none();
    if !fits {
        return Err(wrong());
    }
    if !unencrypted.allows(&url) {
        return Err(AppError::new(ErrorCode::BadInput, Notice::UnencryptedAddress { service }));
    }
    Ok(url)
}

/// The settings file. Unknown fields of a newer version are dropped, missing ones take their
/// defaults.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Settings {
    pub theme: Theme,
    pub language: LanguageChoice,
    /// Language that the interface resolved `language` to, for messages outside the interface.
    pub spoken: Language,
    pub timeline_rate: TimelineRate,
    /// See [`SettingsView::shortcuts`].
    pub shortcuts: BTreeMap<String, String>,
    pub place: Place,
    pub server: Option<Server>,
    /// The connected language model; `None` until the user connects one.
    pub language_model: Option<OwnModel>,
    /// Favourite prompts, newest first.
    pub favourites: Vec<String>,
}

impl Settings {
    pub(crate) fn load(folders: &Folders) -> Self {
        folders::read_json(&folders.settings()).unwrap_or_else(|error| {
            tracing::warn!(%error, "the settings cannot be read; the defaults are used");
            Self::default()
        })
    }

    pub(crate) fn save(&self, folders: &Folders) -> Result<(), AppError> {
        folders::write_json(&folders.settings(), self)
            .map_err(|error| AppError::disk(Doing::KeepSettings, &error))
    }

    /// Returns the server in use; `None` for the local studio.
    pub(crate) fn server(&self) -> Option<&Server> {
        self.server.as_ref().filter(|_| self.place == Place::Server)
    }

    pub(crate) fn view(&self, has_secret: bool, secrets_kept: bool) -> SettingsView {
        SettingsView {
            theme: self.theme,
            language: self.language,
            spoken: self.spoken,
            timeline_rate: self.timeline_rate,
            shortcuts: self.shortcuts.clone(),
            place: self.place,
            server: self.server.as_ref().map(|server| ServerView {
                identity_url: server.identity_url.to_string(),
                motion_url: server.motion_url.to_string(),
                client_id: server.client_id.clone(),
                has_secret,
                allow_unencrypted: server.unencrypted == Unencrypted::ToThisServer,
            }),
            language_model: self.language_model.as_ref().map(OwnModel::view),
            secrets_kept,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(identity_url: &str) -> ServerEntry {
        ServerEntry {
            identity_url: identity_url.into(),
            motion_url: "https://motion.example".into(),
            client_id: " studio ".into(),
            client_secret: None,
            allow_unencrypted: false,
        }
    }

    #[test]
    fn only_web_addresses_without_passwords_are_accepted() {
        assert_eq!(Server::parse(&entry("https://id.example")).expect("fits").client_id, "studio");
        for wrong in ["", "id.example", "file:///etc/passwd", "https://a:b@id.example"] {
            let error = Server::parse(&entry(wrong)).expect_err("is not an address");
            assert!(error.message.text.contains("account service"), "{wrong}: {error}");
        }
    }

    #[test]
    fn unencrypted_servers_must_be_allowed_explicitly() {
        let plain = entry("http://id.example");
        let error = Server::parse(&plain).expect_err("others could read it");
        assert!(
            error.message.text.contains("http://")
                && error.message.text.contains("account service"),
            "{error}"
        );
        let motion = ServerEntry {
            motion_url: "http://192.168.1.10:8790".into(),
            ..entry("https://id.example")
        };
        let error = Server::parse(&motion).expect_err("others could read it");
        assert!(error.message.text.contains("motion"), "{error}");
        for near in ["http://localhost:8081", "http://127.0.0.1:8081"] {
            Server::parse(&entry(near)).expect("it stays on this computer");
        }
        let agreed = Server::parse(&ServerEntry { allow_unencrypted: true, ..plain });
        assert_eq!(agreed.expect("the user allowed it").unencrypted, Unencrypted::ToThisServer);
    }

    #[test]
    fn servers_from_older_settings_do_not_allow_unencrypted_connections() {
        let kept = serde_json::json!({
            "identity_url": "http://id.example", "motion_url": "http://motion.example",
            "client_id": "studio",
        });
        let server: Server = serde_json::from_value(kept).expect("a server");
        assert!(!server.connection_policy().unencrypted.allows(&server.identity_url));
    }

    #[test]
    fn settings_survive_a_restart() {
        let folder = tempfile::tempdir().expect("a folder");
        let folders = Folders::new(folder.path());
        let settings = Settings {
            theme: Theme::Light,
            language: LanguageChoice::De,
            spoken: Language::De,
            timeline_rate: TimelineRate::Fps24,
            shortcuts: [("export".to_owned(), "Ctrl+Shift+X".to_owned())].into(),
            ..Settings::default()
        };
        settings.save(&folders).expect("saved");
        assert_eq!(Settings::load(&folders), settings);
    }

    #[test]
    fn older_settings_use_the_desktop_language() {
        let folder = tempfile::tempdir().expect("a folder");
        let folders = Folders::new(folder.path());
        folders::write_json(&folders.settings(), &serde_json::json!({"theme": "light"}))
            .expect("saved");
        let settings = Settings::load(&folders);
        assert_eq!(
            (settings.theme, settings.language, settings.spoken),
            (Theme::Light, LanguageChoice::System, Language::En)
        );
    }
}
