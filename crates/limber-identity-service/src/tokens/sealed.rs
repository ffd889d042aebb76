//! Encryption of texts in the database that only the holder of a code can read.

use super::keyed_hash;

/// Encrypts or decrypts a text. A code may seal only one text, because the pad derived from it must
/// not be reused.
pub(crate) fn seal(code: &str, text: &[u8]) -> Vec<u8> {
    let blocks = text.chunks(32).zip(0_u64..);
    blocks
        .flat_map(|(block, number)| {
            let parts: [&[u8]; 2] = [b"limber sealed text", &number.to_be_bytes()];
            let pad = keyed_hash(code.as_bytes(), &parts);
            block.iter().zip(pad).map(|(a, b)| a ^ b).collect::<Vec<u8>>()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sealed_data_opens_only_with_the_code_that_sealed_it() {
        let text: Vec<u8> = (0..=255).cycle().take(1000).collect();
        let sealed = seal("code", &text);
        assert_eq!(seal("code", &sealed), text);
        assert_ne!(seal("edoc", &sealed), text);
        assert_ne!(sealed[..32], sealed[256..288], "equal blocks are sealed differently");
    }
}
