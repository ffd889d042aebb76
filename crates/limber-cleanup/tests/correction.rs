//! Measures the guarantees of the cleanup stages: which frequencies the filter passes, which feet
//! are locked.

#[path = "feet/gait.rs"]
#[expect(dead_code, reason = "the tests of feet use more of it")]
mod gait;

use std::{f32::consts::TAU, sync::Arc};

use gait::{Walk, walk};
use glam::Quat;
use limber_animation::{Clip, Fps, HumanBone, canonical_skeleton};
use limber_cleanup::{
    ContactSettings, FootLockingMode, contacts_of, detect_contacts, filter_poses, lock_feet,
    measure,
};

/// Share of a nod of this frequency that passes the filter.
fn passed(hertz: f32, strength: f32, fps: u16) -> f32 {
    let fps = Fps::new(fps).expect("a rate");
    let skeleton = canonical_skeleton();
    let head = skeleton.find(HumanBone::Head).expect("it has a head");
    let frames = (0..10 * usize::from(fps.get()))
        .map(|frame| {
            let mut pose = skeleton.rest_pose();
            let angle = 0.1 * (TAU * hertz * frame as f32 / fps.per_second()).sin();
            pose.set_rotation(head, Quat::from_rotation_x(angle));
            pose
        })
        .collect();
    let clip = Clip::new(Arc::clone(&skeleton), fps, frames).expect("the clip is well-formed");
    let power = |clip: &Clip| -> f32 {
        let middle = clip.len() / 4..3 * clip.len() / 4;
        middle.map(|frame| clip.frames()[frame].rotation(head).to_scaled_axis().x.powi(2)).sum()
    };
    (power(&filter_poses(&clip, strength)) / power(&clip)).sqrt()
}

#[test]
fn the_filter_lets_half_of_the_power_through_at_its_cutoff() {
    for (strength, cutoff_hz) in [(0.25, 9.585), (0.5, 6.124), (0.75, 3.913), (1.0, 2.5)] {
        let share = passed(cutoff_hz, strength, 120);
        assert!((share - 0.707).abs() < 0.03, "{share} at {cutoff_hz} Hz, strength {strength}");
        assert!(passed(0.2 * cutoff_hz, strength, 120) > 0.97);
        assert!(passed(3.0 * cutoff_hz, strength, 120) < 0.06);
    }
    assert!((passed(14.5, 0.01, 120) - 0.707).abs() < 0.03);
}

#[test]
fn at_thirty_frames_a_second_the_cutoff_is_the_same() {
    assert!((passed(2.5, 1.0, 30) - 0.707).abs() < 0.03);
}

#[test]
fn always_locks_low_feet_within_reach() {
    let low = ContactSettings::by_height_only();
    assert_eq!(low.height_on_m, ContactSettings::default().height_off_m);
    let held = |slide_m_s: f32| {
        let clip = walk(&Walk { slide_m_s, ..Walk::default() });
        let locked = lock_feet(&clip, &contacts_of(&clip), FootLockingMode::Always);
        let found = detect_contacts(&clip, &low);
        let held = locked.contacts().expect("what was held");
        let count = |bits: &mut dyn Iterator<Item = u8>| bits.map(u8::count_ones).sum::<u32>();
        let both = &mut held.iter().zip(&found).map(|(held, found)| held.bits() & found.bits());
        let share = count(both) as f32 / count(&mut found.iter().map(|f| f.bits())) as f32;
        (share, measure(&locked).foot_skate_cm_s)
    };
    let (near, slow) = held(0.3);
    assert!(near > 0.8 && slow < 1.0, "{near} of all is held, at {slow} cm/s");
    // a foot that moves too far is released and locked again
    let (far, fast) = held(1.0);
    assert!(far < near && fast < 2.0, "{far} of all is held, at {fast} cm/s");
}

#[test]
fn auto_separates_skating_from_gliding_at_40_cm_per_second() {
    for (slide_m_s, locks) in [(0.30, true), (0.50, false)] {
        let clip = walk(&Walk { slide_m_s, contacts: true, ..Walk::default() });
        let after = lock_feet(&clip, &contacts_of(&clip), FootLockingMode::Auto);
        let skate = measure(&after).foot_skate_cm_s;
        assert_eq!(skate < 3.0, locks, "{skate} cm/s after {slide_m_s} m/s");
    }
}
