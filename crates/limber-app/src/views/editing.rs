//! View models of edits, manual corrections, exports and what timelines show.

use serde::{Deserialize, Serialize};

use crate::AppError;

/// Declares types that are serialised, deserialised, or both. Decimals come out of JSON and so are
/// finite; TypeScript sees them as whole numbers, because specta would make a float nullable.
macro_rules! crosses {
    ($ways:tt $($(#[$meta:meta])* $kind:ident $name:ident $body:tt)+) => {
        $(
            #[derive $ways]
            #[derive(Debug, Clone, PartialEq)]
            #[cfg_attr(feature = "specta", derive(specta::Type))]
            #[serde(rename_all = "camelCase")]
            $(#[$meta])*
            pub $kind $name $body
        )+
    };
}

crosses! {
    (Serialize, Deserialize)
    /// A half-open range of frames `[start, end)`, counted in the untrimmed clip.
    #[derive(Copy, Eq)]
    struct Span {
        /// The first frame.
        pub start: u32,
        /// The frame after the last.
        pub end: u32,
    }

    /// How a clip or a video was derived from another clip.
    #[derive(Copy, Eq)]
    enum ChangeKind {
        /// A part was regenerated.
        Painted,
        /// Joined with a second clip.
        Joined,
        /// Made to loop.
        Looped,
        /// Regenerated with variation.
        Refined,
        /// Trimmed.
        Cut,
        /// Rendered as a video.
        Rendered,
        /// A kind of edit that this version of Limber does not know.
        Changed,
    }

    /// Quality metrics of a clip.
    #[derive(Copy)]
    struct Quality {
        /// Foot skate: mean speed of sole points while in contact with the floor, cm/s.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub foot_skate_cm_s: f32,
        /// Floor penetration: depth of the lowest sole point below the floor, mm.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub penetration_mm: f32,
        /// Mean height of soles above the floor during contacts, mm.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub float_mm: f32,
        /// Loop gap: the largest joint rotation between the last frame and the first, degrees;
        /// `None` for clips made by earlier versions.
        #[cfg_attr(feature = "specta", specta(type = Option<u32>))]
        pub loop_deg: Option<f32>,
    }

    /// A clip, optionally trimmed at both ends.
    #[derive(Eq)]
    struct ClipPart {
        /// Clip ID.
        pub id: String,
        /// Frames to remove from the start.
        pub trim_left: u32,
        /// Frames to remove from the end.
        pub trim_right: u32,
    }

    /// A range of frames to regenerate.
    #[derive(Eq)]
    struct Painted {
        /// The frames.
        pub span: Span,
        /// Prompt for the new motion.
        pub prompt: String,
    }

    /// A layer of manual corrections that are shown and hidden together.
    struct CorrectionLayer {
        /// Name given by the user: one line of at most 120 characters, or empty.
        pub name: String,
        /// Whether the layer is muted and changes nothing.
        pub muted: bool,
        /// Corrections in any order; at most 500 over all layers of a clip.
        pub keys: Vec<CorrectionKey>,
    }

    /// A correction at one frame. Adjacent keys of the same joint are blended where their ranges
    /// meet.
    struct CorrectionKey {
        /// The frame at which it has full effect, counted in the untrimmed clip.
        pub frame: u32,
        /// What is corrected.
        pub what: Correction,
        /// Frames over which it fades in, at most the clip's length; 0 applies it at once.
        pub before: u32,
        /// Frames over which it fades out; 0 ends it at once.
        pub after: u32,
        /// The easing of both fades.
        pub ease: CorrectionEase,
    }

    /// A manual correction.
    #[serde(tag = "kind", rename_all_fields = "camelCase")]
    enum Correction {
        /// Rotates a joint further.
        Rotate {
            /// VRM 1.0 name of the joint, for example `leftUpperArm`.
            joint: String,
            /// The additional rotation, in the joint's local space.
            rotation: CorrectionRotation,
        },
        /// Moves a hand or foot.
        Pull {
            /// The limb to move.
            limb: PulledLimb,
            /// The offset, relative to the character's facing direction at the key's frame.
            offset: CorrectionOffset,
        },
    }

    /// A rotation as a quaternion; it is normalised when applied.
    #[derive(Copy)]
    struct CorrectionRotation {
        /// Vector part, x.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub x: f32,
        /// Vector part, y.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub y: f32,
        /// Vector part, z.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub z: f32,
        /// Scalar part.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub w: f32,
    }

    /// An offset in metres, for a body 1.75 m tall; each component is between −3 and 3.
    #[derive(Copy)]
    struct CorrectionOffset {
        /// To the character's left.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub left: f32,
        /// Up.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub up: f32,
        /// In the character's facing direction.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub forward: f32,
    }

    /// A limb that can be moved by its end.
    #[derive(Copy, Eq)]
    enum PulledLimb {
        /// The left hand.
        LeftHand,
        /// The right hand.
        RightHand,
        /// The left foot.
        LeftFoot,
        /// The right foot.
        RightFoot,
    }

    /// The easing of a correction's fades.
    #[derive(Copy, Eq)]
    enum CorrectionEase {
        /// Smoothstep.
        Smooth,
        /// Minimum jerk: slower at both ends and faster in the middle, as a hand reaches.
        Gentle,
        /// Full effect for the first half, gone by the end.
        Hold,
    }

    /// Unfinished edits of a clip, stored with it.
    struct Draft {
        /// Frames to remove from the start.
        pub trim_left: u32,
        /// Frames to remove from the end.
        pub trim_right: u32,
        /// Ranges of frames to regenerate.
        pub painted: Vec<Painted>,
        /// Whether horizontal root motion is removed.
        pub in_place: bool,
        /// Whether playback loops.
        pub loops: bool,
        /// Playback speed, 0.1 to 2.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub speed: f32,
    }
}

crosses! {
    (Serialize, Deserialize)
    /// An edit of a clip.
    #[serde(tag = "kind", rename_all_fields = "camelCase")]
    enum Change {
        /// Regenerate ranges of frames.
        Paint {
            /// Prompt for the new motion.
            prompt: String,
            /// The ranges.
            spans: Vec<Span>,
        },
        /// Append another clip.
        Join {
            /// The clip to append.
            second: ClipPart,
            /// Prompt for the motion in between; `None` blends directly.
            prompt: Option<String>,
            /// Length of the generated transition, seconds.
            #[cfg_attr(feature = "specta", specta(type = u32))]
            bridge_seconds: f32,
        },
        /// Append another clip and cross-fade into it.
        Overlap {
            /// The clip to append.
            second: ClipPart,
            /// Length of the cross-fade, seconds.
            #[cfg_attr(feature = "specta", specta(type = u32))]
            overlap_seconds: f32,
        },
        /// Make the clip loop.
        Loop {
            /// Number of repetitions.
            repetitions: u32,
            /// Prompt for the transition back to the start; `None` blends directly.
            prompt: Option<String>,
            /// Length of the generated transition, seconds; `None` lets the studio choose.
            #[cfg_attr(feature = "specta", specta(type = Option<u32>))]
            bridge_seconds: Option<f32>,
        },
        /// Regenerate the whole clip with variation.
        Refine {
            /// New prompt; `None` keeps the current one.
            prompt: Option<String>,
            /// Strength of the variation: 0 is almost the same, 1 unconstrained.
            #[cfg_attr(feature = "specta", specta(type = u32))]
            creativity: f32,
        },
        /// Keep only the trimmed part, as a new clip.
        Cut,
    }

    /// A request to edit a clip. The original clip is unchanged; the result is a new one.
    struct EditRequest {
        /// The clip to edit.
        pub clip: ClipPart,
        /// The edit.
        pub change: Change,
        /// Number of variants, 1 to 8; a trim has exactly one.
        pub variants: u32,
        /// Whether horizontal root motion is removed; `None` keeps the clip's setting.
        pub in_place: Option<bool>,
        /// A motion script as JSON that replaces the change's prompt in the new frames.
        pub script: Option<String>,
        /// Name of the new clips; `None` names them after the prompt.
        pub name: Option<String>,
    }
}

crosses! {
    (Deserialize)
    /// The target program of an export.
    #[derive(Copy, Eq)]
    enum ExportPreset {
        /// FBX for Blender, which takes the frame rate from the file.
        Blender,
        /// FBX for Unity's Humanoid rig.
        Unity,
        /// FBX for Unreal Engine 5.
        Unreal,
        /// FBX with the character's own joint names, for any other program.
        Fbx,
        /// FBX with Mixamo joint names.
        Mixamo,
        /// GLB for the web and everything else that reads glTF.
        Web,
        /// VRM animation (VRMA), without a mesh.
        Vrma,
        /// BVH: skeleton and animation only.
        Bvh,
    }

    /// A request to export clips.
    #[derive(Eq)]
    struct ExportRequest {
        /// The clips, each trimmed as given.
        pub clips: Vec<ClipPart>,
        /// The target programs.
        pub presets: Vec<ExportPreset>,
        /// Whether horizontal root motion is removed.
        pub in_place: bool,
        /// Frames per second; `None` uses the target program's default.
        pub fps: Option<u32>,
    }
}

crosses! {
    (Serialize)
    /// A contact point of a foot.
    #[derive(Copy, Eq)]
    enum FootPoint {
        /// The left heel.
        LeftHeel,
        /// The left ball and toes.
        LeftToe,
        /// The right heel.
        RightHeel,
        /// The right ball and toes.
        RightToe,
    }

    /// The floor contacts of one foot point.
    #[derive(Eq)]
    struct ContactTrack {
        /// The foot point.
        pub point: FootPoint,
        /// Ranges of frames in which it is in contact.
        pub spans: Vec<Span>,
    }

    /// Data that the timeline shows for a clip.
    struct ClipDetails {
        /// URL of the clip's GLB for the 3D view; `None` if it has none.
        pub glb_url: Option<String>,
        /// Quality metrics; `None` for clips made by earlier versions.
        pub quality: Option<Quality>,
        /// One track for each foot point; empty for clips made by earlier versions.
        pub contacts: Vec<ContactTrack>,
        /// Unfinished edits from an earlier session.
        pub draft: Option<Draft>,
    }

    /// How well a trimmed clip closes when it loops.
    #[derive(Copy)]
    struct LoopGap {
        /// The largest joint rotation between the last frame and the first, degrees;
        /// [`Quality::loop_deg`] is the same for the whole clip.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub pose_deg: f32,
        /// The largest change of joint speed across the seam, cm/s.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub speed_cm_s: f32,
        /// The largest change of that joint's speed within the clip, cm/s; a larger `speed_cm_s` is
        /// visible.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub usual_cm_s: f32,
        /// A nearby end trim, in frames, that closes better; `None` if there is none.
        pub better_trim_right: Option<u32>,
    }

    /// Progress of an export.
    #[derive(Eq)]
    struct ExportProgress {
        /// Files attempted so far, without the current one.
        pub done: u32,
        /// Total number of files.
        pub all: u32,
        /// Base name of the current clip's files.
        pub clip: String,
    }

    /// Files that could not be written for one common reason.
    #[derive(Eq)]
    struct ExportFailure {
        /// The reason.
        pub why: AppError,
        /// Names that the files would have had.
        pub files: Vec<String>,
    }

    /// The result of an export.
    #[derive(Eq)]
    struct ExportOutcome {
        /// Name of the target folder.
        pub folder: String,
        /// Names of the files written.
        pub files: Vec<String>,
        /// Handle of that folder, valid while Limber runs.
        pub place: u32,
        /// Number of files requested.
        pub all: u32,
        /// Failures, grouped by reason.
        pub failed: Vec<ExportFailure>,
        /// Whether the user cancelled the export; files that were neither written nor failed were
        /// not started.
        pub cancelled: bool,
    }
}
