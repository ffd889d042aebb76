//! Aligns a clip with the floor.

use glam::Vec3;
use limber_animation::{Clip, ContactPoint, Contacts, Side};

use crate::{
    contacts_of, curve,
    feet::{Foot, FootPath, Soles, levels, move_hips, side_place},
};

/// Shifts the whole clip vertically so that the soles of standing feet are at y = 0; on stairs,
/// those on the lowest step. If there are no contacts, the lowest sole of the clip is raised to the
/// floor if it was below, and left in the air if above.
#[must_use]
pub fn ground(clip: &Clip, soles: &Soles) -> Clip {
    let contacts = contacts_of(clip);
    let skeleton = clip.skeleton();
    let levels = levels(clip, &contacts, soles);
    let mut standing = Vec::new();
    let mut lowest = f32::INFINITY;
    for foot in Foot::all(skeleton) {
        let path = FootPath::of(clip, &foot, soles);
        let place = side_place(foot.side);
        for (frame, touching) in contacts.iter().enumerate() {
            let level = levels[place][frame];
            let heel = path.heel[frame].y - level;
            let ball = path.ball[frame].y - soles.ball_m[place] - level;
            lowest = lowest.min(heel).min(ball);
            standing.extend(heights_in_contact(*touching, foot.side, heel, ball));
        }
    }
    let height = if standing.is_empty() {
        if lowest.is_finite() { lowest.min(0.0) } else { 0.0 }
    } else {
        curve::median(standing.into_iter())
    };
    let mut grounded = clip.clone();
    for pose in grounded.frames_mut() {
        move_hips(skeleton, pose, Vec3::NEG_Y * height);
    }
    grounded
}

fn heights_in_contact(
    contacts: Contacts,
    side: Side,
    heel: f32,
    ball: f32,
) -> impl Iterator<Item = f32> {
    let heel = contacts.has(ContactPoint::Heel(side)).then_some(heel);
    let ball = contacts.has(ContactPoint::Toe(side)).then_some(ball);
    heel.into_iter().chain(ball)
}
