//! Limits of requests and files.

/// Maximum length of a prompt in Unicode scalar values.
pub const MAX_PROMPT_CHARS: usize = 1024;

/// Maximum number of variants per request. Operators may set a lower one.
pub const MAX_VARIANTS: u32 = 8;

/// Supported frame rates of motion files: those that engines and editors support.
pub const FILE_FRAME_RATES: [u16; 7] = [24, 25, 30, 48, 50, 60, 120];

/// Supported frame rates of videos.
pub const VIDEO_FRAME_RATES: [u16; 5] = [24, 25, 30, 50, 60];

/// Maximum size of a character file, in bytes. Larger files are not read.
pub const MAX_CHARACTER_BYTES: u64 = 200 << 20;

/// File extensions of characters, in lower case and without a dot. The first is the one of uploads
/// that name none.
pub const CHARACTER_EXTENSIONS: [&str; 4] = ["fbx", "glb", "gltf", "vrm"];

/// Returns frame rates as words of a message: `24, 25 or 30`.
#[must_use]
pub fn listed(rates: &[u16]) -> String {
    let words: Vec<String> = rates.iter().map(u16::to_string).collect();
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => words.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frame_rates_are_listed_as_words() {
        assert_eq!(listed(&FILE_FRAME_RATES), "24, 25, 30, 48, 50, 60 or 120");
        assert_eq!(listed(&[24, 25]), "24 or 25");
        assert_eq!((listed(&[30]), listed(&[])), ("30".to_owned(), String::new()));
    }
}
