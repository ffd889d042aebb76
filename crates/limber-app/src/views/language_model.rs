//! View models of the user's own language model: how it is connected, and how it read a prompt.

use serde::{Deserialize, Serialize};

use crate::AppError;

view! {
    /// The connected model, as shown in the settings.
    struct LanguageModelView {
        /// Base URL of its server.
        pub address: String,
        /// Model name on that server.
        pub name: String,
        /// Timeout for reading a prompt, seconds.
        pub limit_s: u32,
        /// Whether an API key is stored in the keychain.
        pub has_key: bool,
        /// Whether the user has accepted unencrypted connections, which others on the network can
        /// read.
        pub allow_unencrypted: bool,
    }

    /// How a model read a prompt.
    struct LanguageModelReading {
        /// The result.
        pub outcome: LanguageModelOutcome,
        /// All messages sent and received, in order.
        pub exchange: Vec<LanguageModelTurn>,
    }

    /// The result of a reading.
    #[serde(tag = "state")]
    enum LanguageModelOutcome {
        /// A validated motion script.
        Script {
            /// The script as JSON, ready to submit.
            json: String,
            /// The script in its text form, for display.
            text: String,
        },
        /// No usable script.
        Failed {
            /// The reason and the suggested next step.
            error: AppError,
        },
    }

    /// A message of the conversation with the model.
    struct LanguageModelTurn {
        /// The sender.
        pub speaker: LanguageModelSpeaker,
        /// The text; very long answers are truncated.
        pub text: String,
    }

    /// The sender of a message.
    #[derive(Copy, Eq)]
    enum LanguageModelSpeaker {
        /// Limber.
        Limber,
        /// The model.
        Model,
    }
}

/// A language model connection as entered by the user.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct LanguageModelEntry {
    /// Base URL of its server, such as `http://localhost:11434/v1`.
    pub address: String,
    /// Model name on that server.
    pub name: String,
    /// API key; `None` keeps the one stored for this URL.
    pub key: Option<String>,
    /// Timeout for reading a prompt, seconds.
    pub limit_s: u32,
    /// Whether the user accepts unencrypted connections, which others on the network can read.
    pub allow_unencrypted: bool,
}

impl std::fmt::Debug for LanguageModelEntry {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("LanguageModelEntry")
            .field("address", &self.address)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}
