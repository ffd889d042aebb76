//! Names of output files.

/// Leading words that say nothing about the motion.
const FILLERS: [&str; 14] = [
    "a",
    "an",
    "the",
    "person",
    "someone",
    "somebody",
    "man",
    "woman",
    "character",
    "he",
    "she",
    "they",
    "figure",
    "human",
];
const MAX_WORDS: usize = 4;
const MAX_CHARS: usize = 80;

/// Returns the stem of a file name from the user's name for it or, without one, from the first
/// meaningful words of the prompt. It consists of letters and digits of any script, `_` and `-`,
/// and is valid on every file system.
#[must_use]
pub fn base_name(name: Option<&str>, prompt: &str) -> String {
    let chosen = name.map(|name| words(name).join("_")).filter(|name| !name.is_empty());
    let base = chosen.unwrap_or_else(|| {
        let all = words(&prompt.to_lowercase());
        let telling = all.iter().skip_while(|word| FILLERS.contains(&word.as_str()));
        telling.take(MAX_WORDS).cloned().collect::<Vec<_>>().join("_")
    });
    let base: String = base.chars().take(MAX_CHARS).collect();
    if base.is_empty() {
        return "motion".to_owned();
    }
    // clients treat names that begin so as intermediate results and skip them
    if base.to_lowercase().starts_with("inter") { format!("motion_{base}") } else { base }
}

fn words(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric() && c != '-')
        .map(|word| word.trim_matches('-').to_owned())
        .filter(|word| !word.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_from_the_first_meaningful_words() {
        assert_eq!(
            base_name(None, "A person walks forward, then waves"),
            "walks_forward_then_waves"
        );
        assert_eq!(base_name(None, "🙂"), "motion");
        assert_eq!(base_name(None, "international walk"), "motion_international_walk");
    }

    #[test]
    fn chosen_names_cannot_leave_the_folder() {
        assert_eq!(base_name(Some("../../etc/passwd"), "walk"), "etc_passwd");
        assert_eq!(base_name(Some("C:\\x\0y"), "walk"), "C_x_y");
        assert_eq!(base_name(Some("..."), "jump twice"), "jump_twice");
        assert!(base_name(Some(&"x".repeat(500)), "").len() <= MAX_CHARS);
    }
}
