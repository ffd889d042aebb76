//! What crosses when clips are changed and exported.

use serde::{Deserialize, Serialize};

use crate::AppError;

/// Types that are written, read, or both. Decimals are finite, because they come out of JSON; in
/// TypeScript they are told as whole numbers, of which it knows that they are never null.
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
    /// Frames from `start` up to, but without, `end`; counted in the uncut clip.
    #[derive(Copy, Eq)]
    struct Span {
        /// The first.
        pub start: u32,
        /// The one after the last.
        pub end: u32,
    }

    /// How a clip, or a film, came from another clip.
    #[derive(Copy, Eq)]
    enum ChangeKind {
        /// A part was painted over.
        Painted,
        /// With a second clip.
        Joined,
        /// It goes round.
        Looped,
        /// Once more, a little different.
        Refined,
        /// Only the middle of it.
        Cut,
        /// As a film.
        Filmed,
        /// In a way that this Limber does not know.
        Changed,
    }

    /// How good a clip is.
    #[derive(Copy)]
    struct Quality {
        /// Mean speed of sole points on the floor, cm/s.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub foot_skate_cm_s: f32,
        /// The deepest sole point below the floor, mm.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub penetration_mm: f32,
        /// Mean height of standing soles above the floor, mm.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub float_mm: f32,
        /// How far the worst joint turns from the last frame to the first, degrees; unknown of clips
        /// of earlier versions.
        #[cfg_attr(feature = "specta", specta(type = Option<u32>))]
        pub loop_deg: Option<f32>,
    }

    /// A clip, or the middle of it.
    #[derive(Eq)]
    struct ClipPart {
        /// Which clip.
        pub id: String,
        /// Frames to go at the beginning.
        pub trim_left: u32,
        /// Frames to go at the end.
        pub trim_right: u32,
    }

    /// One painted interval.
    #[derive(Eq)]
    struct Painted {
        /// Which frames.
        pub span: Span,
        /// What shall happen there.
        pub prompt: String,
    }

    /// Corrections by hand that are shown and hidden together.
    struct CorrectionLayer {
        /// What somebody calls it: one line of at most 120 characters, or nothing.
        pub name: String,
        /// Whether it changes nothing for now.
        pub muted: bool,
        /// In any order; at most 500 in all layers of a clip together.
        pub keys: Vec<CorrectionKey>,
    }

    /// One correction at one frame. Neighbours about the same joint go over into each other where they meet.
    struct CorrectionKey {
        /// The frame at which it is whole, counted in the uncut clip.
        pub frame: u32,
        /// What is corrected.
        pub what: Correction,
        /// Frames over which it comes, at most as many as the clip has; 0 changes this frame alone.
        pub before: u32,
        /// Frames over which it goes again.
        pub after: u32,
        /// The shape of both.
        pub ease: CorrectionEase,
    }

    /// What is corrected.
    #[serde(tag = "kind", rename_all_fields = "camelCase")]
    enum Correction {
        /// A joint turns further.
        Rotate {
            /// Its VRM 1.0 name, for example `leftUpperArm`.
            joint: String,
            /// By how much, in the joint's own space.
            rotation: CorrectionRotation,
        },
        /// A hand or foot is elsewhere.
        Pull {
            /// Which.
            limb: PulledLimb,
            /// How far, as the character faces at the key's frame.
            offset: CorrectionOffset,
        },
    }

    /// A quaternion; it is brought to unit length.
    #[derive(Copy)]
    struct CorrectionRotation {
        /// Of the vector.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub x: f32,
        /// Of the vector.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub y: f32,
        /// Of the vector.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub z: f32,
        /// The real part.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub w: f32,
    }

    /// A way, metres on a body 1.75 m tall; each part is between -3 and 3.
    #[derive(Copy)]
    struct CorrectionOffset {
        /// To the character's left.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub left: f32,
        /// Up.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub up: f32,
        /// To where the character faces.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub forward: f32,
    }

    /// What can be pulled.
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

    /// How a correction comes and goes.
    #[derive(Copy, Eq)]
    enum CorrectionEase {
        /// Evenly.
        Smooth,
        /// More slowly at both ends, faster in the middle.
        Gentle,
        /// Whole for the first half, gone by the end.
        Hold,
    }

    /// What somebody has begun to change in a clip; kept with it.
    struct Draft {
        /// Frames to go at the beginning.
        pub trim_left: u32,
        /// Frames to go at the end.
        pub trim_right: u32,
        /// Intervals that shall be made anew.
        pub painted: Vec<Painted>,
        /// Whether horizontal travel is taken out.
        pub in_place: bool,
        /// Whether it is played over and over.
        pub loops: bool,
        /// Speed of playing, 0.1 to 2.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub speed: f32,
    }
}

crosses! {
    (Serialize, Deserialize)
    /// What becomes of a clip.
    #[serde(tag = "kind", rename_all_fields = "camelCase")]
    enum Change {
        /// Frames are made anew.
        Paint {
            /// What happens there.
            prompt: String,
            /// Which.
            spans: Vec<Span>,
        },
        /// Another clip follows.
        Join {
            /// Which.
            second: ClipPart,
            /// What happens in between; `None` goes straight over.
            prompt: Option<String>,
            /// New frames in between.
            #[cfg_attr(feature = "specta", specta(type = u32))]
            bridge_seconds: f32,
        },
        /// Another clip begins before this one ends; one goes over into the other there.
        Overlap {
            /// Which.
            second: ClipPart,
            /// For how long both are seen.
            #[cfg_attr(feature = "specta", specta(type = u32))]
            overlap_seconds: f32,
        },
        /// It goes round.
        Loop {
            /// How often it is played.
            repetitions: u32,
            /// What happens on the way back; `None` goes straight there.
            prompt: Option<String>,
            /// New frames at the seam; `None` lets the studio choose.
            #[cfg_attr(feature = "specta", specta(type = Option<u32>))]
            bridge_seconds: Option<f32>,
        },
        /// The same again, a little different.
        Refine {
            /// What is wanted instead; `None` keeps the words.
            prompt: Option<String>,
            /// 0 almost the same, 1 free.
            #[cfg_attr(feature = "specta", specta(type = u32))]
            creativity: f32,
        },
        /// Only the trimmed part, as a clip of its own.
        Cut,
    }

    /// A wish to change a clip. The clip itself stays as it is; what is made is a new one.
    struct EditRequest {
        /// What it starts from.
        pub clip: ClipPart,
        /// What is changed.
        pub change: Change,
        /// 1 to 8; a cut has one.
        pub variants: u32,
        /// Whether horizontal travel is taken out; `None` keeps it as it was.
        pub in_place: Option<bool>,
        /// A motion script as JSON, performed in new frames instead of what the change's prompt means.
        pub script: Option<String>,
        /// What the new clips are called; `None` calls them by their prompt.
        pub name: Option<String>,
    }
}

crosses! {
    (Deserialize)
    /// The program a file is for.
    #[derive(Copy, Eq)]
    enum ExportPreset {
        /// FBX for Blender, which takes the frame rate from it.
        Blender,
        /// FBX for Unity's humanoids.
        Unity,
        /// FBX for Unreal Engine 5.
        Unreal,
        /// FBX with the character's own joints, for every other program.
        Fbx,
        /// FBX whose joints are called as Mixamo calls them.
        Mixamo,
        /// GLB for the web, and everything that reads glTF.
        Web,
        /// Motion alone, for VRM characters.
        Vrma,
        /// Skeleton animation alone.
        Bvh,
    }

    /// A wish for files.
    #[derive(Eq)]
    struct ExportRequest {
        /// Which clips, each cut as told.
        pub clips: Vec<ClipPart>,
        /// For which programs.
        pub presets: Vec<ExportPreset>,
        /// Whether horizontal travel is taken out.
        pub in_place: bool,
        /// Frames per second; `None` takes what the program is used to.
        pub fps: Option<u32>,
    }
}

crosses! {
    (Serialize)
    /// A point of a foot.
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

    /// When a point of a foot stands on the floor.
    #[derive(Eq)]
    struct ContactTrack {
        /// Which.
        pub point: FootPoint,
        /// When.
        pub spans: Vec<Span>,
    }

    /// What a timeline shows beside the clip itself.
    struct ClipDetails {
        /// Where the page fetches the clip's GLB, to show it in 3D; absent where there is none.
        pub glb_url: Option<String>,
        /// Unknown of clips of earlier versions.
        pub quality: Option<Quality>,
        /// One track for every point of the feet; none for clips of earlier versions.
        pub contacts: Vec<ContactTrack>,
        /// What was begun earlier.
        pub draft: Option<Draft>,
    }

    /// How well a part of a clip closes when it goes round.
    #[derive(Copy)]
    struct LoopGap {
        /// How far the worst joint turns from the last frame to the first, degrees; of a whole clip,
        /// [`Quality::loop_deg`].
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub pose_deg: f32,
        /// By how much the speed of the joint that jolts most changes from the end to the beginning,
        /// cm/s.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub speed_cm_s: f32,
        /// The most by which that joint's speed changes within the clip, cm/s; more than that is seen.
        #[cfg_attr(feature = "specta", specta(type = u32))]
        pub usual_cm_s: f32,
        /// Frames to go at the end instead, so that it closes better; none where nothing near does.
        pub better_trim_right: Option<u32>,
    }

    /// How far an export is.
    #[derive(Eq)]
    struct ExportProgress {
        /// How many files were tried before the one at work.
        pub done: u32,
        /// How many there will be.
        pub all: u32,
        /// What the files of the clip at work are called.
        pub clip: String,
    }

    /// Files that were not written, all for one reason.
    #[derive(Eq)]
    struct ExportFailure {
        /// Why.
        pub why: AppError,
        /// What they would have been called.
        pub files: Vec<String>,
    }

    /// What was written, and what was not.
    #[derive(Eq)]
    struct ExportOutcome {
        /// The folder's name.
        pub folder: String,
        /// The names of the files.
        pub files: Vec<String>,
        /// Which folder that is, for as long as Limber runs.
        pub place: u32,
        /// How many files were asked for.
        pub all: u32,
        /// What failed, by reason.
        pub failed: Vec<ExportFailure>,
        /// Somebody cancelled it: what is neither written nor failed was not begun.
        pub cancelled: bool,
    }
}
