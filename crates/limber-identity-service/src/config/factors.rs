//! Settings of second factors (MFA).

use std::time::Duration;

use super::environment::Environment;

/// Which second factors are available, and their time limits.
#[derive(Debug, Clone)]
pub struct FactorRules {
    /// `MFA_TOTP_ENROLL_ENABLED`: authenticator apps can be enrolled. Default true.
    pub totp_enroll: bool,
    /// `MFA_TOTP_VERIFY_ENABLED`: authenticator apps can be used. Default true.
    pub totp_verify: bool,
    /// `MFA_PHONE_ENROLL_ENABLED`: phones can be enrolled. Default false.
    pub phone_enroll: bool,
    /// `MFA_PHONE_VERIFY_ENABLED`: phones can be used. Default false.
    pub phone_verify: bool,
    /// `MFA_MAX_ENROLLED_FACTORS`: maximum number of factors per account. Default 10.
    pub max_enrolled: usize,
    /// `MFA_CHALLENGE_EXPIRY_DURATION`: lifetime of a challenge. Default 300 s.
    pub challenge_lifetime: Duration,
    /// `MFA_FACTOR_EXPIRY_DURATION`: how long an enrolled factor may stay unverified. Default 300
    /// s.
    pub factor_lifetime: Duration,
    /// `MFA_SAME_ADDRESS_REQUIRED`: a code must be sent from the IP address that requested the
    /// challenge. Default true; set it to false for phones that switch networks in between.
    pub same_address: bool,
}

impl Default for FactorRules {
    fn default() -> Self {
        Self {
            totp_enroll: true,
            totp_verify: true,
            phone_enroll: false,
            phone_verify: false,
            max_enrolled: 10,
            challenge_lifetime: Duration::from_secs(300),
            factor_lifetime: Duration::from_secs(300),
            same_address: true,
        }
    }
}

pub(super) fn read(env: &mut Environment) -> FactorRules {
    let default = FactorRules::default();
    let mut lifetime = |name: &str, default: Duration| {
        env.duration(name).filter(|time| !time.is_zero()).unwrap_or(default)
    };
    FactorRules {
        challenge_lifetime: lifetime("MFA_CHALLENGE_EXPIRY_DURATION", default.challenge_lifetime),
        factor_lifetime: lifetime("MFA_FACTOR_EXPIRY_DURATION", default.factor_lifetime),
        totp_enroll: env.flag("MFA_TOTP_ENROLL_ENABLED"),
        totp_verify: env.flag("MFA_TOTP_VERIFY_ENABLED"),
        phone_enroll: env.flag("MFA_PHONE_ENROLL_ENABLED"),
        phone_verify: env.flag("MFA_PHONE_VERIFY_ENABLED"),
        max_enrolled: env.number("MFA_MAX_ENROLLED_FACTORS"),
        same_address: env.flag("MFA_SAME_ADDRESS_REQUIRED"),
    }
}
