//! Firebase password hashes, in the format that its export produces and GoTrue imports:
//! `$fbscrypt$v=1,n=14,r=8,p=1,ss=SEPARATOR,sk=SIGNER_KEY$SALT$HASH`, all in base64.
//!
//! The hash is the signer key, encrypted by AES-256 in counter mode with a key that scrypt derives
//! from the password (github.com/firebase/scrypt).

use aes::Aes256;
use aes::cipher::{BlockCipherEncrypt, KeyInit};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use scrypt::Params;
use subtle::ConstantTimeEq;

const PREFIX: &str = "$fbscrypt$";
/// Maximum cost. 2^17 blocks with r = 8 need 128 MiB; more would let a single sign-in exhaust the
/// server's memory.
const MAX_LOG_N: u8 = 17;
const MAX_R: u32 = 8;
const MAX_P: u32 = 4;
const MAX_BYTES: usize = 1024;

/// A parsed hash.
pub(super) struct FirebaseHash {
    params: Params,
    salt: Vec<u8>,
    signer_key: Vec<u8>,
    hash: Vec<u8>,
}

impl FirebaseHash {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let [settings, salt, hash] = text.strip_prefix(PREFIX)?.split('$').collect::<Vec<_>>()[..]
        else {
            return None;
        };
        let value = |name: &str| {
            let mut pairs = settings.split(',').filter_map(|pair| pair.split_once('='));
            pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
        };
        let log_n = value("n")?.parse().ok().filter(|n| (1..=MAX_LOG_N).contains(n))?;
        let r = value("r")?.parse().ok().filter(|r| (1..=MAX_R).contains(r))?;
        let p = value("p")?.parse().ok().filter(|p| (1..=MAX_P).contains(p))?;
        let separator = value("ss").map_or(Some(Vec::new()), decode)?;
        let signer_key = decode(value("sk")?)?;
        let hash = decode(hash)?;
        let whole = value("v") == Some("1") && !hash.is_empty() && hash.len() == signer_key.len();
        let salt = [decode(salt)?, separator].concat();
        let params = Params::new(log_n, r, p).ok()?;
        whole.then_some(Self { params, salt, signer_key, hash })
    }

    pub(super) fn fits(&self, password: &str) -> bool {
        let mut key = [0; 32];
        if scrypt::scrypt(password.as_bytes(), &self.salt, &self.params, &mut key).is_err() {
            return false;
        }
        let cipher = Aes256::new(&key.into());
        let made: Vec<u8> = self
            .signer_key
            .chunks(16)
            .zip(0_u128..)
            .flat_map(|(chunk, counter)| {
                let mut pad = counter.to_be_bytes().into();
                cipher.encrypt_block(&mut pad);
                chunk.iter().zip(pad).map(|(a, b)| a ^ b).collect::<Vec<u8>>()
            })
            .collect();
        made.ct_eq(&self.hash).into()
    }
}

fn decode(text: &str) -> Option<Vec<u8>> {
    (text.len() <= MAX_BYTES).then(|| STANDARD.decode(text).ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example from github.com/firebase/scrypt.
    const EXAMPLE: &str = "$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,\
        sk=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==\
        $42xEC+ixf3L2lw==\
        $lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==";

    #[test]
    fn the_published_firebase_example_verifies() {
        let hash = FirebaseHash::parse(EXAMPLE).expect("the settings are complete");
        assert!(hash.fits("user1password"));
        assert!(!hash.fits("user2password"));
    }

    #[test]
    fn incomplete_or_oversized_firebase_hashes_are_rejected() {
        for (from, to) in
            [("n=14", "n=31"), ("v=1", "v=2"), ("r=8", "r=0"), ("sk=", "x="), ("$42x", "$!")]
        {
            assert!(FirebaseHash::parse(&EXAMPLE.replace(from, to)).is_none(), "{to}");
        }
        assert!(FirebaseHash::parse("$fbscrypt$").is_none());
    }
}
