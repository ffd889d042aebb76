//! What helps somebody to write a prompt.

use serde::{Deserialize, Serialize};

use crate::Told;

/// What something costs, or what is left; finite.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Credits(#[cfg_attr(feature = "specta", specta(type = u32))] pub f64);

/// What stands in the prompt box, finished or not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "camelCase")]
pub struct Desk {
    /// The words.
    pub text: String,
    /// Who was chosen; `None` while nobody was.
    pub character_id: Option<String>,
    /// Length of the clip; finite, and 0 lets the studio decide.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub seconds: f32,
    /// 1 to 8.
    pub variants: u32,
    /// As somebody wrote it.
    pub seed: String,
}

impl Default for Desk {
    fn default() -> Self {
        Self {
            text: String::new(),
            character_id: None,
            seconds: 0.0,
            variants: 1,
            seed: String::new(),
        }
    }
}

shown! {
    /// How a prompt would be understood, and what it would cost.
    struct PromptCheck {
        /// In the text form of scripts; absent when no action in it is known.
        pub script: Option<String>,
        /// Words that are passed over, as somebody wrote them.
        pub skipped: Vec<String>,
        /// Actions near them.
        pub nearest: Vec<String>,
        /// What is passed over and what else there is to say.
        pub warnings: Vec<Told>,
        /// Credits for all variants; 0 where nothing is charged.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub price: f64,
    }

    /// Words that the engine understands, each as it can stand in a prompt.
    struct Vocabulary {
        /// By family.
        pub actions: Vec<ActionFamily>,
        /// Where to.
        pub directions: Vec<String>,
        /// With which limb.
        pub sides: Vec<String>,
        /// How fast.
        pub speeds: Vec<String>,
        /// In what mood, with what weight.
        pub manners: Vec<String>,
        /// How often.
        pub counts: Vec<String>,
    }

    /// Actions that belong together.
    struct ActionFamily {
        /// What they have in common.
        pub family: String,
        /// The actions.
        pub words: Vec<String>,
    }
}
