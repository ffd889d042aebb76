//! Groups the words that name actions into events.

use ndarray::Array2;

use crate::heads::rounded;

/// What a word is to the events of a prompt, in the order of the classes of the trigger head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Outside,
    First,
    Further,
}

const ROLES: [Role; 3] = [Role::Outside, Role::First, Role::Further];

/// Returns the word indices of each event, given a row of scores for each word.
///
/// Of all sequences of roles in which only a first or a further word precedes a further one, it
/// takes the one with the highest sum of scores (Viterbi 1967). Deciding for each word on its own
/// would make events of single further words, such as the *down* of *puts the box down*.
pub(crate) fn spans(triggers: &Array2<f32>) -> Vec<Vec<usize>> {
    let mut spans: Vec<Vec<usize>> = Vec::new();
    for (word, role) in roles(triggers).into_iter().enumerate() {
        match (role, spans.last_mut()) {
            (Role::Further, Some(span)) => span.push(word),
            (Role::First | Role::Further, _) => spans.push(vec![word]),
            (Role::Outside, _) => {}
        }
    }
    spans
}

/// Returns the best sequence of roles.
fn roles(triggers: &Array2<f32>) -> Vec<Role> {
    // the best sum of scores that ends in each role; nothing precedes the first word
    let mut sums = [0.0, f32::NEG_INFINITY, f32::NEG_INFINITY];
    // for each word and each of its roles, the best role of the word before
    let mut previous: Vec<[Role; 3]> = Vec::new();
    for scores in triggers.rows() {
        let from = ROLES.map(|role| role.best_previous(&sums));
        sums =
            ROLES.map(|role| sums[from[role as usize] as usize] + rounded(scores[role as usize]));
        previous.push(from);
    }
    let mut found = Vec::new();
    let mut role = best(&ROLES, &sums);
    for from in previous.iter().rev() {
        found.push(role);
        role = from[role as usize];
    }
    found.reverse();
    found
}

fn best(roles: &[Role], sums: &[f32; 3]) -> Role {
    let sum = |role: &Role| sums[*role as usize];
    // the first of equal ones, so that ties name no event
    let better = |best, role| if sum(&role) > sum(&best) { role } else { best };
    roles.iter().copied().reduce(better).unwrap_or(Role::Outside)
}

impl Role {
    /// Returns the best role of the word before a word with this role.
    fn best_previous(self, sums: &[f32; 3]) -> Self {
        match self {
            Self::Outside | Self::First => best(&ROLES, sums),
            Self::Further => best(&[Self::First, Self::Further], sums),
        }
    }
}

#[cfg(test)]
mod tests {
    use ndarray::array;

    use super::*;

    #[test]
    fn a_further_word_without_a_first_one_is_no_event() {
        let puts_the_box_down =
            array![[0.0, 3.0, 0.0], [2.0, 0.0, 1.0], [3.0, 0.0, 0.0], [1.0, 0.0, 1.5]];
        assert_eq!(spans(&puts_the_box_down), [[0]]);
    }

    #[test]
    fn a_clear_further_word_makes_the_word_before_it_the_first() {
        let picks_up = array![[1.0, 0.9, 0.0], [0.0, 0.0, 4.0]];
        assert_eq!(spans(&picks_up), [[0, 1]]);
    }

    #[test]
    fn two_first_words_are_two_events() {
        assert_eq!(spans(&array![[0.0, 2.0, 0.0], [0.0, 2.0, 1.0]]), [[0], [1]]);
        assert_eq!(spans(&Array2::zeros((0, 3))), Vec::<Vec<usize>>::new());
    }
}
