//! Metrics of a finished clip, stored with its files.

use limber_animation::Character;
use limber_cleanup::{BodyFaults, body_faults, contacts_of, measure_on_mesh};
use serde::Serialize;

use crate::{
    CanonicalClip,
    stages::{retarget::FinishedClip, track::Physics},
};

/// Facts about a clip, and how well its feet stand.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Metrics {
    /// Version of this record's layout.
    pub version: u32,
    /// Name and version of the engine.
    pub engine: String,
    /// The seed of the variant.
    pub seed: u64,
    /// How the prompt was understood; absent for edited clips.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub script: Option<String>,
    /// Frames per second.
    pub fps: u16,
    /// Number of frames.
    pub frames: usize,
    /// Duration in seconds.
    pub duration_s: f32,
    /// Mean speed of sole vertices in contact, in cm/s.
    pub foot_skate_cm_s: f32,
    /// Maximum speed of sole vertices in contact, in cm/s.
    pub foot_skate_max_cm_s: f32,
    /// Depth of the deepest sole vertex below the floor, in mm.
    pub penetration_mm: f32,
    /// Mean height of the lower standing sole above the floor, in mm.
    pub float_mm: f32,
    /// Mean third difference of joint positions, in m/s³.
    pub jerk_m_s3: f32,
    /// Mean speed over the ground that was removed, in m/s; absent if the clip is not in place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub removed_speed_m_s: Option<f32>,
    /// Results of the physics stage; absent if it was off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub physics: Option<PhysicsMetrics>,
    /// Contacts per frame as bits: 1 left heel, 2 left toe, 4 right heel, 8 right toe.
    pub contacts: Vec<u8>,
}

/// Physical impossibilities of a clip on a body.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Faults {
    /// Fraction of frames in which two body parts penetrate each other by more than one centimetre.
    pub self_penetration: f32,
    /// Largest penetration of two body parts, in mm.
    pub self_depth_mm: f32,
    /// Largest depth of anything but the feet below the floor, in mm.
    pub floor_depth_mm: f32,
    /// Largest violation of joint limits, in degrees.
    pub beyond_limits_deg: f32,
}

/// Results of the physics stage.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PhysicsMetrics {
    /// The generated clip, on the canonical skeleton with the character's girth.
    pub before: Faults,
    /// The clip on the character. Joint limits are only known for skeletons that rest in T-pose
    /// with joint axes along the world axes; on others they are never violated.
    pub after: Faults,
}

impl From<BodyFaults> for Faults {
    fn from(found: BodyFaults) -> Self {
        Self {
            self_penetration: found.self_penetration,
            self_depth_mm: found.self_depth_mm,
            floor_depth_mm: found.floor_depth_mm,
            beyond_limits_deg: found.beyond_limits_deg,
        }
    }
}

impl Metrics {
    /// Serialises the metrics as JSON.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        let mut text =
            serde_json::to_vec_pretty(self).expect("plain values can always be serialised");
        text.push(b'\n');
        text
    }
}

pub(crate) fn of(
    canonical: &CanonicalClip,
    moved: &FinishedClip,
    character: &Character,
    physics: Option<Physics>,
) -> Metrics {
    let clip = &moved.clip;
    let measured = measure_on_mesh(clip, character);
    Metrics {
        version: 1,
        engine: format!("{} {}", canonical.meta.engine, canonical.meta.engine_version),
        seed: canonical.meta.seed,
        script: canonical.meta.script.clone(),
        fps: clip.fps().get(),
        frames: clip.len(),
        duration_s: clip.duration_s(),
        foot_skate_cm_s: measured.foot_skate_cm_s,
        foot_skate_max_cm_s: measured.foot_skate_max_cm_s,
        penetration_mm: measured.penetration_mm,
        float_mm: measured.float_mm,
        jerk_m_s3: measured.jerk_m_s3,
        removed_speed_m_s: moved.removed_speed_m_s,
        physics: physics.map(|Physics { before, build }| PhysicsMetrics {
            before: before.into(),
            after: body_faults(clip, &build).into(),
        }),
        contacts: contacts_of(clip).iter().map(|contacts| contacts.bits()).collect(),
    }
}
