//! The vocabulary of prompts, for user interfaces that offer choices.

use limber_text_to_motion::{Action, names_not_performed_yet};

/// Words for prompts, in the form in which they can appear there: after the subject comes an
/// action, then the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vocabulary {
    /// Families, such as `gestures`, with their actions, such as `sit down`.
    pub actions: Vec<(&'static str, Vec<String>)>,
    /// Directions of movement.
    pub directions: &'static [&'static str],
    /// Limbs and sides.
    pub sides: &'static [&'static str],
    /// Speeds.
    pub speeds: &'static [&'static str],
    /// Styles: mood and weight.
    pub manners: &'static [&'static str],
    /// Numbers of repetitions.
    pub counts: &'static [&'static str],
}

/// Action names that scripts may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ActionNames {
    /// Names of actions that can be performed, grouped by family.
    pub performed: Vec<&'static str>,
    /// Names that are understood but cannot be performed yet.
    pub not_performed_yet: Vec<&'static str>,
}

/// Returns all action names for authors of scripts.
#[must_use]
pub fn action_names() -> ActionNames {
    ActionNames {
        performed: Action::all().map(Action::name).collect(),
        not_performed_yet: names_not_performed_yet(),
    }
}

/// Returns the whole vocabulary.
#[must_use]
pub fn vocabulary() -> Vocabulary {
    let mut actions: Vec<(&'static str, Vec<String>)> = Vec::new();
    for action in Action::all() {
        match actions.iter_mut().find(|(family, _)| *family == action.family()) {
            Some((_, phrases)) => phrases.push(action.phrase()),
            None => actions.push((action.family(), vec![action.phrase()])),
        }
    }
    Vocabulary {
        actions,
        directions: &[
            "forward",
            "backward",
            "to the left",
            "to the right",
            "in a circle",
            "back and forth",
        ],
        sides: &[
            "with the left hand",
            "with the right hand",
            "with both hands",
            "with the left leg",
            "with the right leg",
        ],
        speeds: &["very slowly", "slowly", "quickly", "very fast"],
        manners: &[
            "happily",
            "sadly",
            "tiredly",
            "angrily",
            "fearfully",
            "proudly",
            "drunkenly",
            "sneakily",
            "casually",
            "energetically",
            "carefully",
            "heavily",
        ],
        counts: &["once", "twice", "three times", "four times", "five times"],
    }
}

#[cfg(test)]
mod tests {
    use limber_script::message::sentences;
    use limber_text_to_motion::{Composer, MotionEngine, Prompt};

    use super::*;

    /// Returns what is wrong with a prompt; `None` if every word of it is understood.
    fn fault_of(prompt: &str) -> Option<String> {
        let said = match Composer.understand(&Prompt::parse(prompt).expect("a prompt")) {
            Ok(understood) => sentences(&understood.warnings),
            Err(error) => error.to_string(),
        };
        (!said.is_empty()).then(|| format!("{prompt}: {said}"))
    }

    #[test]
    fn every_offered_name_is_valid_in_a_script() {
        let ActionNames { performed, not_performed_yet } = action_names();
        assert!(performed.contains(&"walk") && not_performed_yet.contains(&"headspin"));
        let mut names = [performed, not_performed_yet].concat();
        for name in &names {
            name.parse::<limber_script::ActionName>().expect("a name");
        }
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all, "no name is offered twice");
    }

    #[test]
    fn every_offered_word_is_understood() {
        let words = vocabulary();
        let phrases = words.actions.iter().flat_map(|(_, phrases)| phrases);
        let of_walking = [words.directions, words.speeds, words.manners].concat();
        let of_limbs = words.sides.iter().map(|side| {
            let action = if side.ends_with("leg") { "kicks" } else { "waves" };
            format!("{action} {side}")
        });
        let of_jumping = words.counts.iter().map(|count| format!("jumps {count}"));
        let ends = phrases
            .cloned()
            .chain(of_walking.iter().map(|word| format!("walks {word}")))
            .chain(of_limbs)
            .chain(of_jumping);
        let faults: Vec<String> =
            ends.filter_map(|end| fault_of(&format!("a person {end}"))).collect();
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }
}
