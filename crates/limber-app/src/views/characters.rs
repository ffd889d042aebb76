//! View models of characters, their upload, and the analysis of their skeletons.

use serde::Serialize;

use crate::{AppError, MessageView};

view! {
    /// A character that motions can be made for.
    struct CharacterView {
        /// Character ID.
        pub id: String,
        /// Display name.
        pub name: String,
        /// A still thumbnail as a data URL.
        pub picture: Option<String>,
        /// Whether the user uploaded it. It can then be renamed and deleted, and its bone mapping
        /// edited.
        pub own: bool,
        /// Naming convention of its skeleton, such as `mixamo`; `None` for stock characters.
        pub rig: Option<String>,
    }

    /// A character file being uploaded to the studio. Uploads survive a restart in the paused
    /// state.
    struct UploadView {
        /// Upload ID.
        pub id: String,
        /// File name, without its folder.
        pub name: String,
        /// File size, bytes.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub bytes: u64,
        /// Current state.
        pub state: UploadState,
    }

    /// The state of an upload.
    #[serde(tag = "state")]
    enum UploadState {
        /// Queued behind another upload.
        Waiting,
        /// Uploading.
        #[serde(rename_all = "camelCase")]
        Sending {
            /// Bytes stored by the studio so far.
            #[cfg_attr(feature = "specta", specta(type = u32))]
            sent: u64,
            /// Recent transfer rate; 0 until data has been transferred.
            #[cfg_attr(feature = "specta", specta(type = u32))]
            bytes_per_second: f64,
        },
        /// The connection was lost; the upload resumes by itself.
        Interrupted {
            /// Bytes stored by the studio so far.
            #[cfg_attr(feature = "specta", specta(type = u32))]
            sent: u64,
        },
        /// Paused until the user resumes it.
        Paused {
            /// Bytes stored by the studio so far.
            #[cfg_attr(feature = "specta", specta(type = u32))]
            sent: u64,
            /// The reason, unless the user paused it.
            error: Option<AppError>,
        },
        /// Fully uploaded; the studio is analysing the file.
        Checking,
        /// The character is ready to use.
        #[serde(rename_all = "camelCase")]
        Done {
            /// ID of the new character.
            character_id: String,
        },
        /// Rejected; no character was created.
        Failed {
            /// The reason and the suggested next step.
            error: AppError,
        },
    }

    /// The result of analysing a character's skeleton.
    struct RigView {
        /// Naming convention of the joints.
        pub convention: String,
        /// Confidence of the mapping, 0 to 1: at 0.9 or more no review is needed, below 0.7 the
        /// user should confirm it.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub confidence: f32,
        /// Rest pose: `T`, `A` or `other`.
        pub rest_pose: String,
        /// Height from the lowest to the highest point, metres.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub height_m: f32,
        /// Number of face blend shapes found, out of ARKit's 52.
        pub face_shapes: u32,
        /// Number of finger chains on the left hand.
        pub fingers_left: u32,
        /// Number of finger chains on the right hand.
        pub fingers_right: u32,
        /// Warnings for the user.
        pub warnings: Vec<MessageView>,
        /// All humanoid bones, in body order.
        pub bones: Vec<BoneView>,
        /// All joints, in hierarchy order.
        pub joints: Vec<JointView>,
    }

    /// A humanoid bone and the joint that it is mapped to.
    struct BoneView {
        /// VRM 1.0 name of the bone.
        pub bone: String,
        /// Display name of the bone.
        pub words: String,
        /// Body part that it belongs to.
        pub group: BodyPart,
        /// Whether the bone is required; a character without it cannot be animated.
        pub required: bool,
        /// Name of the mapped joint; `None` if no joint was found or the user said that there is
        /// none.
        pub joint: Option<String>,
        /// How the mapping was determined.
        pub by: Option<FoundBy>,
        /// Confidence of the mapping, 0 to 1.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub confidence: f32,
    }

    /// Body parts that bones are grouped by.
    #[derive(Copy, Eq)]
    enum BodyPart {
        /// Hips to neck.
        Body,
        /// Head, eyes, jaw.
        Head,
        /// Shoulder to hand.
        LeftArm,
        /// Shoulder to hand.
        RightArm,
        /// Thigh to toes.
        LeftLeg,
        /// Thigh to toes.
        RightLeg,
        /// Fingers of the left hand.
        LeftFingers,
        /// Fingers of the right hand.
        RightFingers,
    }

    /// How the joint of a bone was determined.
    #[derive(Copy, Eq)]
    enum FoundBy {
        /// Declared in the file.
        Declared,
        /// Inferred from the joint's name.
        Name,
        /// Inferred from the joint's position.
        Shape,
        /// Chosen by the user.
        Person,
    }

    /// A joint of a character's skeleton.
    struct JointView {
        /// Joint name.
        pub name: String,
        /// Depth in the hierarchy; 0 for roots.
        pub depth: u32,
    }
}
