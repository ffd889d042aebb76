//! Numbers and units as people write them: *twice*, *half a second*, *24 frames*, *a quarter turn*.

use crate::words::{Word, joined_digits, plain, words};

/// Frame rate assumed if a prompt mentions frames but no rate.
const USUAL_FPS: f64 = 30.0;
/// Metres in a foot (international foot of 1959); inch, yard and mile derive from it.
const FOOT_M: f64 = 0.3048;
/// Length of a breath at rest, 15 a minute.
const BREATH_S: f64 = 4.0;
/// Length of a beat or dance count if no tempo is given, 120 a minute.
const BEAT_S: f64 = 0.5;

/// Returns the frame rate that a prompt mentions (*24 fps*), in frames per second, or the default.
pub(crate) fn frames_a_second(text: &str) -> f64 {
    let words: Vec<String> = words(text).iter().map(|word| plain(&word.text)).collect();
    let said = words.windows(2).find(|two| two[1] == "fps").and_then(|two| two[0].parse().ok());
    said.filter(|fps: &f64| (1.0..=240.0).contains(fps)).unwrap_or(USUAL_FPS)
}

/// Whether a number without a unit counts frames because the prompt uses frames elsewhere: *a
/// wind-up of 12 frames, hold 6*.
pub(crate) fn are_frames(said: &str, prompt: &str) -> bool {
    let is_bare = !words(said).iter().any(|word| word.text.chars().any(char::is_alphabetic));
    is_bare && words(prompt).iter().any(|word| matches!(&*plain(&word.text), "frame" | "frames"))
}

/// Parses the value of a numeric field, in the unit of the field; `None` if the words contain no
/// number.
pub(crate) fn read(field: &str, said: &str, fps: f64) -> Option<f64> {
    let words = words(&joined_digits(said));
    let words: Vec<String> = words.iter().map(|word| plain(&word.text)).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let unit = |units: &[(&[&str], f64)]| {
        let of = |word: &&str| units.iter().find(|(names, _)| names.contains(word));
        words.iter().find_map(of).map(|(_, factor)| *factor)
    };
    let number = number(&words);
    match field {
        "count" | "steps" | "beat" => {
            let counted = (field == "count").then(|| up_to(&words)).flatten();
            let number = counted.or(number).or_else(|| words.iter().find_map(|word| ordinal(word)));
            let repeated = (field == "count").then(|| times_named(&words)).flatten();
            let number = number.or(repeated)?;
            // half a step is still one step, no steps are none
            Some(if number > 0.0 { number.round().max(1.0) } else { 0.0 })
        }
        "seconds" => {
            let factor = unit(&[
                (&["s", "sec", "secs", "second", "seconds"], 1.0),
                (&["ms", "millisecond", "milliseconds"], 0.001),
                (&["min", "minute", "minutes"], 60.0),
                (&["f", "fr", "frame", "frames"], 1.0 / fps),
                (&["breath", "breaths"], BREATH_S),
                (&["beat", "beats", "count", "counts", "moment"], BEAT_S),
            ]);
            Some(number.or_else(|| factor.map(|_| 1.0))? * factor.unwrap_or(1.0))
        }
        "meters" | "height_m" | "target_distance_m" => metres(&words, number),
        // "at frame 40" is a time
        "degrees" if words.iter().any(|word| word.starts_with("frame")) => None,
        "degrees" => {
            let turns = unit(&[(
                &[
                    "turn",
                    "turns",
                    "spin",
                    "spins",
                    "rotation",
                    "rotations",
                    "revolution",
                    "revolutions",
                    "circle",
                    "circles",
                    "way",
                    "full",
                    "fully",
                ],
                360.0,
            )]);
            // turning around means to face backwards; turning around twice means two full turns
            let around = unit(&[(&["round", "around"], 360.0)]);
            let about = unit(&[(&["about", "u", "face"], 180.0)])
                .or(turns.or(around.map(|degrees| 0.5 * degrees)));
            let turns = turns.or(around);
            match (number, turns) {
                // "turn 90" has no unit, "half a turn" has one
                (Some(number), Some(_)) if number > 10.0 => Some(number),
                // "spins once" gives a count
                (Some(number), None) if !has_degrees(&words) && number < 10.0 => None,
                (Some(number), turns) => Some(number * turns.unwrap_or(1.0)),
                (None, _) => about,
            }
        }
        _ => number,
    }
}

fn has_degrees(words: &[&str]) -> bool {
    words.iter().any(|word| word.starts_with("deg") || word.contains('°'))
}

/// Returns how often a list names the same word: two for *jab, jab*.
fn times_named(words: &[&str]) -> Option<f64> {
    let named: Vec<&&str> = words
        .iter()
        .filter(|word| **word != "and" && word.chars().any(char::is_alphabetic))
        .collect();
    let is_one = named.len() > 1 && named.iter().all(|word| *word == named[0]);
    let is_vague = named.iter().any(|word| **word == "again" || **word == "over");
    (is_one && !is_vague).then_some(named.len() as f64)
}

/// Returns the last number of *from one to five*: counting that far is five counts.
fn up_to(words: &[&str]) -> Option<f64> {
    let to = words.iter().position(|word| *word == "to")?;
    let (from, last) = (self::number(&words[..to])?, self::number(&words[to + 1..])?);
    (from == 1.0 && last > from).then_some(last)
}

fn metres(words: &[&str], number: Option<f64>) -> Option<f64> {
    let units: [(&[&str], f64); 7] = [
        (&["m", "metre", "metres", "meter", "meters"], 1.0),
        (&["cm", "centimetre", "centimetres", "centimeter", "centimeters"], 0.01),
        (&["km", "kilometre", "kilometres", "kilometer", "kilometers"], 1000.0),
        (&["ft", "foot", "feet"], FOOT_M),
        (&["in", "inch", "inches"], FOOT_M / 12.0),
        (&["yd", "yard", "yards"], 3.0 * FOOT_M),
        (&["mile", "miles"], 5280.0 * FOOT_M),
    ];
    let place = words.iter().position(|word| units.iter().any(|(names, _)| names.contains(word)));
    let Some(place) = place else { return number };
    let factor = units.iter().find(|(names, _)| names.contains(&words[place]))?.1;
    let whole = self::number(&words[..place]).unwrap_or(1.0);
    // "one metre ninety-two": the second number is centimetres
    let rest = (factor == 1.0).then(|| self::number(&words[place + 1..])).flatten();
    let rest = rest.filter(|rest| (10.0..100.0).contains(rest)).unwrap_or(0.0) / 100.0;
    Some(whole * factor + rest)
}

/// Words that mean one only if no better number follows: *a full ten seconds*.
const BESIDE_NUMBERS: [&str; 6] = ["a", "an", "another", "full", "whole", "complete"];

/// Fields whose value is a number with a unit.
pub(crate) const MEASURED: [&str; 5] =
    ["seconds", "meters", "height_m", "target_distance_m", "degrees"];

/// The number directly before the word at this index, if that is not itself a number: the *2.5* of
/// *2.5 m*.
pub(crate) fn before_the_unit(all: &[Word], at: usize) -> Option<usize> {
    let is_number = |word: &Word| {
        let word = plain(&word.text);
        word.parse::<f64>().is_ok() || is_number(&word)
    };
    let before = at.checked_sub(1)?;
    (is_number(&all[before]) && !is_number(&all[at])).then_some(before)
}

/// Whether a word on its own is a number.
pub(crate) fn is_number(word: &str) -> bool {
    small(word).is_some()
}

/// Returns the first number in digits or words.
fn number(words: &[&str]) -> Option<f64> {
    (0..words.len()).find_map(|place| number_at(&words[place..]))
}

fn number_at(words: &[&str]) -> Option<f64> {
    let (first, rest) = words.split_first()?;
    if let Some(digits) = digits(first) {
        return Some(digits + and_a_half(rest));
    }
    // "a good five"
    if let ["a", "good" | "full" | "solid" | "further", behind @ ..] = words
        && let Some(more) = number_at(behind)
    {
        return Some(more);
    }
    // "a couple", "half a", "one hundred": the article counts only if nothing better follows
    let next = rest.first().and_then(|word| small(word));
    let value = match (small(first)?, next) {
        (_, Some(_)) if BESIDE_NUMBERS.contains(first) => return number_at(rest),
        (half, _) if half < 1.0 => return Some(half),
        (ones, Some(100.0)) if ones < 10.0 => {
            let behind = rest[1..].strip_prefix(&["and"]).unwrap_or(&rest[1..]);
            let more = number_at(behind).filter(|more| *more < 100.0);
            return Some(ones * 100.0 + more.unwrap_or(0.0));
        }
        // "ten thousand"
        (count, Some(1000.0)) if count < 1000.0 => return Some(count * 1000.0),
        (value, _) => value,
    };
    let behind = rest.strip_prefix(&["-"]).unwrap_or(rest);
    let ones = behind.first().and_then(|word| small(word));
    let ones = ones.filter(|ones| (20.0..100.0).contains(&value) && (1.0..10.0).contains(ones));
    Some(value + ones.unwrap_or(0.0) + and_a_half(rest))
}

fn and_a_half(words: &[&str]) -> f64 {
    match words {
        ["and", "a", "half", ..] => 0.5,
        ["and", "a", "quarter", ..] => 0.25,
        _ => 0.0,
    }
}

fn digits(word: &str) -> Option<f64> {
    let value: f64 = word.replace(',', ".").parse().ok()?;
    value.is_finite().then_some(value)
}

fn small(word: &str) -> Option<f64> {
    const WORDS: [(&[&str], f64); 37] = [
        (&["half"], 0.5),
        (&["quarter"], 0.25),
        (&["a", "an", "one", "once", "single", "another"], 1.0),
        (&["two", "twice", "couple", "double", "both", "pair"], 2.0),
        (&["three", "thrice", "few", "triple"], 3.0),
        (&["four", "several", "quadruple"], 4.0),
        (&["five"], 5.0),
        (&["six"], 6.0),
        (&["seven"], 7.0),
        (&["eight"], 8.0),
        (&["nine"], 9.0),
        (&["ten"], 10.0),
        (&["eleven"], 11.0),
        (&["twelve", "dozen"], 12.0),
        (&["thirteen"], 13.0),
        (&["fourteen"], 14.0),
        (&["fifteen"], 15.0),
        (&["sixteen"], 16.0),
        (&["seventeen"], 17.0),
        (&["eighteen"], 18.0),
        (&["nineteen"], 19.0),
        (&["twenty"], 20.0),
        (&["thirty"], 30.0),
        (&["forty"], 40.0),
        (&["fifty"], 50.0),
        (&["sixty"], 60.0),
        (&["seventy"], 70.0),
        (&["eighty"], 80.0),
        (&["ninety"], 90.0),
        (&["hundred"], 100.0),
        (&["full", "whole", "complete"], 1.0),
        (&["threequarter"], 0.75),
        (&["zero", "no"], 0.0),
        (&["thousand"], 1000.0),
        (&["million"], 1e6),
        (&["infinite", "endless"], f64::INFINITY),
        (&["many"], 5.0),
    ];
    let found = WORDS.iter().find(|(names, _)| names.contains(&word));
    found.map(|(_, value)| *value).filter(|value| value.is_finite())
}

fn ordinal(word: &str) -> Option<f64> {
    const WORDS: [&str; 12] = [
        "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth",
        "tenth", "eleventh", "twelfth",
    ];
    WORDS.iter().position(|known| *known == word).map(|place| (place + 1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_before_a_unit_belongs_to_it() {
        let all = words("walks 2.5 m to the left");
        assert_eq!(before_the_unit(&all, 2), Some(1));
        assert_eq!(before_the_unit(&all, 1), None, "it is the number itself");
        assert_eq!(before_the_unit(&all, 4), None, "there is no number before it");
        assert_eq!(before_the_unit(&all, 0), None);
    }

    #[test]
    fn numbers_and_units_are_read_as_people_write_them() {
        let said = [
            ("count", "twice", 2.0),
            ("count", "three times", 3.0),
            ("count", "x12", 12.0),
            ("count", "a couple of", 2.0),
            ("count", "twenty-five", 25.0),
            ("count", "a dozen", 12.0),
            ("count", "ten thousand times", 10_000.0),
            ("count", "1,000 times", 1000.0),
            ("count", "zero times", 0.0),
            ("count", "from one to five", 5.0),
            ("count", "1 to 10", 10.0),
            ("count", "jab, jab and jab", 3.0),
            ("steps", "half a step", 1.0),
            ("beat", "third", 3.0),
            ("seconds", "~0.9s", 0.9),
            ("seconds", "half a second", 0.5),
            ("seconds", "two and a half seconds", 2.5),
            ("seconds", "a second", 1.0),
            ("seconds", "a full ten seconds", 10.0),
            ("seconds", "15 frames", 0.5),
            ("seconds", "2 mins", 2.0),
            ("seconds", "a full ten seconds", 10.0),
            ("meters", "five metres", 5.0),
            ("meters", "10ft", 3.048),
            ("height_m", "one metre ninety-two", 1.92),
            ("height_m", "80 cm", 0.8),
            ("degrees", "90", 90.0),
            ("degrees", "half turn", 180.0),
            ("degrees", "a quarter turn", 90.0),
            ("degrees", "one hundred and eighty degrees", 180.0),
            ("degrees", "turn 90 degrees", 90.0),
            ("degrees", "full circle", 360.0),
            ("degrees", "around", 180.0),
            ("degrees", "all the way around", 360.0),
            ("degrees", "around twice", 720.0),
            ("degrees", "two spins", 720.0),
            ("degrees", "10 000 degrees", 10_000.0),
            ("bpm", "120 bpm", 120.0),
            ("steps", "six paces", 6.0),
        ];
        for (field, words, value) in said {
            let read = read(field, words, 30.0);
            assert!(
                read.is_some_and(|read| (read - value).abs() < 1e-9),
                "{field} {words}: {read:?}"
            );
        }
        assert_eq!(read("count", "again and again", 30.0), None);
        assert_eq!(read("degrees", "once", 30.0), None);
        assert_eq!(read("seconds", "a good five seconds", 30.0), Some(5.0));
        assert_eq!(read("seconds", "a full second", 30.0), Some(1.0));
        assert_eq!(read("meters", "far", 30.0), None);
    }

    #[test]
    fn frame_counts_use_the_rate_in_the_prompt() {
        assert_eq!(frames_a_second("walk cycle, 24 fps, 48 frames"), 24.0);
        assert_eq!(frames_a_second("walk cycle"), 30.0);
        assert_eq!(read("seconds", "48 frames", 24.0), Some(2.0));
        assert!(are_frames("6", "a wind-up of 12 frames, hold 6"));
        assert!(!are_frames("6 s", "a wind-up of 12 frames, hold 6 s"));
        assert!(!are_frames("6", "hold 6"));
    }
}
