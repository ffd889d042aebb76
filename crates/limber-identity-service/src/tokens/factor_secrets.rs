//! Secrets of second factors: the shared secret of an authenticator app (RFC 6238: SHA-1, six
//! digits, 30 s) and codes sent by text message.
//!
//! A shared secret must be readable at every sign-in, so it cannot be stored as a hash. It is
//! encrypted instead: without the instance's `JWT_SECRET`, a copy of the database contains no
//! usable secret.

use chrono::{DateTime, Utc};
use limber_api::identity::TotpEnrollment;
use limber_domain::environment::SecureRandom;
use qrcode::QrCode;
use qrcode::render::svg;
use secrecy::zeroize::Zeroize;
use subtle::ConstantTimeEq;
use totp_rs::{Algorithm, Builder, Totp};
use uuid::Uuid;

use super::keyed_hash;

const SECRET_BYTES: usize = 20;
/// Length of the tag that shows whether the key is the one used for sealing.
const CHECK_BYTES: usize = 8;
const STEP_S: u64 = 30;
/// How many time steps a clock may be off in either direction.
const SKEW: u16 = 1;
/// Minimum edge length of the QR code, in pixels.
const PICTURE: u32 = 200;

/// The shared secret of one authenticator app.
pub(crate) struct TotpSecret([u8; SECRET_BYTES]);

impl Drop for TotpSecret {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl TotpSecret {
    pub(crate) fn new(random: &dyn SecureRandom) -> Self {
        let mut bytes = [0; SECRET_BYTES];
        random.fill(&mut bytes);
        Self(bytes)
    }

    /// Returns the enrolment data for the app. `issuer` and `account` are only for display.
    pub(crate) fn tell(&self, issuer: &str, account: &str) -> TotpEnrollment {
        let totp = self.totp(issuer, account);
        let uri = totp.to_url().expect("the account's name is set and contains no colon");
        let code = QrCode::new(&uri).expect("names are bounded, so the address fits into a code");
        // Named colours, because a `#` would end the `data:` URL into which clients put this.
        let qr_code = code
            .render()
            .min_dimensions(PICTURE, PICTURE)
            .dark_color(svg::Color("black"))
            .light_color(svg::Color("white"))
            .build();
        TotpEnrollment { qr_code, secret: totp.secret().to_base32(), uri }
    }

    /// Returns the time step whose code was given. Returns `None` for a wrong code and for one
    /// whose step is not newer than `last`, which prevents replay.
    pub(crate) fn accept(&self, code: &str, now: DateTime<Utc>, last: Option<i64>) -> Option<i64> {
        let time_s = u64::try_from(now.timestamp()).ok()?;
        let step = i64::try_from(self.totp("", "-").check(code, time_s)?).ok()?;
        last.is_none_or(|last| step > last).then_some(step)
    }

    fn totp(&self, issuer: &str, account: &str) -> Totp {
        // A colon would end the issuer.
        let plain = |text: &str| text.replace(':', " ");
        let issuer = Some(plain(issuer)).filter(|issuer| !issuer.is_empty());
        Builder::new()
            .with_algorithm(Algorithm::SHA1)
            .with_digits(6)
            .with_skew(SKEW)
            .with_step_duration(STEP_S)
            .with_secret(self.0.to_vec())
            .with_issuer(issuer)
            .with_account_name(plain(account))
            .build()
            .expect("twenty bytes and six digits are the values of the RFC")
    }
}

/// Encrypts secrets and hashes codes, with a key derived from the instance's secret.
pub(crate) struct FactorKey([u8; 32]);

impl FactorKey {
    pub(crate) fn new(secret: &[u8]) -> Self {
        Self(keyed_hash(secret, &[b"limber second factors"]))
    }

    /// Encrypts a secret for the database, bound to this factor.
    pub(crate) fn seal(&self, factor: Uuid, secret: &TotpSecret) -> Vec<u8> {
        let mut sealed: Vec<u8> =
            self.pad(factor).iter().zip(&secret.0).map(|(a, b)| a ^ b).collect();
        sealed.extend_from_slice(&self.check(factor, &secret.0));
        sealed
    }

    /// Decrypts a secret. Returns `None` if another key sealed it, that is, if the instance's
    /// secret has changed since.
    pub(crate) fn open(&self, factor: Uuid, sealed: &[u8]) -> Option<TotpSecret> {
        let (hidden, check) = sealed.split_at_checked(SECRET_BYTES)?;
        let mut bytes = [0; SECRET_BYTES];
        for (place, (a, b)) in bytes.iter_mut().zip(self.pad(factor).iter().zip(hidden)) {
            *place = a ^ b;
        }
        let secret = TotpSecret(bytes);
        bool::from(self.check(factor, &secret.0).as_slice().ct_eq(check)).then_some(secret)
    }

    /// Returns the stored hash of a code sent for a challenge.
    pub(crate) fn of_code(&self, challenge: Uuid, code: &str) -> [u8; 32] {
        keyed_hash(&self.0, &[b"code", challenge.as_bytes(), code.as_bytes()])
    }

    /// Returns the key under which guesses at `what` are counted, which discloses no personal data.
    pub(crate) fn of_guesses(&self, what: &str) -> [u8; 32] {
        keyed_hash(&self.0, &[b"guesses", what.as_bytes()])
    }

    fn pad(&self, factor: Uuid) -> [u8; 32] {
        keyed_hash(&self.0, &[b"seal", factor.as_bytes()])
    }

    fn check(&self, factor: Uuid, secret: &[u8]) -> [u8; CHECK_BYTES] {
        let hash = keyed_hash(&self.0, &[b"check", factor.as_bytes(), secret]);
        std::array::from_fn(|at| hash[at])
    }
}

#[cfg(test)]
mod tests {
    use limber_domain::environment::SystemRandom;

    use super::*;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(seconds, 0).expect("a valid time")
    }

    /// The secret from RFC 6238, appendix B.
    fn of_the_rfc() -> TotpSecret {
        TotpSecret(*b"12345678901234567890")
    }

    #[test]
    fn totp_codes_match_the_rfc_examples() {
        // The last six of the eight digits in appendix B.
        let cases = [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
        ];
        for (time, code) in cases {
            assert_eq!(of_the_rfc().accept(code, at(time), None), Some(time / 30), "{time}");
            assert_eq!(of_the_rfc().accept("000000", at(time), None), None);
        }
    }

    #[test]
    fn totp_accepts_one_step_of_clock_drift_and_each_code_once() {
        let (secret, code) = (of_the_rfc(), "287082");
        assert_eq!(secret.accept(code, at(89), None), Some(1), "one step late");
        assert_eq!(secret.accept(code, at(0), None), Some(1), "one step early");
        assert_eq!(secret.accept(code, at(90), None), None, "two steps late");
        assert_eq!(secret.accept(code, at(59), Some(1)), None, "seen before");
        for odd in ["", "28708", "2870822", "+87082", "２８７０８２", "28708x"] {
            assert_eq!(secret.accept(odd, at(59), None), None, "{odd}");
        }
    }

    #[test]
    fn otpauth_uris_contain_issuer_account_and_secret() {
        let told = of_the_rfc().tell("site.example:8080", "ann@b.co");
        assert_eq!(told.secret, "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        assert!(told.uri.starts_with("otpauth://totp/site.example%208080:ann"), "{}", told.uri);
        assert!(told.uri.contains(&format!("secret={}", told.secret)), "{}", told.uri);
        assert!(told.qr_code.contains("<svg") && !told.qr_code.contains('#'));
    }

    #[test]
    fn the_longest_names_still_fit_into_the_qr_code() {
        let told = TotpSecret::new(&SystemRandom).tell(&"ä".repeat(128), &"x".repeat(255));
        assert!(told.qr_code.contains("<svg"));
    }

    #[test]
    fn a_sealed_secret_opens_only_for_its_factor_and_key() {
        let (key, factor) = (FactorKey::new(b"secret"), SystemRandom.uuid());
        let sealed = key.seal(factor, &of_the_rfc());
        assert!(!sealed.windows(20).any(|part| part == b"12345678901234567890"));
        assert_eq!(
            key.open(factor, &sealed).expect("the sealed secret can be opened").0,
            of_the_rfc().0
        );
        assert!(key.open(SystemRandom.uuid(), &sealed).is_none());
        assert!(FactorKey::new(b"changed").open(factor, &sealed).is_none());
        assert!(key.open(factor, b"short").is_none());
    }
}
