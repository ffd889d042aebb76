//! Second factors.

use std::time::Duration;

use super::environment::Environment;

/// Which second factors there are, and how long things last.
#[derive(Debug, Clone)]
pub struct FactorRules {
    /// `MFA_TOTP_ENROLL_ENABLED`: authenticator apps may be added. Default true.
    pub totp_enroll: bool,
    /// `MFA_TOTP_VERIFY_ENABLED`: authenticator apps may be used. Default true.
    pub totp_verify: bool,
    /// `MFA_PHONE_ENROLL_ENABLED`: phones may be added. Default false.
    pub phone_enroll: bool,
    /// `MFA_PHONE_VERIFY_ENABLED`: phones may be used. Default false.
    pub phone_verify: bool,
    /// `MFA_MAX_ENROLLED_FACTORS` of one account. Default 10.
    pub max_enrolled: usize,
    /// `MFA_CHALLENGE_EXPIRY_DURATION`: how long a code is waited for. Default 300 s.
    pub challenge_lifetime: Duration,
    /// `MFA_FACTOR_EXPIRY_DURATION`: how long a factor waits for its first code. Default 300 s.
    pub factor_lifetime: Duration,
    /// `MFA_SAME_ADDRESS_REQUIRED`: a code must come from where it was asked for. Default true;
    /// phones that change their network mid-way need false.
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
