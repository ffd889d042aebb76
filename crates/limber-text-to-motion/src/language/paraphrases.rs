//! Test sentences, written before the lexicon was tuned. Add to them, but never change them.

use std::collections::BTreeMap;

use limber_script::{
    Message,
    message::{nearest, unknown_words},
};
use proptest::prelude::*;

use super::{Understood, lexicon};
use crate::{EngineError, Prompt};

fn by_phrases(prompt: &Prompt) -> Result<Understood, EngineError> {
    super::by_phrases(lexicon::lexicon(), prompt)
}

/// The paraphrases of each action.
fn paraphrases() -> BTreeMap<String, Vec<String>> {
    let file = include_str!("../../tests/paraphrases/actions.toml");
    toml::from_str(file).expect("a list for each action")
}

/// The script that people mean by each prompt.
fn scripts() -> BTreeMap<String, String> {
    let file = include_str!("../../tests/paraphrases/scripts.toml");
    toml::from_str(file).expect("a script for each prompt")
}

fn prompt(text: &str) -> Prompt {
    Prompt::parse(text).expect("the test's prompt is valid")
}

#[test]
fn every_paraphrase_is_understood_as_its_action() {
    let mut wrong = Vec::new();
    for (action, prompts) in paraphrases() {
        assert!(prompts.len() >= 5, "{action} needs more paraphrases");
        for text in prompts {
            let script = by_phrases(&prompt(&text)).map(|understood| understood.script);
            let right = script.as_ref().is_ok_and(|script| {
                script.steps.len() == 1
                    && script.steps[0].main.action.name() == action
                    && script.steps[0].overlays.is_empty()
            });
            if !right {
                let got =
                    script.map_or_else(|error| error.to_string(), |script| script.to_string());
                wrong.push(format!("{text} ({action}) → {got}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} misread:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn prompts_become_the_scripts_people_mean() {
    let mut wrong = Vec::new();
    for (text, wanted) in scripts() {
        let got = match by_phrases(&prompt(&text)) {
            Ok(understood) => understood.script.to_string(),
            Err(error) => error.to_string(),
        };
        if got != wanted {
            wrong.push(format!("{text}\n    wanted {wanted}\n    got    {got}"));
        }
    }
    assert!(wrong.is_empty(), "{} misread:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn understood_prompts_give_no_warning() {
    let warned: Vec<String> = scripts()
        .into_keys()
        .filter(|text| !text.contains("opens") && !text.contains("without"))
        .filter_map(|text| {
            let warnings = by_phrases(&prompt(&text)).ok()?.warnings;
            (!warnings.is_empty()).then(|| format!("{text}: {warnings:?}"))
        })
        .collect();
    assert!(warned.is_empty(), "{}", warned.join("\n"));
}

#[test]
fn an_unknown_action_is_named_with_the_nearest_known_ones() {
    let error = by_phrases(&prompt("a person moults")).expect_err("moulting is not an action");
    assert_eq!(
        error.to_string(),
        "Limber does not know \"moults\" yet. Nearest: walk, wave, jump."
    );
    let EngineError::UnknownAction { messages } = error else { panic!("another error") };
    assert_eq!(unknown_words(&messages), ["moults"]);
    assert_eq!(nearest(&messages), ["walk", "wave", "jump"]);
}

#[test]
fn a_misspelt_action_gets_a_spelling_suggestion() {
    let Err(EngineError::UnknownAction { messages }) = by_phrases(&prompt("a man wlaks")) else {
        panic!("misspelt words are not guessed")
    };
    assert_eq!(messages[0].nearest()[0], "walk");
}

#[test]
fn a_mood_alone_means_standing_in_that_mood() {
    for (text, manner) in [("angry", "angry"), ("a very tired man", "tired"), ("Sad.", "sad")] {
        let script = by_phrases(&prompt(text)).expect("it is shown").script.to_string();
        assert!(script.contains("idle") && script.contains(manner), "{text}: {script}");
    }
}

#[test]
fn non_english_is_rejected_with_suggestions() {
    for text in [
        "asdf",
        "🙂🙂",
        "שלום עולם",
        "يمشي الرجل",
        "跳舞",
        "the",
        "left",
        "slowly",
        "3",
        "...",
        "because of the weather",
    ] {
        let Err(EngineError::UnknownAction { messages }) = by_phrases(&prompt(text)) else {
            panic!("{text} is not an action")
        };
        assert!(!unknown_words(&messages).is_empty(), "{text}: {messages:?}");
        let offers = nearest(&messages);
        let is_offered = offers.iter().any(|offer| offer.contains("walk"));
        assert!(offers.len() >= 2 && is_offered, "{text}: {offers:?}");
    }
}

#[test]
fn relatives_of_known_actions_are_not_mistaken_for_them() {
    for (text, relative) in [
        ("does jumping jacks", "jump"),
        ("shakes hands", "shake-head"),
        ("does a push-up", "push"),
        ("skips", "hop"),
        ("limps", "walk"),
        ("shoots a bow", "bow"),
        ("jumps rope", "jump"),
        ("swims", "walk"),
        ("crawls on the floor", "walk"),
        ("does sit-ups", "sit-down"),
        ("plays the violin", "play-guitar"),
        ("walks up the stairs", "walk"),
    ] {
        if let Ok(understood) = by_phrases(&prompt(text)) {
            let steps = &understood.script.steps;
            assert!(steps.iter().all(|step| step.main.action.name() != relative), "{text}");
        }
    }
}

#[test]
fn unknown_actions_beside_known_ones_are_named_and_scenery_is_not() {
    let understood = by_phrases(&prompt("a person walks forward and moults")).expect("it walks");
    assert_eq!(understood.script.to_string(), "walk dir:forward");
    assert_eq!(understood.warnings.len(), 1);
    assert_eq!(unknown_words(&understood.warnings), ["moults"]);
    let [moults] = &understood.reading.not_understood[..] else { panic!("{understood:?}") };
    assert_eq!(&"a person walks forward and moults"[moults.place.clone()], "moults");
    let understood =
        by_phrases(&prompt("an old knight in shining armour walks through the dark woods"));
    assert_eq!(understood.expect("it walks").warnings, []);
    let understood = by_phrases(&prompt("walks then flibbers gracefully")).expect("it walks");
    let unknown = unknown_words(&understood.warnings);
    assert!(["flibbers", "gracefully"].iter().all(|word| unknown.contains(&(*word).to_owned())));
}

#[test]
fn unknown_nouns_and_kinds_of_locomotion_are_named() {
    let prompts = [
        ("he does a headspin then bows", "headspin"),
        ("walk like a mummy", "mummy"),
        ("a person moults over a puddle and jumps", "moults"),
    ];
    for (text, word) in prompts {
        let warnings = by_phrases(&prompt(text)).expect("something is known").warnings;
        let named = unknown_words(&warnings);
        let is_named = named.len() == 1 && named[0].contains(word);
        assert!(warnings.len() == 1 && is_named, "{text}: {warnings:?}");
    }
}

#[test]
fn excessive_requests_are_limited_and_reported() {
    let understood = by_phrases(&prompt("jump 5000 times")).expect("it jumps");
    assert_eq!(understood.script.to_string(), "jump x50");
    assert_eq!(
        understood.warnings,
        [Message::MostRepetitions { action: "jump".to_owned(), most: 50 }]
    );
}

proptest! {
    #[test]
    fn any_text_gets_a_result(text in "\\PC{1,200}") {
        if let Ok(prompt) = Prompt::parse(&text)
            && let Ok(understood) = by_phrases(&prompt)
        {
            prop_assert!(!understood.script.steps.is_empty());
        }
    }

    #[test]
    fn any_lexicon_words_in_any_order_get_a_result(
        words in prop::collection::vec(
            prop::sample::select(vec![
                "walk", "waves", "and", "then", "while", "before", "after", ",", "left", "right", "three",
                "times", "hundred", "half", "a", "turn", "circle", "not", "very", "slowly", "180", "degrees",
                "sideways", "both", "hands", "to", "the", "same", "time", "at", "metres", "head", "shakes",
            ]),
            1..14,
        ),
    ) {
        let prompt = Prompt::parse(&words.join(" ")).expect("short and not empty");
        if let Ok(understood) = by_phrases(&prompt) {
            let line = understood.script.to_string();
            prop_assert_eq!(line.parse(), Ok(understood.script));
        }
    }
}
