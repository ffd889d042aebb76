//! S2: what touches the floor, and where the floor is.

use limber_animation::{Character, Clip, HumanBone, Side};
use limber_cleanup::{Soles, contacts_of, ground};

use crate::{ErrorCode, Options, PipelineError, Stage};
use limber_cleanup::FootLockingMode;

/// Legs that differ more cannot stand on a floor together.
const MAX_LEG_DIFFERENCE: f32 = 0.15;
const MIN_BONE_M: f32 = 0.001;
const HEIGHT_M: std::ops::RangeInclusive<f32> = 0.3..=10.0;

/// 605: the character's body cannot be simulated; 607: the result is no movement any more.
///
/// The clip comes back with its contacts; with physics on it also stands on the floor.
pub(crate) fn track(
    clip: &Clip,
    character: &Character,
    options: &Options,
) -> Result<Clip, PipelineError> {
    let failed = |code, message: String| PipelineError::at(Stage::Tracking, code, message);
    if options.dis {
        simulable(character).map_err(|problem| {
            let message = format!(
                "{problem}, so its body cannot be simulated; turn the physics stage off (dis=s)"
            );
            failed(ErrorCode::PHYSICS_INCOMPATIBLE, message)
        })?;
    }
    let contacts = contacts_of(clip);
    let grounds = options.dis && options.foot_locking != FootLockingMode::Never;
    let tracked =
        if grounds { ground(clip, &Soles::of_skeleton(clip.skeleton())) } else { clip.clone() };
    if let Some(frame) = tracked.frames().iter().position(|pose| !pose.is_finite()) {
        let message = format!("frame {frame} cannot be put on the floor");
        return Err(failed(ErrorCode::TRACKING, message));
    }
    tracked.with_contacts(contacts).map_err(|error| failed(ErrorCode::TRACKING, error.to_string()))
}

fn simulable(character: &Character) -> Result<(), String> {
    let skeleton = &character.skeleton;
    let world = skeleton.rest_world();
    let name = &character.name;
    let mut lengths = [0.0_f32; 2];
    for (place, side) in Side::BOTH.into_iter().enumerate() {
        let [upper, lower, foot, _] = HumanBone::leg(side);
        for (from, to) in [(upper, lower), (lower, foot)] {
            let Some((a, b)) = skeleton.find(from).zip(skeleton.find(to)) else {
                return Err(format!(
                    "the character `{name}` lacks {} or {}",
                    from.name(),
                    to.name()
                ));
            };
            let length = world.position(a).distance(world.position(b));
            if length.is_nan() || length <= MIN_BONE_M {
                return Err(format!("the bone {} of `{name}` has no length", from.name()));
            }
            lengths[place] += length;
        }
    }
    let [left, right] = lengths;
    if (left - right).abs() > MAX_LEG_DIFFERENCE * left.max(right) {
        return Err(format!("the legs of `{name}` differ by more than 15 %"));
    }
    let (low, high) = character
        .meshes
        .iter()
        .filter(|mesh| mesh.skin.is_some())
        .flat_map(|mesh| character.skinned_positions(mesh, &world))
        .fold((f32::MAX, f32::MIN), |(low, high), at| (low.min(at.y), high.max(at.y)));
    if HEIGHT_M.contains(&(high - low)) {
        Ok(())
    } else {
        Err(format!("the character `{name}` is not between 0.3 and 10 m tall"))
    }
}
