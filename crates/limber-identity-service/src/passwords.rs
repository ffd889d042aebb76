//! Password rules and hashing.
//!
//! New hashes use argon2id. Imported bcrypt, Firebase and other argon2 hashes are verified, and
//! replaced when their owner signs in. Hashing runs on a small thread pool of its own, so that a
//! flood of sign-ins queues up instead of taking all memory and every core. Each thread reuses its
//! memory for the next hash.

mod argon;
mod firebase;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use limber_api::identity::WeakPasswordReason;
use limber_domain::environment::SecureRandom;
use rayon_core::{ThreadPool, ThreadPoolBuilder};
use secrecy::{ExposeSecret, SecretString};
use tokio::sync::oneshot;

use self::firebase::FirebaseHash;
use crate::config::PasswordRules;
use crate::refusal::{Outcome, PASSWORD_TOO_LONG, Refusal, RequestError, refuse};

/// Maximum length of a password. bcrypt ignores anything beyond it; the limit applies to all
/// passwords so that accounts can be migrated in both directions (identity behaviour, 5).
const MAX_BYTES: usize = 72;

impl PasswordRules {
    /// Rejects a password that is too long or violates the rules.
    pub(crate) fn check(&self, password: &SecretString) -> Outcome<()> {
        if password.expose_secret().len() > MAX_BYTES {
            return refuse(PASSWORD_TOO_LONG);
        }
        match self.weakness(password) {
            Some((message, reasons)) => refuse(Refusal::weak_password(message, reasons)),
            None => Ok(()),
        }
    }

    /// Returns the rules that the password violates, with a message for users.
    pub(crate) fn weakness(
        &self,
        password: &SecretString,
    ) -> Option<(String, Vec<WeakPasswordReason>)> {
        let password = password.expose_secret();
        let mut texts = Vec::new();
        let mut reasons = Vec::new();
        if password.chars().count() < self.min_length {
            let least = self.min_length;
            texts.push(format!("Password should be at least {least} characters."));
            reasons.push(WeakPasswordReason::Length);
        }
        if self.required_characters.iter().any(|set| !password.contains(|c| set.contains(c))) {
            let sets = self.required_characters.join(", ");
            texts.push(format!("Password should contain at least one character of each: {sets}."));
            reasons.push(WeakPasswordReason::Characters);
        }
        (!reasons.is_empty()).then(|| (texts.join(" "), reasons))
    }
}

/// Highest accepted cost of a bcrypt hash; verifying one takes about five seconds.
const MAX_BCRYPT_COST: u32 = 16;

/// Hashes and verifies passwords with limited concurrency.
pub(crate) struct Hasher {
    threads: ThreadPool,
    /// Hash that is verified for accounts that do not exist, so that they take as long as existing
    /// ones.
    dummy_hash: String,
}

impl Hasher {
    pub(crate) fn new(parallel: usize, random: &dyn SecureRandom) -> Self {
        let mut password = [0; 16];
        random.fill(&mut password);
        let threads = ThreadPoolBuilder::new()
            .num_threads(parallel)
            .thread_name(|place| format!("passwords {place}"))
            // The waiting request then receives an error; without a handler, a panic would abort
            // the process.
            .panic_handler(|_| tracing::error!("the hashing of a password panicked"))
            .build()
            .expect("threads can be created");
        let dummy_hash = threads
            .install(|| argon::hash(&password, &salt(random)))
            .expect("the default parameters of argon2 are valid");
        Self { threads, dummy_hash }
    }

    /// Returns the hash of a random password that was never disclosed or stored, so that nothing
    /// matches it.
    pub(crate) fn dummy_hash(&self) -> String {
        self.dummy_hash.clone()
    }

    pub(crate) async fn hash(
        &self,
        password: &SecretString,
        random: &dyn SecureRandom,
    ) -> Outcome<String> {
        let (password, salt) = (password.clone(), salt(random));
        self.run(move || argon::hash(password.expose_secret().as_bytes(), &salt))
            .await?
            .map_err(|error| RequestError::Failed(error.to_string().into()))
    }

    /// Verifies a password. Returns false, after the same time, for a wrong password and for an
    /// account without one.
    pub(crate) async fn verify(
        &self,
        password: &SecretString,
        hash: Option<&str>,
    ) -> Outcome<bool> {
        let (known, hash) = (hash.is_some(), hash.unwrap_or(&self.dummy_hash).to_owned());
        let password = password.clone();
        let fits = self.run(move || verify_now(password.expose_secret(), &hash)).await?;
        Ok(fits && known)
    }

    /// Like [`Self::verify`], where attackers may measure the time: also computes a hash of each
    /// kind in `others`, the kinds that other accounts use, so that every account takes as long as
    /// all kinds together.
    pub(crate) async fn verify_among(
        &self,
        password: &SecretString,
        hash: Option<&str>,
        others: &[String],
    ) -> Outcome<bool> {
        let (known, hashes) = (hash.is_some(), self.hashes_to_verify(hash, others));
        let password = password.clone();
        let fits = self.run(move || {
            let password = password.expose_secret();
            let outcomes: Vec<bool> =
                hashes.iter().map(|hash| verify_now(password, hash)).collect();
            outcomes.first() == Some(&true)
        });
        Ok(fits.await? && known)
    }

    /// Returns the hashes to compute: first that of the account, if any, then a dummy of every
    /// other kind.
    fn hashes_to_verify(&self, hash: Option<&str>, others: &[String]) -> Vec<String> {
        let mut hashes: Vec<String> = hash.map(str::to_owned).into_iter().collect();
        hashes.extend(others.iter().filter_map(|kind| dummy_hash_of_kind(kind)));
        if hashes.is_empty() {
            hashes.push(self.dummy_hash.clone());
        }
        hashes
    }

    async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Outcome<T> {
        let (answer, result) = oneshot::channel();
        self.threads.spawn(move || {
            // Skip the work if the caller stopped waiting.
            if !answer.is_closed() {
                let _ = answer.send(work());
            }
        });
        result.await.map_err(|_| RequestError::Failed("the hashing of a password failed".into()))
    }
}

/// Tells whether [`Hasher::verify`] can verify the hash, within seconds and with acceptable memory.
pub(crate) fn is_known_hash(hash: &str) -> bool {
    bcrypt_cost(hash).is_some_and(|cost| cost <= MAX_BCRYPT_COST)
        || FirebaseHash::parse(hash).is_some()
        || PasswordHash::new(hash).is_ok_and(|hash| argon::is_affordable(&hash))
}

/// Tells whether the hash was made with other parameters than this version uses.
pub(crate) fn is_outdated(hash: &str) -> bool {
    let own = Argon2::default();
    let (m, t, p) = (own.params().m_cost(), own.params().t_cost(), own.params().p_cost());
    let current = format!("$argon2id$v=19$m={m},t={t},p={p}$");
    !hash.starts_with(&current)
}

/// Returns the cost of a bcrypt hash. Each step doubles the time.
fn bcrypt_cost(hash: &str) -> Option<u32> {
    let rest = ["$2a$", "$2b$", "$2x$", "$2y$"].iter().find_map(|kind| hash.strip_prefix(kind))?;
    rest.split_once('$')?.0.parse().ok()
}

/// Returns a dummy hash that takes as long as every other hash of its kind. A kind is the part of a
/// hash before its salt, as determined by the database function `hash_kind`. Returns `None` for an
/// unknown kind.
fn dummy_hash_of_kind(kind: &str) -> Option<String> {
    let hash = if bcrypt_cost(kind).is_some() {
        format!("{kind}{}", ".".repeat(53))
    } else if let Some(costs) = kind.strip_prefix("$fbscrypt$") {
        // 64 bytes, the size of Firebase's keys and hashes.
        let zeros = format!("{}==", "A".repeat(86));
        format!("$fbscrypt$v=1,sk={zeros},{costs}AAAA${zeros}")
    } else {
        format!("{kind}{}${}", "A".repeat(22), "A".repeat(43))
    };
    is_known_hash(&hash).then_some(hash)
}

fn salt(random: &dyn SecureRandom) -> [u8; 16] {
    let mut salt = [0; 16];
    random.fill(&mut salt);
    salt
}

fn verify_now(password: &str, hash: &str) -> bool {
    // A hash imported without this check could exhaust the server.
    if !is_known_hash(hash) {
        return false;
    }
    if bcrypt_cost(hash).is_some() {
        return bcrypt::verify(password, hash).unwrap_or(false);
    }
    if let Some(hash) = FirebaseHash::parse(hash) {
        return hash.fits(password);
    }
    PasswordHash::new(hash).is_ok_and(|hash| argon::fits(password.as_bytes(), &hash))
}

#[cfg(test)]
mod tests {
    use limber_domain::environment::SystemRandom;

    use super::*;

    fn rules(required: &[&str]) -> PasswordRules {
        PasswordRules {
            min_length: 8,
            required_characters: required.iter().map(ToString::to_string).collect(),
            parallel_hashes: 1,
        }
    }

    #[test]
    fn all_violated_password_rules_are_reported_at_once() {
        let (message, reasons) = rules(&["abc", "0123"])
            .weakness(&"xyz".into())
            .expect("the password violates two rules");
        assert_eq!(
            message,
            "Password should be at least 8 characters. \
             Password should contain at least one character of each: abc, 0123."
        );
        assert_eq!(reasons, [WeakPasswordReason::Length, WeakPasswordReason::Characters]);
        assert!(rules(&["abc", "0123"]).weakness(&"a1234567".into()).is_none());
    }

    #[test]
    fn passwords_longer_than_72_bytes_are_rejected() {
        assert!(rules(&[]).check(&"a".repeat(72).into()).is_ok());
        assert!(rules(&[]).check(&"ä".repeat(37).into()).is_err());
    }

    #[tokio::test]
    async fn argon2_and_bcrypt_hashes_verify_and_the_dummy_hash_never_does() {
        let hasher = Hasher::new(2, &SystemRandom);
        let password = SecretString::from("correct horse");
        let argon = hasher.hash(&password, &SystemRandom).await.expect("hashing works");
        assert!(argon.starts_with("$argon2id$") && is_known_hash(&argon));
        assert!(!is_outdated(&argon) && is_outdated(&argon.replace("t=2", "t=1")));
        let bcrypt = bcrypt::hash("correct horse", 4).expect("the cost is valid");
        assert!(
            is_known_hash(&bcrypt)
                && is_outdated(&bcrypt)
                && !is_known_hash("5f4dcc3b5aa765d61d8327deb882cf99")
        );
        for hash in [&argon, &bcrypt] {
            assert!(hasher.verify(&password, Some(hash)).await.expect("the call succeeds"));
            assert!(!hasher.verify(&"wrong".into(), Some(hash)).await.expect("the call succeeds"));
        }
        assert!(!hasher.verify(&password, None).await.expect("the call succeeds"));
    }

    #[tokio::test]
    async fn dummy_hashes_of_every_kind_are_computed_and_never_match() {
        let hasher = Hasher::new(1, &SystemRandom);
        let password = SecretString::from("correct horse");
        let bcrypt = bcrypt::hash("correct horse", 4).expect("the cost is valid");
        let kinds = [
            "$argon2id$v=19$m=19456,t=2,p=1$",
            "$argon2i$m=64,t=1,p=2$",
            "$2b$04$",
            "$fbscrypt$n=4,r=8,p=1$",
        ]
        .map(str::to_owned);
        let hashes: Vec<String> =
            kinds.iter().filter_map(|kind| dummy_hash_of_kind(kind)).collect();
        assert_eq!(hashes.len(), kinds.len(), "a dummy hash exists for each kind: {hashes:?}");
        for (hash, kind) in hashes.iter().zip(&kinds) {
            assert!(kind.starts_with("$fb") || hash.starts_with(kind.as_str()), "{hash}");
        }
        let among = |hash| hasher.verify_among(&password, hash, &kinds);
        assert!(among(Some(&bcrypt)).await.expect("the call succeeds"));
        assert!(!among(Some(&hashes[0])).await.expect("the call succeeds"));
        assert!(!among(None).await.expect("the call succeeds"));
        for odd in ["", "$", "$2b$31$", "$fbscrypt$n=31,r=8,p=1$"] {
            assert!(dummy_hash_of_kind(odd).is_none(), "{odd}");
        }
    }

    #[tokio::test]
    async fn every_sign_in_computes_one_hash_of_each_kind() {
        let hasher = Hasher::new(1, &SystemRandom);
        let argon =
            hasher.hash(&"correct horse".into(), &SystemRandom).await.expect("the call succeeds");
        let bcrypt = bcrypt::hash("correct horse", 4).expect("the cost is valid");
        let kinds = ["$argon2id$v=19$m=19456,t=2,p=1$", "$argon2i$m=64,t=1,p=2$", "$2b$04$"];
        for hash in [Some(argon.as_str()), Some(bcrypt.as_str()), None] {
            let is_own = |kind: &&str| hash.is_some_and(|hash| hash.starts_with(kind));
            // The kinds, as the database would return them.
            let others: Vec<String> =
                kinds.iter().filter(|kind| !is_own(kind)).map(ToString::to_string).collect();
            let tried = hasher.hashes_to_verify(hash, &others);
            assert_eq!(tried.len(), kinds.len(), "{tried:?}");
            for kind in kinds {
                assert!(tried.iter().any(|hash| hash.starts_with(kind)), "{kind}: {tried:?}");
            }
        }
        assert_eq!(hasher.hashes_to_verify(None, &[]), [hasher.dummy_hash()]);
    }

    #[tokio::test]
    async fn hashes_with_excessive_cost_are_neither_imported_nor_computed() {
        let hasher = Hasher::new(1, &SystemRandom);
        let password = SecretString::from("correct horse");
        let argon = hasher.hash(&password, &SystemRandom).await.expect("hashing works");
        let bcrypt = bcrypt::hash("correct horse", 4).expect("the cost is valid");
        for hash in [
            argon.replace("m=19456", "m=4294967295"),
            argon.replace("m=19456", "m=262145"),
            argon.replace("t=2", "t=4294967295"),
            argon.replace("p=1", "p=1000"),
            bcrypt.replace("$04$", "$31$"),
            bcrypt.replace("$04$", "$17$"),
        ] {
            assert!(hash != argon && hash != bcrypt && !is_known_hash(&hash), "{hash}");
            assert!(
                !hasher.verify(&password, Some(&hash)).await.expect("the call succeeds"),
                "{hash}"
            );
        }
        assert!(is_known_hash(&argon.replace("m=19456,t=2,p=1", "m=65536,t=4,p=4")));
    }

    #[tokio::test]
    async fn a_panic_while_hashing_is_an_error_and_later_hashes_work() {
        let hasher = Hasher::new(1, &SystemRandom);
        assert!(hasher.run(|| panic!("on purpose")).await.is_err());
        assert_eq!(hasher.run(|| 7).await.expect("the thread lives"), 7);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn concurrent_hashes_are_limited() {
        use std::sync::atomic::{AtomicUsize, Ordering};
        use std::sync::{Arc, Barrier};
        use std::time::Duration;
        for allowed in [1, 2] {
            let hasher = Hasher::new(allowed, &SystemRandom);
            let (running, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
            let together = Arc::new(Barrier::new(allowed));
            let work = || {
                let (running, most) = (Arc::clone(&running), Arc::clone(&most));
                let together = Arc::clone(&together);
                hasher.run(move || {
                    most.fetch_max(running.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    together.wait();
                    // If the limit were not enforced, another task would start during this pause.
                    std::thread::sleep(Duration::from_millis(40));
                    running.fetch_sub(1, Ordering::SeqCst);
                })
            };
            let outcomes = futures_util::future::join_all((0..6).map(|_| work()));
            let outcomes = tokio::time::timeout(Duration::from_secs(120), outcomes).await;
            let outcomes = outcomes.expect("as many hashes run at once as are allowed");
            assert!(outcomes.iter().all(Result::is_ok));
            assert_eq!(most.load(Ordering::SeqCst), allowed);
        }
    }
}
