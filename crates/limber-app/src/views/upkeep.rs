//! View models of maintenance data in the settings: server checks and disk usage.

use serde::Serialize;

use crate::MessageView;

view! {
    /// Results of checking both services of a server.
    struct ServerCheck {
        /// Result for the identity service.
        pub identity: Probe,
        /// Result for the motion service.
        pub motion: Probe,
    }

    /// Result of checking one service.
    struct Probe {
        /// Whether it can be used.
        pub good: bool,
        /// What was found, and what to do if it cannot be used.
        pub words: MessageView,
    }

    /// Disk usage of the library and the local studio.
    struct StorageView {
        /// Number of clips.
        pub clips: u32,
        /// Size of their files, bytes.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub clip_bytes: u64,
        /// Number of clips in the trash.
        pub binned: u32,
        /// Size of their files, bytes.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub binned_bytes: u64,
        /// Size of the local studio's data, including its own copies of every clip, bytes; `None`
        /// while jobs run on a server.
        #[cfg_attr(feature = "specta", specta(type = Option<u32>))]
        pub studio_bytes: Option<u64>,
        /// Free space on the disk with the data folder, bytes.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub free_bytes: u64,
    }
}
