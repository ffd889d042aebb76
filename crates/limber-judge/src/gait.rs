//! Gait analysis: hip, knee and ankle angles over a cycle, and jerk.
//!
//! A cycle lasts from one heel strike, where the foot is furthest forward, to the next of the same
//! foot (Zeni, Richards and Higginson, *Gait & Posture* 27, 2008). Angles are in degrees: the thigh
//! relative to the vertical, forwards positive; the knee relative to straight; the foot relative to
//! the shin, toes up positive, minus its mean over the cycle, because rigs place the end of the
//! foot differently.

use std::{collections::BTreeMap, ops::Range, sync::LazyLock};

use glam::Vec3;
use limber_animation::{HumanBone, Side};
use serde::Deserialize;

use crate::{
    Body,
    curves::{peaks, smoothed, stretches},
};

/// Samples per cycle, one every 2 %.
pub const POINTS: usize = 50;
/// Range of plausible cycle durations, seconds.
const CYCLE_S: std::ops::RangeInclusive<f32> = 0.45..=1.8;
/// Share of the maximum speed above which a body moves at its steady pace.
const AT_PACE: f32 = 0.7;
/// Frequency bins of the jerk spectrum: 1 Hz to 15 Hz.
pub const BINS: usize = 15;

/// The joint angles of one cycle.
#[derive(Debug, Clone, PartialEq)]
pub struct Cycle {
    /// Hip, knee, ankle: [`POINTS`] angles each, degrees.
    pub joints: [Vec<f32>; 3],
}

/// Mean and standard deviation over cycles at each sample, degrees.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Band {
    /// Mean angle every 2 % of the cycle.
    pub mean: Vec<f32>,
    /// Standard deviation every 2 % of the cycle.
    pub deviation: Vec<f32>,
}

impl Band {
    /// The band of curves of equal length.
    #[must_use]
    pub fn of(curves: &[&[f32]]) -> Self {
        let count = curves.len().max(1) as f32;
        let at = |place: usize| curves.iter().map(move |curve| curve[place]);
        let mean: Vec<f32> = (0..POINTS).map(|place| at(place).sum::<f32>() / count).collect();
        let deviation = (0..POINTS)
            .map(|place| {
                let spread = at(place).map(|value| (value - mean[place]).powi(2)).sum::<f32>();
                (spread / (count - 1.0).max(1.0)).sqrt()
            })
            .collect();
        Self { mean, deviation }
    }

    /// Share of the cycle in which a curve is within two standard deviations of the mean.
    #[must_use]
    pub fn share_inside(&self, curve: &[f32]) -> f32 {
        let inside = curve.iter().zip(&self.mean).zip(&self.deviation);
        let inside =
            inside.filter(|((value, mean), deviation)| (*value - *mean).abs() <= 2.0 * **deviation);
        inside.count() as f32 / POINTS as f32
    }
}

/// All frames of a clip.
#[must_use]
pub fn whole(body: &Body) -> Range<usize> {
    0..body.len()
}

/// The longest stretch at a steady pace, without starting and stopping.
#[must_use]
pub fn steady(body: &Body) -> Range<usize> {
    let speeds = body.speeds();
    let least = AT_PACE * speeds.iter().copied().fold(0.0, f32::max);
    let found = stretches(body.len(), 1, |frame| speeds[frame] > least);
    found.into_iter().max_by_key(Range::len).unwrap_or_else(|| whole(body))
}

/// All complete cycles of both legs at a steady pace.
#[must_use]
pub fn cycles(body: &Body) -> Vec<Cycle> {
    let speeds = body.speeds();
    let fastest = speeds.iter().copied().fold(0.0, f32::max);
    Side::BOTH
        .into_iter()
        .flat_map(|side| {
            let [_, _, ankle, _] = HumanBone::leg(side);
            let ahead = smoothed(&body.curve(|frame| body.beside_hips(ankle, frame).z), 1);
            let mut strikes = peaks(&ahead, 0.15);
            // the ends of a clip are not heel strikes
            strikes.retain(|frame| *frame > 1 && frame + 2 < body.len());
            let pairs: Vec<[usize; 2]> =
                strikes.windows(2).map(|pair| [pair[0], pair[1]]).collect();
            pairs
                .into_iter()
                .filter(|[from, to]| CYCLE_S.contains(&((to - from) as f32 / body.fps)))
                .filter(|[from, to]| speeds[*from..*to].iter().all(|s| *s > AT_PACE * fastest))
                .map(|[from, to]| cycle(body, side, from, to))
                .collect::<Vec<_>>()
        })
        .collect()
}

fn cycle(body: &Body, side: Side, from: usize, to: usize) -> Cycle {
    let read = |of: fn(&Body, Side, usize) -> f32| -> Vec<f32> {
        (0..POINTS)
            .map(|place| {
                let at = from as f32 + (to - from) as f32 * place as f32 / POINTS as f32;
                let (before, share) = (at as usize, at.fract());
                let after = (before + 1).min(body.len() - 1);
                let [a, b] = [before, after].map(|frame| of(body, side, frame).to_degrees());
                a + (b - a) * share
            })
            .collect()
    };
    let mut ankle = read(ankle);
    let mean = ankle.iter().sum::<f32>() / ankle.len() as f32;
    ankle.iter_mut().for_each(|angle| *angle -= mean);
    Cycle { joints: [read(hip), read(knee), ankle] }
}

fn bones(body: &Body, side: Side, frame: usize) -> [Vec3; 3] {
    let [hip, knee, ankle, ball] = HumanBone::leg(side).map(|bone| body.beside_hips(bone, frame));
    [knee - hip, ankle - knee, ball - ankle]
}

fn hip(body: &Body, side: Side, frame: usize) -> f32 {
    let [thigh, ..] = bones(body, side, frame);
    thigh.z.atan2(-thigh.y)
}

fn knee(body: &Body, side: Side, frame: usize) -> f32 {
    let [thigh, shin, _] = bones(body, side, frame);
    thigh.angle_between(shin)
}

fn ankle(body: &Body, side: Side, frame: usize) -> f32 {
    let [_, shin, foot] = bones(body, side, frame);
    // a relaxed foot is in line with the shin
    -shin.angle_between(foot)
}

/// The bones whose jerk is measured: those that every skeleton has.
const MEASURED: [HumanBone; 12] = [
    HumanBone::Hips,
    HumanBone::Chest,
    HumanBone::Head,
    HumanBone::LeftLowerArm,
    HumanBone::LeftHand,
    HumanBone::RightLowerArm,
    HumanBone::RightHand,
    HumanBone::LeftLowerLeg,
    HumanBone::LeftFoot,
    HumanBone::RightLowerLeg,
    HumanBone::RightFoot,
    HumanBone::Spine,
];

/// Third difference of a bone's position, m/s³. The positions are smoothed with binomial weights
/// over five frames first, which removes the quantisation noise of half floats in recorded motion.
fn jerks(body: &Body, bone: HumanBone, frames: &Range<usize>) -> Vec<Vec3> {
    let at = |frame: usize| body.at(bone, frame);
    let smooth: Vec<Vec3> = (frames.start + 2..frames.end.saturating_sub(2))
        .map(|f| (at(f - 2) + at(f + 2) + 4.0 * (at(f - 1) + at(f + 1)) + 6.0 * at(f)) / 16.0)
        .collect();
    let third = |four: &[Vec3]| four[3] - 3.0 * four[2] + 3.0 * four[1] - four[0];
    smooth.windows(4).map(|four| third(four) * body.fps.powi(3)).collect()
}

/// Mean jerk of the measured bones in a range of frames, m/s³.
#[must_use]
pub fn jerk(body: &Body, frames: &Range<usize>) -> f32 {
    let all: Vec<f32> =
        MEASURED.into_iter().flat_map(|bone| jerks(body, bone, frames)).map(Vec3::length).collect();
    all.iter().sum::<f32>() / all.len().max(1) as f32
}

/// Spectrum of the jerk: root mean square at 1 to 15 Hz, m/s³, from windows of one second; empty
/// for shorter ranges.
#[must_use]
pub fn jerk_spectrum(body: &Body, frames: &Range<usize>) -> Vec<f32> {
    let window = body.fps as usize;
    let mut power = [0.0_f32; BINS];
    let mut count = 0.0_f32;
    for bone in MEASURED {
        for part in jerks(body, bone, frames).chunks_exact(window) {
            count += 1.0;
            for (bin, power) in power.iter_mut().enumerate() {
                let rate = std::f32::consts::TAU * (bin + 1) as f32 / window as f32;
                let mut parts = [Vec3::ZERO; 2];
                for (frame, jerk) in part.iter().enumerate() {
                    let (sin, cos) = (rate * frame as f32).sin_cos();
                    parts[0] += *jerk * cos;
                    parts[1] += *jerk * sin;
                }
                let amplitude = 2.0 / window as f32;
                *power += 0.5
                    * (parts[0].length_squared() + parts[1].length_squared())
                    * amplitude.powi(2);
            }
        }
    }
    if count == 0.0 { Vec::new() } else { power.map(|power| (power / count).sqrt()).to_vec() }
}

/// Statistics of a gait from recorded motion.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct GaitTable {
    /// Number of clips.
    pub clips: usize,
    /// Number of cycles; 0 for movements that are not a gait.
    pub cycles: usize,
    /// Median speed, m/s.
    pub speed_m_s: f32,
    /// Mean jerk, m/s³; of gaits, at their steady pace.
    pub jerk_m_s3: f32,
    /// Standard deviation of the jerk between clips, m/s³.
    pub jerk_deviation: f32,
    /// Root mean square of the jerk at 1 to 15 Hz, m/s³.
    pub jerk_spectrum: Vec<f32>,
    /// Hip angle over the cycle.
    pub hip: Option<Band>,
    /// Knee angle over the cycle.
    pub knee: Option<Band>,
    /// Ankle angle over the cycle.
    pub ankle: Option<Band>,
}

impl GaitTable {
    /// Measures clips, with their jerk in a part of each. Bands are computed if there are at least
    /// six cycles.
    #[must_use]
    pub fn of(bodies: &[Body], part: fn(&Body) -> Range<usize>) -> Self {
        let found: Vec<Cycle> = bodies.iter().flat_map(cycles).collect();
        let jerks: Vec<f32> = bodies.iter().map(|body| jerk(body, &part(body))).collect();
        let count = bodies.len().max(1) as f32;
        let mean = jerks.iter().sum::<f32>() / count;
        let spread = jerks.iter().map(|jerk| (jerk - mean).powi(2)).sum::<f32>() / count;
        let spectra: Vec<Vec<f32>> = bodies
            .iter()
            .map(|body| jerk_spectrum(body, &part(body)))
            .filter(|spectrum| !spectrum.is_empty())
            .collect();
        let at =
            |bin: usize| spectra.iter().map(move |spectrum| spectrum[bin].powi(2)).sum::<f32>();
        let spectrum = (0..BINS).map(|bin| (at(bin) / spectra.len().max(1) as f32).sqrt());
        let band = |joint: usize| {
            let curves: Vec<&[f32]> = found.iter().map(|c| c.joints[joint].as_slice()).collect();
            (curves.len() >= 6).then(|| Band::of(&curves))
        };
        let mut speeds: Vec<f32> =
            bodies.iter().map(|b| b.way_m() * b.fps / b.len() as f32).collect();
        speeds.sort_by(f32::total_cmp);
        Self {
            clips: bodies.len(),
            cycles: found.len(),
            speed_m_s: speeds.get(speeds.len() / 2).copied().unwrap_or(0.0),
            jerk_m_s3: mean,
            jerk_deviation: spread.sqrt(),
            jerk_spectrum: spectrum.collect(),
            hip: band(0),
            knee: band(1),
            ankle: band(2),
        }
    }

    /// The bands with the names of their joints.
    pub fn bands(&self) -> impl Iterator<Item = (&'static str, &Band)> {
        let named = [("hip", &self.hip), ("knee", &self.knee), ("ankle", &self.ankle)];
        named.into_iter().filter_map(|(name, band)| Some((name, band.as_ref()?)))
    }
}

/// The built-in tables by name: `walk`, `run`, and movements for which only the jerk was measured.
///
/// # Panics
/// Never: a test parses the same text.
#[must_use]
pub fn tables() -> &'static BTreeMap<String, GaitTable> {
    static TABLES: LazyLock<BTreeMap<String, GaitTable>> = LazyLock::new(|| {
        toml::from_str(include_str!("../../../assets/mocap/gaits.toml"))
            .unwrap_or_else(|error| panic!("assets/mocap/gaits.toml: {error}"))
    });
    &TABLES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_contain_bands_for_walk_and_run() {
        for name in ["walk", "run"] {
            let bands: Vec<_> = tables()[name].bands().collect();
            assert_eq!(bands.len(), 3, "{name}");
            for (joint, band) in bands {
                assert_eq!(band.mean.len(), POINTS, "{name} {joint}");
                assert!(band.deviation.iter().all(|d| *d > 0.0), "{name} {joint}");
            }
        }
    }

    #[test]
    fn knees_bend_most_in_the_swing_phase() {
        let walk = &tables()["walk"];
        let knee = &walk.knee.as_ref().expect("the table has a knee band").mean;
        let most = (0..POINTS)
            .max_by(|a, b| knee[*a].total_cmp(&knee[*b]))
            .expect("the band is not empty");
        assert!((30..42).contains(&most), "at {} % of the cycle", 2 * most);
    }

    #[test]
    fn a_curve_is_inside_its_own_band() {
        let curves: Vec<Vec<f32>> = (0..9_u8).map(|n| vec![f32::from(n); POINTS]).collect();
        let slices: Vec<&[f32]> = curves.iter().map(Vec::as_slice).collect();
        let band = Band::of(&slices);
        assert_eq!(band.share_inside(&curves[4]), 1.0);
        assert_eq!(band.share_inside(&[20.0; POINTS]), 0.0);
    }
}
