//! Reads prompts from standard input, one per line, and prints for each one a line of JSON, for
//! measurements: the script, the words without effect, the words that were not understood, and the
//! messages.

use std::io::BufRead;

use limber_script::message::sentences;
use limber_text_to_motion::{Prompt, Understood, understand};
use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let understood = Prompt::parse(&line).ok().and_then(|prompt| understand(&prompt).ok());
        println!("{}", understood.map_or(json!({ "script": null }), |read| report(&line, read)));
    }
    Ok(())
}

fn report(prompt: &str, understood: Understood) -> Value {
    let reading = &understood.reading;
    let words = |place: &std::ops::Range<usize>| prompt[place.clone()].to_owned();
    json!({
        "script": understood.meaning.map(|script| script.to_value()),
        "scenery": reading.scenery.iter().map(words).collect::<Vec<_>>(),
        "not_understood": reading.not_understood.iter().map(|part| words(&part.place)).collect::<Vec<_>>(),
        "messages": sentences(&understood.warnings),
    })
}
