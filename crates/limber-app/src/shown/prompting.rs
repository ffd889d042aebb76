//! What helps somebody to write a prompt.

use serde::{Deserialize, Serialize};

/// What something costs, or what is left; finite.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Credits(#[cfg_attr(feature = "specta", specta(type = u32))] pub f64);

shown! {
    /// How a prompt would be understood, and what it would cost.
    struct PromptCheck {
        /// In the text form of scripts; absent when no action in it is known.
        pub script: Option<String>,
        /// Words that are passed over, as somebody wrote them.
        pub skipped: Vec<String>,
        /// Actions near them.
        pub nearest: Vec<String>,
        /// What is passed over, in sentences.
        pub warnings: Vec<String>,
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
