//! What settings tell beside the settings: whether a server answers, what the library takes up.

use serde::Serialize;

use crate::Told;

shown! {
    /// How both services of a server answered.
    struct ServerCheck {
        /// Where accounts live.
        pub identity: Probe,
        /// Where jobs run.
        pub motion: Probe,
    }

    /// How one service answered.
    struct Probe {
        /// Whether it can be used.
        pub good: bool,
        /// What was found, and what to do if it is not good.
        pub words: Told,
    }

    /// What the library and the studio on this computer take up.
    struct StorageShown {
        /// How many clips there are.
        pub clips: u32,
        /// Their files, bytes.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub clip_bytes: u64,
        /// How many clips lie in the bin.
        pub binned: u32,
        /// Their files, bytes.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub binned_bytes: u64,
        /// What the studio on this computer keeps for itself, its own copies of every clip included; bytes.
        /// Absent while the work is done elsewhere.
        #[cfg_attr(feature = "specta", specta(type = Option<u32>))]
        pub studio_bytes: Option<u64>,
        /// Left on the disk that the data folder is on, bytes.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub free_bytes: u64,
    }
}
