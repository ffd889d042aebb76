#![no_main]

use limber_formats::{humanoid::Overrides, import::import};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let _ = import(bytes, &Overrides::default());
});
