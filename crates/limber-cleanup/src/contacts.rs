//! Detection of foot contacts: when heels and toes are on the floor.

use glam::Vec3;
use limber_animation::{Clip, ContactPoint, ContactTrack, Contacts};

use crate::feet::{Foot, FootPath, Soles, leg_scale, side_place};

/// Thresholds for contact detection. Heights are relative to the height of the joint when the foot
/// stands flat. All lengths and speeds are for an adult and are scaled with the length of the leg.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactSettings {
    /// A contact may start below this height, metres.
    pub height_on_m: f32,
    /// A contact ends above this height, metres.
    pub height_off_m: f32,
    /// A contact may start below this speed, m/s.
    pub speed_on_m_s: f32,
    /// A contact ends above this speed, m/s.
    pub speed_off_m_s: f32,
    /// Contacts shorter than this many frames at 30 fps are discarded.
    pub shortest_frames: usize,
    /// Gaps shorter than this many frames at 30 fps are closed.
    pub shortest_gap_frames: usize,
}

impl Default for ContactSettings {
    fn default() -> Self {
        Self {
            height_on_m: 0.05,
            height_off_m: 0.08,
            speed_on_m_s: 0.15,
            speed_off_m_s: 0.25,
            shortest_frames: 3,
            shortest_gap_frames: 3,
        }
    }
}

impl ContactSettings {
    /// Ignores speed: everything that is low enough to continue a contact is a contact.
    #[must_use]
    pub fn by_height_only() -> Self {
        let low = Self::default();
        Self {
            height_on_m: low.height_off_m,
            speed_on_m_s: f32::INFINITY,
            speed_off_m_s: f32::INFINITY,
            ..low
        }
    }
}

/// The clip's own contact track if it has one, otherwise detected contacts.
#[must_use]
pub fn contacts_of(clip: &Clip) -> ContactTrack {
    clip.contacts().cloned().unwrap_or_else(|| detect_contacts(clip, &ContactSettings::default()))
}

/// Detects contacts by height and speed, with hysteresis.
#[must_use]
pub fn detect_contacts(clip: &Clip, settings: &ContactSettings) -> ContactTrack {
    let skeleton = clip.skeleton();
    let soles = Soles::of_skeleton(skeleton);
    let scale = leg_scale(skeleton);
    let mut track = vec![Contacts::NONE; clip.len()];
    for foot in Foot::all(skeleton) {
        let path = FootPath::of(clip, &foot, &soles);
        let place = side_place(foot.side);
        let points = [
            (ContactPoint::Heel(foot.side), &path.heel, 0.0),
            (ContactPoint::Toe(foot.side), &path.ball, soles.ball_m[place]),
        ];
        for (point, positions, flat_height) in points {
            let touches =
                standing(positions, flat_height, scale, clip.fps().per_second(), settings);
            for (contacts, touches) in track.iter_mut().zip(touches) {
                contacts.set(point, touches);
            }
        }
    }
    track
}

fn standing(
    positions: &[Vec3],
    flat_height: f32,
    scale: f32,
    fps: f32,
    settings: &ContactSettings,
) -> Vec<bool> {
    let mut stands = false;
    let mut touches: Vec<bool> = (0..positions.len())
        .map(|frame| {
            let height = (positions[frame].y - flat_height) / scale;
            let speed = speed_at(positions, frame, fps) / scale;
            stands = if stands {
                height <= settings.height_off_m && speed <= settings.speed_off_m_s
            } else {
                height < settings.height_on_m && speed < settings.speed_on_m_s
            };
            stands
        })
        .collect();
    // convert frame counts at 30 fps to the clip's frame rate
    let frames = |at_30: usize| ((at_30 as f32 * fps / 30.0).round() as usize).max(1);
    turn_over_short_runs(&mut touches, false, frames(settings.shortest_gap_frames));
    turn_over_short_runs(&mut touches, true, frames(settings.shortest_frames));
    touches
}

/// Speed by central differences, m/s.
fn speed_at(positions: &[Vec3], frame: usize, fps: f32) -> f32 {
    let before = frame.saturating_sub(1);
    let after = (frame + 1).min(positions.len() - 1);
    if after == before {
        return 0.0;
    }
    positions[after].distance(positions[before]) * fps / (after - before) as f32
}

/// Flips runs of `value` that are shorter than `shortest`. Runs at the very beginning or end may
/// continue outside the clip and are kept.
fn turn_over_short_runs(values: &mut [bool], value: bool, shortest: usize) {
    let mut start = 0;
    while start < values.len() {
        let length = values[start..].iter().take_while(|other| **other == values[start]).count();
        let inside = start > 0 && start + length < values.len();
        if values[start] == value && length < shortest && inside {
            values[start..start + length].fill(!value);
        }
        start += length;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_gaps_are_closed_and_short_contacts_dropped() {
        let mut touches: Vec<bool> = "111011110000100111".chars().map(|c| c == '1').collect();
        turn_over_short_runs(&mut touches, false, 3);
        turn_over_short_runs(&mut touches, true, 3);
        let text: String = touches.iter().map(|touches| if *touches { '1' } else { '0' }).collect();
        assert_eq!(text, "111111110000111111");
    }
}
