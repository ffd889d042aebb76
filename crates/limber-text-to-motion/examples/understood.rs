//! Reads prompts from standard input, one per line, and prints each one's script as a line of JSON,
//! for measurements.

use std::io::BufRead;

use limber_text_to_motion::{Prompt, understand};
use serde_json::json;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for line in std::io::stdin().lock().lines() {
        let understood = Prompt::parse(&line?).ok().and_then(|prompt| understand(&prompt).ok());
        let script = understood.and_then(|understood| understood.meaning);
        println!("{}", json!({ "script": script.map(|script| script.to_value()) }));
    }
    Ok(())
}
