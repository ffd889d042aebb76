//! Cue lists with timestamps: *0.0s leans in, 1.2s looks left, 1.6s stands up*.

use std::ops::Range;

use serde_json::json;

use super::{Assembly, Draft};
use crate::{numbers, reading::Field};

const UNITS: [&str; 9] = ["s", "sec", "secs", "seconds", "second", "f", "fr", "frame", "frames"];
/// Words that may precede a timestamp.
const AT: [&str; 4] = ["at", "on", "t", "="];
/// Fewer times than this are durations: *two seconds of waving, three seconds of rest*.
const LEAST: usize = 3;

impl Assembly<'_> {
    /// Reads times that increase through a list as start times, so that each event lasts until the
    /// next one.
    pub(super) fn apply_stamps(&self, spans: &[Vec<usize>], drafts: &mut [Option<Draft>]) {
        let stamps: Vec<(f64, Range<usize>)> =
            self.between_signs().into_iter().filter_map(|part| self.stamp(part)).collect();
        let grows = stamps.windows(2).all(|pair| pair[0].0 < pair[1].0);
        if stamps.len() < LEAST || !grows {
            return;
        }
        for draft in drafts.iter_mut().flatten() {
            let is_stamp = |(field, range): &(Field, Range<usize>)| {
                let is_within =
                    |(_, part): &(f64, Range<usize>)| self.bytes(part).contains(&range.start);
                field.as_str() == "seconds" && stamps.iter().any(is_within)
            };
            if draft.words.fields.iter().any(is_stamp) {
                draft.json.remove("seconds");
                draft.words.fields.retain(|field| !is_stamp(field));
            }
        }
        for pair in stamps.windows(2) {
            let [(begins, part), (next, _)] = pair else { continue };
            let first = (0..spans.len())
                .find(|number| drafts[*number].is_some() && part.contains(&spans[*number][0]));
            if let Some(draft) = first.and_then(|first| drafts[first].as_mut()) {
                // round to hundredths, the precision people write
                let seconds = (100.0 * (next - begins)).round() / 100.0;
                draft.json.insert("seconds".to_owned(), json!(seconds));
            }
        }
    }

    /// Parses a list item that starts with a timestamp; returns the time in seconds and the item.
    fn stamp(&self, part: Range<usize>) -> Option<(f64, Range<usize>)> {
        let first = part.clone().find(|place| !AT.contains(&self.plain(*place).as_str()))?;
        // normalised words have no decimal points
        let number = &self.words[first].text;
        let unit = self.plain(first + 1);
        let is_time = number.parse::<f64>().is_ok() && UNITS.contains(&unit.as_str());
        // an item that is nothing but a time is a duration
        if !is_time || part.end < first + 3 {
            return None;
        }
        let said = format!("{number} {unit}");
        let seconds = numbers::read("seconds", &said, numbers::frames_a_second(self.prompt))?;
        Some((seconds, part))
    }
}

#[cfg(test)]
mod tests {
    use limber_script::Duration;

    use crate::Reader;

    #[test]
    fn increasing_times_are_start_times() {
        let text = "0.5s waves, 2s bows, 3s claps, 5s salutes";
        let told = Reader::shared().read(text).script.unwrap();
        let lengths: Vec<Option<Duration>> =
            told.events().iter().map(|event| event.seconds).collect();
        let seconds = |length: f64| Duration::new(length).ok();
        assert_eq!(lengths, [seconds(1.5), seconds(1.0), seconds(2.0), None], "{told}");
    }

    #[test]
    fn other_times_are_durations() {
        let told = Reader::shared().read("walks for 2 seconds, then waves for 3 seconds").script;
        assert!(told.unwrap().events().iter().all(|event| event.seconds.is_some()));
    }
}
