//! Reads prompts from standard input, one per line, and prints each reading as a line of JSON, for
//! measurements.

use std::io::BufRead;

use limber_reader::Reader;
use serde_json::json;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let reading = Reader::shared().read(&line);
        let words = |place: &std::ops::Range<usize>| &line[place.clone()];
        let events: Vec<_> = (reading.events.iter())
            .map(|event| {
                let fields =
                    event.fields.iter().map(|(field, place)| (field.as_str(), words(place)));
                json!({
                    "deed": words(&event.deed), "certainty": event.certainty,
                    "fields": fields.collect::<Vec<_>>(),
                })
            })
            .collect();
        println!(
            "{}",
            json!({
                "script": reading.script.map(|script| script.to_value()),
                "events": events,
                "corrected": reading.corrected.iter().map(|slip| (words(&slip.place), &slip.read_as)).collect::<Vec<_>>(),
                "scenery": reading.scenery.iter().map(words).collect::<Vec<_>>(),
                "not_understood": reading.not_understood.iter().map(|part| (words(&part.place), &part.nearest)).collect::<Vec<_>>(),
            })
        );
    }
    Ok(())
}
