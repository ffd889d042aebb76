//! The keys that sign and verify access tokens.
//!
//! `JWT_KEYS` is a JSON array of JWKs, exactly one of which may sign; without it, `JWT_SECRET`
//! signs with HS256. HS256 tokens are always verified with `JWT_SECRET`, because service-role
//! tokens are made with it.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::pkcs8::EncodePrivateKey;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey};
use limber_domain::environment::SecureRandom;
use rsa::pkcs1::EncodeRsaPrivateKey;
use rsa::traits::{PrivateKeyParts, PublicKeyParts};
use rsa::{BigUint, RsaPrivateKey};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::config::{JwtConfig, MIN_SECRET_BYTES};

/// The keys of one instance.
pub(crate) struct KeyRing {
    pub(crate) signing: SigningKey,
    verifying: Vec<VerifyingKey>,
    secret: DecodingKey,
    /// The keys published at `/.well-known/jwks.json`.
    pub(crate) public: Vec<Value>,
}

pub(crate) struct SigningKey {
    pub(crate) algorithm: Algorithm,
    pub(crate) id: Option<String>,
    pub(crate) key: EncodingKey,
}

struct VerifyingKey {
    id: String,
    algorithm: Algorithm,
    key: DecodingKey,
}

/// A JWK as operators write it.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
struct Jwk {
    kty: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    kid: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alg: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    key_ops: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    crv: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    k: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    n: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    e: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    d: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    p: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    q: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    x: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    y: Option<String>,
}

impl KeyRing {
    pub(crate) fn new(config: &JwtConfig) -> Result<Self, String> {
        let secret = config.secret.expose_secret().as_bytes();
        let mut ring = Self {
            signing: SigningKey {
                algorithm: Algorithm::HS256,
                id: config.key_id.clone(),
                key: EncodingKey::from_secret(secret),
            },
            verifying: Vec::new(),
            secret: DecodingKey::from_secret(secret),
            public: Vec::new(),
        };
        if let Some(keys) = &config.keys {
            ring.take(&parse(keys)?)?;
        }
        Ok(ring)
    }

    fn take(&mut self, keys: &[Jwk]) -> Result<(), String> {
        let mut signing = None;
        for jwk in keys {
            let algorithm = jwk.algorithm()?;
            let id = jwk.kid.clone().ok_or("must contain a kid for every key")?;
            let key = jwk.decoding_key()?;
            self.verifying.push(VerifyingKey { id: id.clone(), algorithm, key });
            if jwk.kty != "oct" {
                self.public.push(jwk.public(algorithm));
            }
            if jwk.key_ops.iter().any(|op| op == "sign") {
                let key = SigningKey { algorithm, id: Some(id), key: jwk.encoding_key()? };
                if signing.replace(key).is_some() {
                    return Err(
                        "must contain exactly one key with `sign` in its key_ops".to_owned()
                    );
                }
            }
        }
        self.signing =
            signing.ok_or("must contain exactly one key with `sign` in its key_ops".to_owned())?;
        Ok(())
    }

    /// Returns the key that a token's header asks for, and the only algorithm it may be used with.
    pub(crate) fn verifying(
        &self,
        id: Option<&str>,
        algorithm: Algorithm,
    ) -> Option<(&DecodingKey, Algorithm)> {
        let named = self.verifying.iter().find(|key| Some(key.id.as_str()) == id);
        match named {
            Some(key) => Some((&key.key, key.algorithm)),
            None if algorithm == Algorithm::HS256 => Some((&self.secret, Algorithm::HS256)),
            None => None,
        }
    }
}

/// Validates `JWT_KEYS`, or describes what is wrong with it without quoting it.
pub(crate) fn check(keys: &SecretString) -> Result<(), String> {
    let config = crate::config::Config::new(
        url::Url::parse("http://invalid/").expect("a constant address parses"),
        url::Url::parse("http://invalid/").expect("a constant address parses"),
        String::new().into(),
        String::new().into(),
    );
    KeyRing::new(&JwtConfig { keys: Some(keys.clone()), ..config.jwt }).map(drop)
}

fn parse(keys: &SecretString) -> Result<Vec<Jwk>, String> {
    serde_json::from_str(keys.expose_secret())
        .map_err(|_| "must be a JSON array of JSON Web Keys".to_owned())
}

const BROKEN: &str = "contains a key that is incomplete or damaged";

/// Minimum RSA key length, considered sufficient until 2030 and by most beyond that (NIST SP 800-57
/// part 1, table 2).
const MIN_RSA_BITS: usize = 2048;

impl Jwk {
    fn algorithm(&self) -> Result<Algorithm, String> {
        let text = match (self.alg.as_deref(), self.kty.as_str(), self.crv.as_deref()) {
            (Some(alg), _, _) => alg,
            (None, "oct", _) => "HS256",
            (None, "RSA", _) => "RS256",
            (None, "EC", Some("P-256")) => "ES256",
            (None, "OKP", _) => "EdDSA",
            _ => return Err("contains a key without a known alg".to_owned()),
        };
        match (text, self.kty.as_str()) {
            ("HS256", "oct") => Ok(Algorithm::HS256),
            ("RS256", "RSA") => Ok(Algorithm::RS256),
            ("RS512", "RSA") => Ok(Algorithm::RS512),
            ("ES256", "EC") => Ok(Algorithm::ES256),
            ("EdDSA", "OKP") => Ok(Algorithm::EdDSA),
            _ => {
                Err("contains a key whose alg is not HS256, RS256, RS512, ES256 or EdDSA"
                    .to_owned())
            }
        }
    }

    fn decoding_key(&self) -> Result<DecodingKey, String> {
        let text = |part: &Option<String>| part.clone().ok_or_else(|| BROKEN.to_owned());
        let key = match self.kty.as_str() {
            "oct" => return Ok(DecodingKey::from_secret(&self.secret()?)),
            "RSA" if self.rsa_bits()? < MIN_RSA_BITS => {
                return Err(format!(
                    "contains an RSA key shorter than {MIN_RSA_BITS} bits: generate one of at \
                     least {MIN_RSA_BITS} bits, because anyone who computes the private key can \
                     sign tokens"
                ));
            }
            "RSA" => DecodingKey::from_rsa_components(&text(&self.n)?, &text(&self.e)?),
            "EC" => DecodingKey::from_ec_components(&text(&self.x)?, &text(&self.y)?),
            _ => DecodingKey::from_ed_components(&text(&self.x)?),
        };
        key.map_err(|_| BROKEN.to_owned())
    }

    fn encoding_key(&self) -> Result<EncodingKey, String> {
        match self.kty.as_str() {
            "oct" => Ok(EncodingKey::from_secret(&self.secret()?)),
            "RSA" => self.rsa_encoding_key(),
            "EC" => {
                let key = p256::SecretKey::from_slice(&bytes(&self.d)?).map_err(broken)?;
                let der = key.to_pkcs8_der().map_err(broken)?;
                Ok(EncodingKey::from_ec_der(der.as_bytes()))
            }
            _ => {
                let seed = bytes(&self.d)?.try_into().map_err(|_| BROKEN.to_owned())?;
                let key = ed25519_dalek::SigningKey::from_bytes(&seed);
                let der = key.to_pkcs8_der().map_err(broken)?;
                Ok(EncodingKey::from_ed_der(der.as_bytes()))
            }
        }
    }

    /// Returns the secret of a shared key. Whoever can verify with it can also sign, so the same
    /// minimum length applies to verification keys.
    fn secret(&self) -> Result<Vec<u8>, String> {
        let secret = bytes(&self.k)?;
        if secret.len() < MIN_SECRET_BYTES {
            return Err(format!(
                "contains an oct key shorter than {MIN_SECRET_BYTES} bytes: use at least \
                 {MIN_SECRET_BYTES} random bytes, because anyone who guesses it can sign tokens"
            ));
        }
        Ok(secret)
    }

    fn rsa_bits(&self) -> Result<usize, String> {
        Ok(BigUint::from_bytes_be(&bytes(&self.n)?).bits())
    }

    fn rsa_encoding_key(&self) -> Result<EncodingKey, String> {
        let number = |part: &Option<String>| Ok::<_, String>(BigUint::from_bytes_be(&bytes(part)?));
        let primes = vec![number(&self.p)?, number(&self.q)?];
        let key = RsaPrivateKey::from_components(
            number(&self.n)?,
            number(&self.e)?,
            number(&self.d)?,
            primes,
        )
        .map_err(broken)?;
        let der = key.to_pkcs1_der().map_err(broken)?;
        Ok(EncodingKey::from_rsa_der(der.as_bytes()))
    }

    fn public(&self, algorithm: Algorithm) -> Value {
        let mut key = json!({
            "kty": self.kty, "kid": self.kid, "alg": format!("{algorithm:?}"),
            "use": "sig", "key_ops": ["verify"],
        });
        for (name, part) in
            [("crv", &self.crv), ("n", &self.n), ("e", &self.e), ("x", &self.x), ("y", &self.y)]
        {
            if let Some(part) = part {
                key[name] = part.clone().into();
            }
        }
        key
    }
}

fn bytes(part: &Option<String>) -> Result<Vec<u8>, String> {
    let text = part.as_deref().ok_or_else(|| BROKEN.to_owned())?;
    URL_SAFE_NO_PAD.decode(text.trim_end_matches('=')).map_err(broken)
}

fn broken<E>(_: E) -> String {
    BROKEN.to_owned()
}

/// Algorithms offered by `keys generate`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
#[value(rename_all = "lower")]
pub(crate) enum NewKey {
    /// RSA 2048; every client can verify it.
    Rs256,
    /// P-256; compact, and browsers can verify it too.
    Es256,
    /// Ed25519; for servers only, because the common JavaScript client cannot verify it.
    Eddsa,
}

/// Returns a new `JWT_KEYS`.
pub(crate) fn generate(kind: NewKey, random: &dyn SecureRandom) -> String {
    serde_json::to_string(&[new_key(kind, random)]).expect("a JWK can be written as JSON")
}

fn new_key(kind: NewKey, random: &dyn SecureRandom) -> Jwk {
    let text = |b: &[u8]| Some(URL_SAFE_NO_PAD.encode(b));
    let mut jwk = match kind {
        NewKey::Rs256 => {
            let key = RsaPrivateKey::new(&mut rsa::rand_core::OsRng, 2048)
                .expect("the generator supports 2048 bits");
            Jwk {
                kty: "RSA".into(),
                n: text(&key.n().to_bytes_be()),
                e: text(&key.e().to_bytes_be()),
                d: text(&key.d().to_bytes_be()),
                p: text(&key.primes()[0].to_bytes_be()),
                q: text(&key.primes()[1].to_bytes_be()),
                alg: Some("RS256".into()),
                ..Jwk::default()
            }
        }
        NewKey::Es256 => {
            use p256::elliptic_curve::sec1::ToEncodedPoint;
            let key = p256::SecretKey::random(&mut rsa::rand_core::OsRng);
            let point = key.public_key().to_encoded_point(false);
            Jwk {
                kty: "EC".into(),
                crv: Some("P-256".into()),
                x: point.x().and_then(|x| text(x)),
                y: point.y().and_then(|y| text(y)),
                d: text(&key.to_bytes()),
                alg: Some("ES256".into()),
                ..Jwk::default()
            }
        }
        NewKey::Eddsa => {
            let mut seed = [0; 32];
            random.fill(&mut seed);
            let key = ed25519_dalek::SigningKey::from_bytes(&seed);
            Jwk {
                kty: "OKP".into(),
                crv: Some("Ed25519".into()),
                x: text(key.verifying_key().as_bytes()),
                d: text(&seed),
                alg: Some("EdDSA".into()),
                ..Jwk::default()
            }
        }
    };
    jwk.kid = Some(random.uuid().to_string());
    jwk.key_ops = vec!["sign".to_owned(), "verify".to_owned()];
    jwk
}

/// Puts a new key in front of the existing ones, which from then on only verify: tokens signed with
/// them are accepted until they expire.
pub(crate) fn rotate(
    old: &SecretString,
    kind: NewKey,
    random: &dyn SecureRandom,
) -> Result<String, String> {
    let retired = parse(old)?.into_iter().map(|key| Jwk {
        key_ops: vec!["verify".to_owned()],
        d: None,
        p: None,
        q: None,
        ..key
    });
    let keys: Vec<Jwk> = std::iter::once(new_key(kind, random)).chain(retired).collect();
    let text = serde_json::to_string(&keys).expect("a JWK can be written as JSON");
    check(&text.clone().into())?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use limber_domain::environment::SystemRandom;

    use super::*;

    #[test]
    fn generated_keys_are_accepted_and_debug_output_hides_them() {
        for kind in [NewKey::Rs256, NewKey::Es256, NewKey::Eddsa] {
            let keys = SecretString::from(generate(kind, &SystemRandom));
            check(&keys).expect("generated keys are accepted");
            let parsed = parse(&keys).expect("an array");
            let public = parsed[0].public(parsed[0].algorithm().expect("the key has an alg"));
            for private in ["d", "p", "q", "k"] {
                assert!(public.get(private).is_none(), "{kind:?} shows {private}");
            }
            assert_eq!(public["use"], "sig");
        }
    }

    #[test]
    fn errors_about_damaged_keys_do_not_quote_them() {
        for bad in ["", "{}", r#"[{"kty":"RSA","kid":"a"}]"#, r#"[{"kty":"oct","k":"AAAA"}]"#] {
            let problem = check(&bad.into()).expect_err("the text is not a key");
            assert!(!problem.contains("AAAA"), "{problem}");
        }
    }

    #[test]
    fn retired_keys_verify_but_do_not_sign() {
        let first = generate(NewKey::Es256, &SystemRandom);
        let second =
            rotate(&first.clone().into(), NewKey::Eddsa, &SystemRandom).expect("good keys");
        let third = rotate(&second.into(), NewKey::Es256, &SystemRandom).expect("good keys");
        let keys = parse(&third.clone().into()).expect("the key was generated in this format");
        assert_eq!(keys.len(), 3);
        assert!(keys[0].d.is_some() && keys[1].d.is_none() && keys[2].d.is_none());
        let url = url::Url::parse("http://id.example").expect("a valid address");
        let mut config =
            crate::config::Config::new(url.clone(), url, "".into(), "a secret".into()).jwt;
        config.keys = Some(third.into());
        let ring = KeyRing::new(&config).expect("good keys");
        assert_eq!((ring.public.len(), ring.signing.algorithm), (3, Algorithm::ES256));
        assert!(rotate(&"[]x".to_owned().into(), NewKey::Es256, &SystemRandom).is_err());
    }
}
