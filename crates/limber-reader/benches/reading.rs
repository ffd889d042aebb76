//! Quality and speed of the reader on prompts held out from training: those of some authors of
//! `assets/reader/corpus`.
//!
//! ```text
//! cargo xtask bench reading
//! ```
//! An event counts as found if the words that name it overlap; everything else is measured on found
//! events only.

#![expect(clippy::disallowed_methods, reason = "a benchmark measures time")]

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    path::Path,
    process::ExitCode,
    time::Instant,
};

use limber_bench::{Report, amount, rounds};
use limber_reader::{Reader, Reading};
use serde::Deserialize;
use serde_json::{Map, Value as Json};

/// What training recorded beside the weights.
#[derive(Deserialize)]
struct Record {
    /// The authors of whom nothing was learned.
    held_out: BTreeSet<String>,
}

/// A line of the corpus.
#[derive(Deserialize)]
struct Line {
    text: String,
    events: Vec<Event>,
}

#[derive(Deserialize)]
struct Event {
    #[serde(default)]
    from: BTreeMap<String, String>,
    #[serde(flatten)]
    fields: Map<String, Json>,
}

impl Event {
    /// Returns the byte range of the words that name the action; an event that no words name cannot
    /// be found.
    fn place(&self, text: &str) -> Option<Range<usize>> {
        let said = ["do", "move", "part"].iter().find_map(|field| self.from.get(*field))?;
        let (words, number) = match said.rsplit_once('#') {
            Some((words, number)) => (words, number.parse().unwrap_or(1)),
            None => (said.as_str(), 1),
        };
        let mut places = text.match_indices(words);
        let (start, _) = places.nth(number - 1)?;
        Some(start..start + words.len())
    }

    fn deed(&self) -> String {
        let field = |name: &str| self.fields.get(name).and_then(Json::as_str).unwrap_or_default();
        let action = field("do");
        if action.is_empty() { "(body)".to_owned() } else { action.to_owned() }
    }
}

/// How many of a number of cases are right.
#[derive(Default, Clone, Copy)]
struct Share {
    right: usize,
    of: usize,
}

impl Share {
    fn note(&mut self, is_right: bool) {
        self.right += usize::from(is_right);
        self.of += 1;
    }

    fn percent(self) -> f64 {
        100.0 * self.right as f64 / self.of.max(1) as f64
    }
}

/// Fields to measure, with the least percentage that must be right where words set them; 0 means
/// that the field is only reported.
const FIELDS: [(&str, f64); 14] = [
    ("side", 85.0),
    ("count", 85.0),
    ("direction", 85.0),
    ("posture", 85.0),
    ("size", 85.0),
    ("height", 85.0),
    ("speed", 0.0),
    ("force", 0.0),
    ("manners", 0.0),
    ("target", 0.0),
    ("target_part", 0.0),
    ("prop", 0.0),
    ("path", 0.0),
    ("seconds", 0.0),
];

#[derive(Default)]
struct Measured {
    recall: Share,
    precision: Share,
    sense: Share,
    fields: BTreeMap<&'static str, Share>,
    silent: usize,
}

impl Measured {
    fn add(&mut self, line: &Line, reading: &Reading) {
        let script = reading.script.as_ref().map(|script| script.to_value());
        let no_events = Vec::new();
        let read = script.as_ref().and_then(|script| script["events"].as_array());
        let read = read.unwrap_or(&no_events);
        let mut free: Vec<usize> = (0..reading.events.len()).collect();
        for event in &line.events {
            let Some(place) = event.place(&line.text) else { continue };
            let overlaps = |number: &usize| {
                let deed = &reading.events[*number].deed;
                deed.start < place.end && place.start < deed.end
            };
            let found = free.iter().position(overlaps).map(|at| free.remove(at));
            self.recall.note(found.is_some());
            if let Some(number) = found {
                self.compare(event, &read[number]);
            }
        }
        for number in 0..reading.events.len() {
            self.precision.note(!free.contains(&number));
        }
        self.silent += silent(&line.text, reading);
    }

    fn compare(&mut self, event: &Event, read: &Json) {
        let named = read["do"].as_str().unwrap_or("(body)");
        self.sense.note(named == event.deed());
        for (field, _) in FIELDS {
            // skip fields that no word sets
            if !event.from.contains_key(field) {
                continue;
            }
            let (said, read) = (event.fields.get(field), read.get(field));
            let is_right = match field {
                // only whether the value is more or less than usual matters
                "size" | "force" | "speed" => {
                    let more = |value: Option<&Json>| value.and_then(Json::as_f64).map(|v| v > 1.0);
                    more(said) == more(read)
                }
                "manners" => {
                    let names = |value: Option<&Json>| -> BTreeSet<String> {
                        value
                            .and_then(Json::as_object)
                            .into_iter()
                            .flat_map(Map::keys)
                            .cloned()
                            .collect()
                    };
                    names(said) == names(read)
                }
                "count" | "seconds" => {
                    let number = |value: Option<&Json>| value.and_then(Json::as_f64);
                    number(said).zip(number(read)).is_some_and(|(a, b)| (a - b).abs() < 0.06 * a)
                }
                _ => said == read,
            };
            self.fields.entry(field).or_default().note(is_right);
        }
    }
}

/// Counts the long words that the reading accounts for in no way.
fn silent(text: &str, reading: &Reading) -> usize {
    let told = (reading.events.iter())
        .flat_map(|event| event.fields.iter().map(|(_, place)| place).chain([&event.deed]))
        .chain(&reading.scenery)
        .chain(reading.not_understood.iter().map(|part| &part.place));
    let told: Vec<&Range<usize>> = told.collect();
    let mut silent = 0;
    let mut start = 0;
    for word in text.split(|character: char| !character.is_alphanumeric()) {
        let place = start..start + word.len();
        start = place.end + text[place.end..].chars().next().map_or(0, char::len_utf8);
        let is_told = told.iter().any(|told| told.start < place.end && place.start < told.end);
        let is_content = word.chars().count() >= 7 && word.chars().all(char::is_alphabetic);
        let joins = [
            "because",
            "through",
            "without",
            "against",
            "between",
            "towards",
            "himself",
            "herself",
            "themselves",
            "another",
            "someone",
            "somebody",
            "looping",
            "character",
        ];
        silent +=
            usize::from(is_content && !is_told && !joins.contains(&word.to_lowercase().as_str()));
    }
    silent
}

fn measured(lines: &[Line]) -> Measured {
    let mut measured = Measured::default();
    for line in lines {
        measured.add(line, &Reader::shared().read(&line.text));
    }
    measured
}

fn report(report: &mut Report, measured: &Measured) {
    let mut row = |what: &str, least: f64, share: Share| {
        let what = format!("{what}, of {}", share.of);
        if least > 0.0 {
            report.at_least(&what, least, "%", vec![share.percent()]);
        } else {
            report.note(&what, &format!("{:.1} %", share.percent()));
        }
    };
    row("events found", 85.0, measured.recall);
    row("events that are there", 85.0, measured.precision);
    row("sense", 80.0, measured.sense);
    for (field, least) in FIELDS {
        row(field, least, measured.fields.get(field).copied().unwrap_or_default());
    }
    report.at_most("silent words", 0.0, "words", vec![measured.silent as f64]);
}

fn lines_of(file: &Path) -> Vec<Line> {
    let text = std::fs::read_to_string(file).expect("the corpus is part of the repository");
    text.lines().map(|line| serde_json::from_str(line).expect("a test checks every line")).collect()
}

fn main() -> ExitCode {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/reader");
    let record = std::fs::read_to_string(assets.join("weights/reader.json")).expect("it exists");
    let Record { held_out } = serde_json::from_str(&record).expect("it was written by training");
    let begun = Instant::now();
    let reader = Reader::shared();
    let load_ms = begun.elapsed().as_secs_f64() * 1000.0;
    let mut files: Vec<_> = std::fs::read_dir(assets.join("corpus"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    files.retain(|file| {
        file.file_stem().is_some_and(|author| held_out.contains(&*author.to_string_lossy()))
    });
    let mut lines: Vec<Line> = files.iter().flat_map(|file| lines_of(file)).collect();
    lines.truncate(amount(usize::MAX, 4));
    let mut table = Report::new();
    report(&mut table, &measured(&lines));
    table.at_most("load", 150.0, "ms", vec![load_ms]);
    let text = "He limps in, knocks hard on the table twice with his right hand, then slumps onto the chair.";
    let mut times = Vec::new();
    for _ in 0..rounds(50) {
        let begun = Instant::now();
        std::hint::black_box(reader.read(std::hint::black_box(text)));
        times.push(begun.elapsed().as_secs_f64() * 1000.0);
    }
    table.at_most("a sentence of twenty words", 60.0, "ms", times);
    table.end()
}
