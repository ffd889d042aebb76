//! S2: detects contacts, finds the floor and removes what is physically impossible.

use limber_animation::{Character, Clip, HumanBone, Side};
use limber_cleanup::{
    BodyFaults, Build, FootLockingMode, Soles, contacts_of, fix_body_faults, ground,
};

use crate::{ErrorCode, Options, PipelineError, Stage};

/// Maximum relative difference of the legs' lengths; beyond it both cannot stand on the same floor.
const MAX_LEG_DIFFERENCE: f32 = 0.15;
const MIN_BONE_M: f32 = 0.001;
const HEIGHT_M: std::ops::RangeInclusive<f32> = 0.3..=10.0;

/// A clip with its contacts, and the results of the physics stage.
pub(crate) struct Tracked {
    pub(crate) clip: Clip,
    /// `None` if the stage was off or failed.
    pub(crate) physics: Option<Physics>,
    /// Whether the physics stage failed on a clip with manual corrections; the clip is then left as
    /// it is.
    pub(crate) is_stuck: bool,
}

/// What the metrics need from the physics stage.
pub(crate) struct Physics {
    /// Physical impossibilities in the generated clip.
    pub(crate) before: BodyFaults,
    /// The girth of the character.
    pub(crate) build: Build,
}

/// Detects the contacts of a clip. With physics, also puts it on the floor, its joints within their
/// limits and its limbs outside the body.
///
/// # Errors
/// 605 if the character's body cannot be simulated; 607 if no possible motion was found.
pub(crate) fn track(
    clip: &Clip,
    character: &Character,
    options: &Options,
) -> Result<Tracked, PipelineError> {
    let contacts = contacts_of(clip);
    let with_contacts = |clip: Clip| {
        clip.with_contacts(contacts).map_err(|error| failed(ErrorCode::TRACKING, error.to_string()))
    };
    if !options.physics {
        return Ok(Tracked { clip: with_contacts(clip.clone())?, physics: None, is_stuck: false });
    }
    let build = simulable(character)
        .and_then(|()| Build::of_character(character).map_err(|error| error.to_string()))
        .map_err(|problem| {
            let message = format!(
                "{problem}, so its body cannot be simulated; turn the physics stage off (dis=s)"
            );
            failed(ErrorCode::PHYSICS_INCOMPATIBLE, message)
        })?;
    let level = if options.foot_locking == FootLockingMode::Never {
        clip.clone()
    } else {
        ground(clip, &Soles::of_skeleton(clip.skeleton()))
    };
    let level = with_contacts(level)?;
    match fix_body_faults(&level, &build) {
        Ok(fixed) => {
            let physics = Some(Physics { before: fixed.before, build });
            Ok(Tracked { clip: fixed.clip, physics, is_stuck: false })
        }
        // another seed would not help, and manual corrections must not be refused
        Err(_) if options.corrections.change_something() => {
            Ok(Tracked { clip: level, physics: None, is_stuck: true })
        }
        Err(error) => {
            let message =
                format!("{error}; try another seed, or turn the physics stage off (dis=s)");
            Err(failed(ErrorCode::TRACKING, message))
        }
    }
}

fn failed(code: ErrorCode, message: String) -> PipelineError {
    PipelineError::at(Stage::Tracking, code, message)
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
