//! Characters, how they come into the studio, and what is known of their skeletons.

use serde::Serialize;

use crate::AppError;

shown! {
    /// One character jobs can be shown on.
    struct CharacterShown {
        /// Its id.
        pub id: String,
        /// Its name.
        pub name: String,
        /// A still picture as data URL.
        pub picture: Option<String>,
        /// Somebody uploaded it: it can be renamed, its bones reviewed, and deleted.
        pub own: bool,
        /// What its skeleton is called, such as `mixamo`; absent of stock characters.
        pub rig: Option<String>,
    }

    /// A character file on its way into the studio. It survives a restart, and is paused then.
    struct UploadShown {
        /// Its id.
        pub id: String,
        /// The file's name without its folder.
        pub name: String,
        /// The file's size, bytes.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub bytes: u64,
        /// How far it is.
        pub state: UploadState,
    }

    /// How far an upload is.
    #[serde(tag = "state")]
    enum UploadState {
        /// Another one is sent first.
        Waiting,
        /// Under way.
        #[serde(rename_all = "camelCase")]
        Sending {
            /// Bytes that the studio has on its disk.
            #[cfg_attr(feature = "specta", specta(type = u32))]
            sent: u64,
            /// Lately; 0 until something has moved.
            #[cfg_attr(feature = "specta", specta(type = u32))]
            bytes_per_second: f64,
        },
        /// The way to the studio is cut; it goes on by itself from there.
        Interrupted {
            /// Bytes that the studio has on its disk.
            #[cfg_attr(feature = "specta", specta(type = u32))]
            sent: u64,
        },
        /// It goes on from there when somebody says so.
        Paused {
            /// Bytes that the studio has on its disk.
            #[cfg_attr(feature = "specta", specta(type = u32))]
            sent: u64,
            /// Why, when nobody asked for it.
            error: Option<AppError>,
        },
        /// Everything arrived; the studio reads the file.
        Checking,
        /// It can move.
        #[serde(rename_all = "camelCase")]
        Done {
            /// Who it became.
            character_id: String,
        },
        /// It did not become a character.
        Failed {
            /// Why, and what now.
            error: AppError,
        },
    }

    /// What was found out about a character's skeleton.
    struct RigShown {
        /// Whose names the joints bear.
        pub convention: String,
        /// 0 to 1: from 0.9 nobody needs to look, below 0.7 somebody should confirm.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub confidence: f32,
        /// `T`, `A` or `other`.
        pub rest_pose: String,
        /// From the lowest to the highest point, metres.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub height_m: f32,
        /// Shapes of the face, of ARKit's 52.
        pub face_shapes: u32,
        /// Chains of fingers of the left hand.
        pub fingers_left: u32,
        /// Chains of fingers of the right hand.
        pub fingers_right: u32,
        /// What a person should know, in sentences.
        pub warnings: Vec<String>,
        /// Every human bone, in body order.
        pub bones: Vec<BoneShown>,
        /// Every joint, in the order of the tree.
        pub joints: Vec<JointShown>,
    }

    /// One human bone, and which joint it is.
    struct BoneShown {
        /// As VRM 1.0 names it.
        pub bone: String,
        /// As people say it.
        pub words: String,
        /// Part of the body.
        pub group: BodyPart,
        /// Without it nothing can be moved.
        pub required: bool,
        /// The joint's name; absent when none was found, or a person said that there is none.
        pub joint: Option<String>,
        /// Who said so.
        pub by: Option<FoundBy>,
        /// 0 to 1.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub confidence: f32,
    }

    /// Parts of the body, for lists of bones.
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
        /// All five.
        LeftFingers,
        /// All five.
        RightFingers,
    }

    /// How it became known which joint a bone is.
    #[derive(Copy, Eq)]
    enum FoundBy {
        /// The file says so.
        Declared,
        /// By what the joint is called.
        Name,
        /// By where the joint is.
        Shape,
        /// Somebody chose it.
        Person,
    }

    /// One joint of a character.
    struct JointShown {
        /// Its name.
        pub name: String,
        /// How many joints are above it.
        pub depth: u32,
    }
}
