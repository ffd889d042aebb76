//! Numbers about a finished clip, kept beside its files.

use limber_animation::Character;
use limber_cleanup::{BodyFaults, body_faults, contacts_of, measure_on_mesh};
use serde::Serialize;

use crate::{
    CanonicalClip,
    stages::{carry::Moved, track::Physics},
};

/// What a clip is and how well its feet stand.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Metrics {
    /// The layout of this record.
    pub version: u32,
    /// The engine's name and version.
    pub engine: String,
    /// The variant's own seed.
    pub seed: u64,
    /// How the prompt was understood; absent of edited clips.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub script: Option<String>,
    /// Frames per second.
    pub fps: u16,
    /// How many frames there are.
    pub frames: usize,
    /// Frames / fps.
    pub duration_s: f32,
    /// Mean speed of sole vertices in contact, cm/s.
    pub foot_skate_cm_s: f32,
    /// Their greatest speed, cm/s.
    pub foot_skate_max_cm_s: f32,
    /// Depth of the deepest sole vertex below the floor, mm.
    pub penetration_mm: f32,
    /// Mean height of the lower standing sole above the floor, mm.
    pub float_mm: f32,
    /// Mean third difference of joint positions, m/s³.
    pub jerk_m_s3: f32,
    /// Mean speed over the ground that was taken out, m/s.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub removed_speed_m_s: Option<f32>,
    /// What the physics stage found and left; absent where it was off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub physics: Option<PhysicsMetrics>,
    /// Per frame: 1 left heel, 2 left toe, 4 right heel, 8 right toe, added up.
    pub contacts: Vec<u8>,
}

/// What is impossible about a clip on a body.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Faults {
    /// Share of frames in which two parts are deeper in each other than a centimetre.
    pub self_penetration: f32,
    /// How deep the deepest is, mm.
    pub self_depth_mm: f32,
    /// How deep anything but the feet is below the floor, mm.
    pub floor_depth_mm: f32,
    /// How far the worst joint is beyond its limits, degrees.
    pub beyond_limits_deg: f32,
}

/// The physics stage in numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct PhysicsMetrics {
    /// As the engine made it, on the canonical skeleton with the character's girth.
    pub before: Faults,
    /// As it is on the character. Limits of joints are known of skeletons that rest in T-pose with joints turned like
    /// the world; on others nothing is beyond them.
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
    /// As a file.
    #[must_use]
    pub fn to_json(&self) -> Vec<u8> {
        let mut text = serde_json::to_vec_pretty(self).expect("plain values always become JSON");
        text.push(b'\n');
        text
    }
}

pub(crate) fn of(
    canonical: &CanonicalClip,
    moved: &Moved,
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
