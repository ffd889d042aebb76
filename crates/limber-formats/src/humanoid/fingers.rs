//! Finds the finger chains below a hand and tells which finger each is.

use glam::Vec3;
use limber_animation::{Finger, HumanBone, Phalanx, Side};

use super::assign::Draft;
use super::name::Label;
use super::{By, Rig, sides, table};

/// The joints of one finger, from the palm outwards.
struct Chain {
    joints: Vec<usize>,
    /// The finger that its name says.
    named: Option<(Finger, By)>,
}

/// Maps the fingers of both hands.
pub(super) fn find(rig: &Rig<'_>, draft: &mut Draft, convention: Option<&str>) {
    let facing = sides::look(rig, draft).facing();
    for side in Side::BOTH {
        let [_, _, lower_arm, hand] = HumanBone::arm(side);
        // in a rig without hands, fingers may be children of the lower arm
        let Some(root) = draft.get(hand).or_else(|| draft.get(lower_arm)) else { continue };
        let mut chains = chains(rig, draft, root, convention);
        let from = rig.tree.at(root);
        for chain in &mut chains {
            chain.shorten(rig, from, convention);
        }
        chains.retain(|chain| chain.joints.len() > 1);
        for (finger, by, sure, chain) in told_apart(rig, &chains, from, facing) {
            put(rig, draft, convention, side, finger, by, sure, chain);
        }
    }
}

#[expect(clippy::too_many_arguments, reason = "called in one place, which needs every part once")]
fn put(
    rig: &Rig<'_>,
    draft: &mut Draft,
    convention: Option<&str>,
    side: Side,
    finger: Finger,
    by: By,
    sure: f32,
    chain: &Chain,
) {
    for (place, joint) in chain.joints.iter().enumerate() {
        let by_place = Phalanx::ALL[place];
        let is_whole = chain.joints.len() == Phalanx::ALL.len();
        let phalanx =
            if is_whole { by_place } else { told(rig, convention, *joint).unwrap_or(by_place) };
        draft.put(HumanBone::finger(side, finger, phalanx), *joint, by, sure);
    }
}

/// Returns the phalanx that the convention's name for this joint says.
fn told(rig: &Rig<'_>, convention: Option<&str>, joint: usize) -> Option<Phalanx> {
    let label = &rig.labels[joint];
    table::finger(convention, &(label.side, label.key.clone())).map(|(_, phalanx)| phalanx)
}

/// Returns all chains below the palm, skipping joints that only spread the palm.
fn chains(rig: &Rig<'_>, draft: &Draft, root: usize, convention: Option<&str>) -> Vec<Chain> {
    let mut found = Vec::new();
    let mut open: Vec<usize> = rig.tree.children(root).to_vec();
    while let Some(joint) = open.pop() {
        if draft.bone_of(joint).is_some() || !rig.tree.moves(joint) {
            continue;
        }
        let named = named(rig, convention, joint);
        let starts = rig
            .tree
            .children(joint)
            .iter()
            .filter(|child| rig.tree.moves(**child) && !rig.tree.children(**child).is_empty());
        let is_palm = is_passed(rig, joint, named) || (named.is_none() && starts.count() > 1);
        if is_palm {
            open.extend(rig.tree.children(joint));
            continue;
        }
        let mut joints = vec![joint];
        while let Some(last) = joints.last().copied()
            && let Some(next) = next_in_chain(rig, last)
        {
            // the thumb may branch off a palm bone
            open.extend(rig.tree.children(last).iter().filter(|other| {
                let other_finger = self::named(rig, convention, **other);
                **other != next && other_finger.is_some() && other_finger != named
            }));
            joints.push(next);
        }
        let names = || joints.iter().filter_map(|joint| self::named(rig, convention, *joint));
        let named = names().find(|(_, by)| *by == By::Table).or_else(|| names().next());
        found.push(Chain { joints, named });
    }
    found
}

/// Whether a joint is skipped. The thumb's metacarpal is one of our bones, those of the other
/// fingers are not.
fn is_passed(rig: &Rig<'_>, joint: usize, named: Option<(Finger, By)>) -> bool {
    let is_thumb = named.is_some_and(|(finger, _)| finger == Finger::Thumb);
    rig.is_extra(joint) && !(is_thumb && rig.labels[joint].has("metacarpal"))
}

fn next_in_chain(rig: &Rig<'_>, joint: usize) -> Option<usize> {
    let next = rig
        .tree
        .children(joint)
        .iter()
        .copied()
        .filter(|child| rig.tree.moves(*child) && !rig.is_extra(*child));
    let length = |child: usize| rig.tree.at(child).distance(rig.tree.at(joint));
    let own = by_words(&rig.labels[joint]);
    let is_other = |child: usize| {
        own.is_some() && by_words(&rig.labels[child]).is_some_and(|f| Some(f) != own)
    };
    next.filter(|child| !is_other(*child))
        .max_by(|one, other| length(*one).total_cmp(&length(*other)))
}

/// Returns the finger that the joint's name says: by the rig's convention, otherwise by words.
fn named(rig: &Rig<'_>, convention: Option<&str>, joint: usize) -> Option<(Finger, By)> {
    let label = &rig.labels[joint];
    let spelling = (label.side, label.key.clone());
    match table::finger(convention, &spelling) {
        Some((finger, _)) => Some((finger, By::Table)),
        None => by_words(label).map(|finger| (finger, By::Synonym)),
    }
}

fn by_words(label: &Label) -> Option<Finger> {
    const WORDS: [(Finger, &[&str]); 5] = [
        (Finger::Thumb, &["thumb", "親指"]),
        (Finger::Index, &["index", "pointer", "人指", "人差指", "人差し指"]),
        (Finger::Middle, &["middle", "mid", "中指"]),
        (Finger::Ring, &["ring", "薬指"]),
        (Finger::Little, &["pinky", "pinkie", "little", "small", "小指"]),
    ];
    let says = |said: &&str| {
        label.words.iter().any(|word| {
            word.replace("finger", "") == **said || (said.len() > 4 && word.contains(*said))
        })
    };
    WORDS.iter().find(|(_, words)| words.iter().any(says)).map(|(finger, _)| *finger)
}

impl Chain {
    /// Removes bones inside the palm from the near end, and tips from the far end.
    fn shorten(&mut self, rig: &Rig<'_>, from: Vec3, convention: Option<&str>) {
        const WHOLE: usize = Phalanx::ALL.len();
        let is_thumb = self.named.is_some_and(|(finger, _)| finger == Finger::Thumb);
        let is_first = |joint: &usize| told(rig, convention, *joint) == Some(Phalanx::First);
        if let Some(first) = self.joints.iter().position(is_first)
            && self.joints.len() >= first + WHOLE
        {
            self.joints.drain(..first);
        } else {
            // knuckles are farther from the wrist than from the next joint
            let is_in_palm = |joints: &[usize]| {
                let (first, next) = (rig.tree.at(joints[0]), rig.tree.at(joints[1]));
                from.distance(first) < first.distance(next)
            };
            while !is_thumb && self.joints.len() > WHOLE && is_in_palm(&self.joints) {
                self.joints.remove(0);
            }
        }
        self.joints.truncate(WHOLE);
    }

    fn base(&self, rig: &Rig<'_>) -> Vec3 {
        rig.tree.at(self.joints[0])
    }

    fn tip(&self, rig: &Rig<'_>) -> Vec3 {
        rig.tree.at(self.joints[self.joints.len() - 1])
    }

    fn along(&self, rig: &Rig<'_>) -> Vec3 {
        (self.tip(rig) - self.base(rig)).normalize_or_zero()
    }

    fn middle(&self, rig: &Rig<'_>) -> Vec3 {
        0.5 * (self.base(rig) + self.tip(rig))
    }
}

/// Identifies the finger of each chain: by name, and unnamed ones by their order across the palm.
fn told_apart<'c>(
    rig: &Rig<'_>,
    chains: &'c [Chain],
    from: Vec3,
    facing: Vec3,
) -> Vec<(Finger, By, f32, &'c Chain)> {
    let mut told = Vec::new();
    for chain in chains {
        if let Some((finger, by)) = chain.named {
            told.push((finger, by, if by == By::Table { 0.95 } else { 0.85 }, chain));
        }
    }
    let unnamed: Vec<&Chain> = chains.iter().filter(|chain| chain.named.is_none()).collect();
    let thumb = match &told[..] {
        [] => thumb(rig, &unnamed, from, facing),
        [(Finger::Thumb, _, _, chain)] => Some(*chain),
        // if other fingers are named, an unnamed chain is not a finger
        _ => return told,
    };
    let others: Vec<&Chain> = unnamed
        .into_iter()
        .filter(|chain| thumb.is_none_or(|thumb| !std::ptr::eq(*chain, thumb)))
        .collect();
    let named_thumb = !told.is_empty();
    let count = others.len() + usize::from(thumb.is_some());
    if !(2..=5).contains(&count) || others.len() > 4 {
        return told;
    }
    let sure = if count == 5 { 0.6 } else { 0.5 };
    if let Some(thumb) = thumb.filter(|_| !named_thumb) {
        told.push((Finger::Thumb, By::Structure, sure, thumb));
    }
    let order = across(rig, &others, thumb, facing);
    let fingers = Finger::ALL.into_iter().skip(1);
    told.extend(fingers.zip(order).map(|(finger, chain)| (finger, By::Structure, sure, chain)));
    told
}

/// Returns the chain that leaves the hand nearest to the wrist and away from the others.
fn thumb<'c>(rig: &Rig<'_>, chains: &[&'c Chain], from: Vec3, facing: Vec3) -> Option<&'c Chain> {
    if chains.len() < 2 {
        return None;
    }
    let reach = |chain: &Chain| chain.tip(rig).distance(from);
    let longest = chains.iter().map(|chain| reach(chain)).fold(0.0, f32::max);
    let aside = |chain: &Chain| -> f32 {
        let others = chains.iter().filter(|other| !std::ptr::eq(**other, chain));
        let along: Vec3 = others.map(|other| other.along(rig)).sum();
        chain.along(rig).angle_between(along.try_normalize().unwrap_or(Vec3::Y))
    };
    let score = |chain: &Chain| aside(chain) + 1.0 - reach(chain) / longest.max(1e-9);
    let best = chains.iter().copied().max_by(|one, other| score(one).total_cmp(&score(other)))?;
    let is_clear = aside(best) > 0.35 || (aside(best) > 0.15 && reach(best) < 0.75 * longest);
    if is_clear {
        return Some(best);
    }
    let ahead = |chain: &Chain| chain.middle(rig).dot(facing);
    let first = chains.iter().copied().max_by(|one, other| ahead(one).total_cmp(&ahead(other)));
    first.filter(|_| chains.len() == 5)
}

/// Returns the four fingers from the thumb outwards or, without a thumb, from front to back.
fn across<'c>(
    rig: &Rig<'_>,
    chains: &[&'c Chain],
    thumb: Option<&Chain>,
    facing: Vec3,
) -> Vec<&'c Chain> {
    let mut widest = (0.0, facing);
    for one in chains {
        for other in chains {
            let gap = one.middle(rig) - other.middle(rig);
            if gap.length() > widest.0 {
                widest = (gap.length(), gap);
            }
        }
    }
    let centre: Vec3 =
        chains.iter().map(|chain| chain.middle(rig)).sum::<Vec3>() / chains.len().max(1) as f32;
    let towards = thumb.map_or(facing, |thumb| thumb.base(rig) - centre);
    let axis = if widest.1.dot(towards) < 0.0 { -widest.1 } else { widest.1 };
    let mut order = chains.to_vec();
    order.sort_by(|one, other| other.middle(rig).dot(axis).total_cmp(&one.middle(rig).dot(axis)));
    order
}
