//! Maps hips, spine and neck by their position in the chain, because their names mean different
//! levels in every rig.

use limber_animation::{HumanBone, Side};

use super::assign::{Draft, Kin};
use super::word::{Part, part};
use super::{By, Rig, spoken};

/// Puts the hips where legs and spine meet, distributes the spine bones along the chain, and takes
/// joints between named bones for neck and shoulders that names did not identify.
pub(super) fn settle(rig: &Rig<'_>, draft: &mut Draft) {
    let moved = raise_hips(rig, draft);
    let Some(top) = top(rig, draft) else { return };
    let is_open = draft.by(HumanBone::Spine).is_none_or(|by| by == By::Synonym);
    if moved || is_open || has_unknown_level(rig, draft, top) {
        levels(rig, draft, top);
    }
    between(rig, draft, top);
}

/// Moves the hips up if the named joint carries only the trunk: the body travels with the joint
/// that also carries the legs.
fn raise_hips(rig: &Rig<'_>, draft: &mut Draft) -> bool {
    let legs = [HumanBone::LeftUpperLeg, HumanBone::RightUpperLeg].map(|bone| draft.get(bone));
    let [Some(left), Some(right)] = legs else { return false };
    let trunk = draft.get(HumanBone::Hips).or_else(|| draft.get(HumanBone::Head));
    let fork = rig.tree.fork(left, right);
    let fork = fork.zip(trunk).and_then(|(fork, trunk)| rig.tree.fork(fork, trunk));
    let (Some(fork), named) = (fork, draft.get(HumanBone::Hips)) else { return false };
    if named == Some(fork) || named.is_some_and(|hips| rig.tree.is_above(hips, fork)) {
        return false;
    }
    let is_fixed = matches!(draft.by(HumanBone::Hips), Some(By::User | By::Vrm));
    let is_high = rig.tree.at(fork).y > knee_height(rig, draft);
    if is_fixed || !is_high || draft.bone_of(fork).is_some() {
        return false;
    }
    draft.forget(HumanBone::Hips);
    draft.put(HumanBone::Hips, fork, By::Structure, 0.7);
    named.is_some()
}

/// Returns the height half-way down the legs; hips cannot be below it.
fn knee_height(rig: &Rig<'_>, draft: &Draft) -> f32 {
    let heights = Side::BOTH.map(|side| {
        let [upper, lower, foot, _] = HumanBone::leg(side).map(|bone| draft.get(bone));
        let low = foot.or(lower).map_or(f32::MIN, |joint| rig.tree.at(joint).y);
        upper.map_or(low, |upper| 0.5 * (low + rig.tree.at(upper).y))
    });
    heights[0].max(heights[1])
}

/// Returns the joint where the arms leave the trunk.
fn top(rig: &Rig<'_>, draft: &Draft) -> Option<usize> {
    let hips = draft.get(HumanBone::Hips)?;
    let arm = |side| HumanBone::arm(side).into_iter().find_map(|bone| draft.get(bone));
    let head = [HumanBone::Neck, HumanBone::Head].into_iter().find_map(|bone| draft.get(bone));
    let by_arms = arm(Side::Left).zip(arm(Side::Right)).and_then(|(l, r)| rig.tree.fork(l, r));
    let by_head = head.and_then(|head| rig.tree.parent(head));
    by_arms
        .filter(|fork| head.is_none_or(|head| !rig.tree.holds(head, *fork)))
        .or(by_head)
        .filter(|top| rig.tree.is_above(hips, *top))
}

/// Whether a table left spine levels unmapped although the rig has more of them under other names.
fn has_unknown_level(rig: &Rig<'_>, draft: &Draft, top: usize) -> bool {
    let is_whole = draft.has(HumanBone::Chest) && draft.has(HumanBone::UpperChest);
    let Some(hips) = draft.get(HumanBone::Hips).filter(|_| !is_whole) else { return false };
    rig.tree.way_down(hips, top).into_iter().any(|joint| {
        draft.bone_of(joint).is_none()
            && rig.tree.moves(joint)
            && part(&rig.labels[joint]) == Some(Part::Trunk)
    })
}

/// Maps the first, middle and last joint between hips and arms to spine, chest and upper chest.
fn levels(rig: &Rig<'_>, draft: &mut Draft, top: usize) {
    const LEVELS: [HumanBone; 3] = [HumanBone::Spine, HumanBone::Chest, HumanBone::UpperChest];
    let Some(hips) = draft.get(HumanBone::Hips) else { return };
    let is_level = |joint: &usize| {
        let free = draft.bone_of(*joint).is_none_or(|bone| LEVELS.contains(&bone));
        free && !rig.is_extra(*joint) && rig.tree.moves(*joint)
    };
    let chain: Vec<usize> = rig.tree.way_down(hips, top).into_iter().filter(is_level).collect();
    if chain.is_empty() {
        return;
    }
    let said = LEVELS.map(|bone| draft.by(bone));
    if said.iter().any(|by| matches!(by, Some(By::User | By::Vrm))) {
        return;
    }
    for bone in LEVELS {
        draft.forget(bone);
    }
    for (bone, joint) in LEVELS.into_iter().zip(spread(&chain)) {
        let is_named = part(&rig.labels[joint]) == Some(Part::Trunk);
        let (by, sure) = if is_named { (By::Synonym, 0.85) } else { (By::Structure, 0.6) };
        draft.put(bone, joint, by, sure);
    }
}

/// Returns at most three joints of a chain: the first, the middle one, the last.
pub(super) fn spread(chain: &[usize]) -> Vec<usize> {
    match chain {
        [] => Vec::new(),
        [first] => vec![*first],
        [first, last] => vec![*first, *last],
        [first, .., last] => vec![*first, chain[(chain.len() - 1) / 2], *last],
    }
}

/// Maps a joint between trunk and head to the neck, and one before the upper arm to the shoulder.
fn between(rig: &Rig<'_>, draft: &mut Draft, top: usize) {
    let limbs = [
        (HumanBone::Neck, HumanBone::Head),
        (HumanBone::LeftShoulder, HumanBone::LeftUpperArm),
        (HumanBone::RightShoulder, HumanBone::RightUpperArm),
    ];
    for (bone, next) in limbs {
        let (false, Some(end)) = (draft.has(bone), draft.get(next)) else { continue };
        if draft.by(next) == Some(By::Table) {
            continue; // its table says what the rig has
        }
        let way = rig.tree.way_down(top, end);
        let free = |joint: &&usize| {
            **joint != end
                && draft.bone_of(**joint).is_none()
                && rig.tree.moves(**joint)
                && !rig.is_extra(**joint)
                && rig.tree.at(**joint).distance(rig.tree.at(end)) > 1e-4
        };
        if let Some(joint) = way.iter().find(free).copied()
            && draft.kin(rig, bone, joint) != Kin::Wrong
        {
            draft.put(bone, joint, By::Structure, 0.6);
        }
    }
}

/// Returns a note for a spine with more joints than bones: the others follow.
pub(super) fn extra_levels(rig: &Rig<'_>, draft: &Draft) -> Option<String> {
    let (hips, top) = (draft.get(HumanBone::Hips)?, top(rig, draft)?);
    let count = rig.tree.way_down(hips, top).len();
    (count > 3).then(|| {
        format!(
            "The spine has {count} joints: the bend of the {} to the {} is spread over them.",
            spoken(HumanBone::Spine),
            spoken(HumanBone::UpperChest)
        )
    })
}
