#![no_main]

use limber_formats::motion::{MotionHints, read};

// the input is a motion file; an AMC may be preceded by its ASF skeleton and a zero byte
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let zero = bytes.iter().position(|byte| *byte == 0).filter(|_| bytes.starts_with(b":"));
    let (skeleton, file) = match zero {
        Some(place) => (Some(&bytes[..place]), &bytes[place + 1..]),
        None => (None, bytes),
    };
    let _ = read(file, &MotionHints { skeleton, frames_per_second: None });
});
