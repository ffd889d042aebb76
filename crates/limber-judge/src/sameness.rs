//! Whether a clip shows what another one does, when nobody knows what was asked for.
//!
//! Most of what is seen in a clip is chance: a head that bobs at a step nods, a hand on its way is held
//! out. What all clips of one request share is what was asked for; of deeds that come along with others,
//! only when the words name them.

use limber_animation::Side;

use crate::{Body, Captions, Deed, Sighting, Way};

/// By so much of itself an amount may change, and by so much at least (metres or degrees).
const AMOUNT_SHARE: f32 = 0.15;
const LEAST_AMOUNT: f32 = 0.03;
/// Deeds that come along with others, and are seen or not by a hair.
const FAINT: &[Deed] = &[
    Deed::Sneak,
    Deed::Limp,
    Deed::KneeUp,
    Deed::FootLift,
    Deed::Squat,
    Deed::Lunge,
    Deed::Crouch,
    Deed::Still,
    Deed::Stand,
    Deed::Bow,
    Deed::SideBend,
    Deed::TrunkTwist,
    Deed::Sway,
    Deed::Dance,
    Deed::Shake,
    Deed::Shrug,
    Deed::Nod,
    Deed::ShakeHead,
    Deed::Look,
    Deed::LookAround,
    Deed::Strike,
    Deed::Swing,
    Deed::ReachOut,
    Deed::ArmBeats,
    Deed::HandWork,
    Deed::HandOut,
];

/// What several clips of one request share.
#[derive(Debug, Clone, PartialEq)]
pub struct Shared {
    /// Seen in every clip.
    seen: Vec<Deed>,
    /// Seen as often in every clip, with the same limbs and in the same directions.
    alike: Vec<Deed>,
}

impl Shared {
    /// Looks at clips that were made of one request, which said this.
    #[must_use]
    pub fn of(bodies: &[Body], said: &str) -> Self {
        let (mut seen, mut alike) = (Vec::new(), Vec::new());
        let told = Captions::built_in().read(said);
        let asked: Vec<Deed> =
            told.iter().flat_map(|told| &told.see).map(|step| step.deed).collect();
        let may_come_along =
            |deed: &Deed| FAINT.contains(deed) && !asked.contains(deed) && !is_named(*deed, said);
        for deed in Deed::ALL.iter().copied().filter(|deed| !may_come_along(deed)) {
            let told: Vec<Vec<Told>> =
                bodies.iter().map(|body| deed.sightings(body).iter().map(tell).collect()).collect();
            if told.is_empty() || told.iter().any(Vec::is_empty) {
                continue;
            }
            let same = told.iter().all(|other| *other == told[0]);
            if same { &mut alike } else { &mut seen }.push(deed);
        }
        Self { seen, alike }
    }

    /// Whether what they share is in `after` as it is in `before`.
    ///
    /// # Errors
    /// A sentence about the first deed that is not.
    pub fn is_kept(&self, before: &Body, after: &Body) -> Result<(), String> {
        if let Some(deed) = self.seen.iter().find(|deed| deed.sightings(after).is_empty()) {
            return Err(format!("{deed:?} is not seen any more"));
        }
        self.alike.iter().try_for_each(|deed| {
            let [was, is] = [before, after].map(|body| deed.sightings(body));
            if was.len() != is.len() {
                return Err(format!(
                    "{deed:?} is seen {} times instead of {}",
                    is.len(),
                    was.len()
                ));
            }
            match was.iter().zip(&is).find(|(was, is)| !is_alike(was, is)) {
                Some((was, is)) => Err(format!("{deed:?} is {is:?} instead of {was:?}")),
                None => Ok(()),
            }
        })
    }
}

type Told = (Option<Side>, Option<Way>);

const fn tell(sighting: &Sighting) -> Told {
    (sighting.side, sighting.way)
}

fn is_alike(was: &Sighting, is: &Sighting) -> bool {
    let by = (AMOUNT_SHARE * was.amount.abs()).max(LEAST_AMOUNT);
    tell(was) == tell(is) && (was.amount - is.amount).abs() <= by
}

/// Whether a word begins like a part of the deed's name: `twists` is a [`Deed::TrunkTwist`].
fn is_named(deed: Deed, said: &str) -> bool {
    let name = format!("{deed:?}");
    let mut parts: Vec<String> = Vec::new();
    for letter in name.chars() {
        match parts.last_mut() {
            Some(part) if letter.is_lowercase() => part.push(letter),
            _ => parts.push(letter.to_lowercase().collect()),
        }
    }
    let said = said.to_lowercase();
    let mut words = said.split(|c: char| !c.is_alphanumeric());
    words.any(|word| parts.iter().any(|part| part.len() > 2 && word.starts_with(part.as_str())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deeds_are_named_by_the_words_of_their_names() {
        assert!(is_named(Deed::TrunkTwist, "a person twists the torso"));
        assert!(is_named(Deed::Shrug, "Shrug twice!"));
        assert!(is_named(Deed::LookAround, "look around, then nod"));
        assert!(!is_named(Deed::Shrug, "a person walks forward"));
        assert!(!is_named(Deed::Nod, "nothing"));
    }
}
