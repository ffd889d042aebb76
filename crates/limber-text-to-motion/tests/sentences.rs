//! Measures how many paraphrases are understood, with sentences written without looking at the
//! lexicon.

use std::{collections::BTreeMap, fs, path::Path};

use limber_text_to_motion::{Act, Composer, MotionEngine, MotionScript, Prompt};

const PARAPHRASES: &str = include_str!("sentences/paraphrases.txt");

fn understood(sentence: &str) -> Result<MotionScript, String> {
    let prompt = Prompt::parse(sentence).map_err(|error| error.to_string())?;
    Composer
        .understand(&prompt)
        .map(|understood| understood.script)
        .map_err(|error| error.to_string())
}

fn acts(script: &MotionScript) -> impl Iterator<Item = &Act> {
    script.steps.iter().flat_map(|step| std::iter::once(&step.main).chain(&step.overlays))
}

/// Rows of family, expected actions and sentence.
fn table() -> Vec<(&'static str, Vec<&'static str>, &'static str)> {
    let mut family = "";
    let mut rows = Vec::new();
    for line in PARAPHRASES.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix('[') {
            family = name.trim_end_matches(']');
        } else if let Some((meant, sentence)) = line.split_once(": ") {
            rows.push((family, meant.split(' ').collect(), sentence));
        }
    }
    rows
}

#[test]
fn most_of_forty_phrasings_per_family_are_understood() {
    let mut families: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (family, meant, sentence) in table() {
        let script = understood(sentence);
        let right = script
            .as_ref()
            .is_ok_and(|script| acts(script).any(|act| meant.contains(&act.action.name())));
        let (hits, all) = families.entry(family).or_default();
        *all += 1;
        *hits += usize::from(right);
        if !right {
            let heard = script.map_or_else(|error| error, |script| script.to_string());
            println!("{family}: {sentence} -> {heard}");
        }
    }
    for (family, (hits, all)) in &families {
        println!("{family}: {hits} of {all}");
        assert_eq!(*all, 40, "{family}");
        assert!(*hits >= 35, "{family}: {hits} of {all}");
    }
    let hits: usize = families.values().map(|(hits, _)| hits).sum();
    assert!(hits >= 305, "{hits} in all");
}

#[test]
fn held_out_prompts_are_understood() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/data/cmu-text/heldout_prompts.txt");
    let Ok(text) = fs::read_to_string(file) else {
        println!("skipped: ../shared/data/cmu-text is missing");
        return;
    };
    let prompts: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let missed: Vec<&&str> = prompts.iter().filter(|line| understood(line).is_err()).collect();
    println!("{} of {} understood; missed {missed:?}", prompts.len() - missed.len(), prompts.len());
    assert!(missed.len() * 20 <= prompts.len(), "{missed:?}");
}
