//! A language model of a person's own: how it is connected, and how it read a prompt.

use serde::{Deserialize, Serialize};

use crate::AppError;

shown! {
    /// The model that is connected, as the settings show it.
    struct LanguageModelShown {
        /// Of its server.
        pub address: String,
        /// As its server calls it.
        pub name: String,
        /// How long a reading may take, in seconds.
        pub limit_s: u32,
        /// Whether the keychain was given a key for it.
        pub has_key: bool,
        /// Whether somebody has said that others may read along on the way there.
        pub allow_unencrypted: bool,
    }

    /// How a model read a prompt.
    struct LanguageModelReading {
        /// What came of it.
        pub outcome: LanguageModelOutcome,
        /// All that was sent and answered, in order.
        pub exchange: Vec<LanguageModelTurn>,
    }

    /// What came of a reading.
    #[serde(tag = "state")]
    enum LanguageModelOutcome {
        /// A script, checked as every other.
        Script {
            /// As JSON, as it can be handed in.
            json: String,
            /// In the text form, for people.
            text: String,
        },
        /// None.
        Failed {
            /// Why, and what now.
            error: AppError,
        },
    }

    /// Something that was sent or answered.
    struct LanguageModelTurn {
        /// By whom.
        pub speaker: LanguageModelSpeaker,
        /// The words; of a very long answer the beginning.
        pub text: String,
    }

    /// Who speaks.
    #[derive(Copy, Eq)]
    enum LanguageModelSpeaker {
        /// Limber, to the model.
        Limber,
        /// The model.
        Model,
    }
}

/// A model as a person describes it.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct LanguageModelEntry {
    /// Of its server, such as `http://localhost:11434/v1`.
    pub address: String,
    /// As its server calls it.
    pub name: String,
    /// What the server wants to be shown; `None` keeps the one that is known for this address.
    pub key: Option<String>,
    /// How long a reading may take, in seconds.
    pub limit_s: u32,
    /// Somebody says that others may read along on the way there.
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
