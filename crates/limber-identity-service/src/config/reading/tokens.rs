//! Reads the settings of access tokens.

use crate::config::Config;
use crate::config::environment::Environment;

pub(super) fn read(env: &mut Environment, config: &mut Config) {
    let jwt = &mut config.jwt;
    jwt.short_secret_for_tests = env.flag("JWT_SHORT_SECRET_FOR_TESTS_ONLY");
    // A missing secret has already been reported.
    if let Some(problem) = jwt.problem_of_secret().filter(|_| env.set("JWT_SECRET").is_some()) {
        env.problem(problem);
    }
    jwt.key_id = env.text("JWT_KEY_ID");
    jwt.keys = env.text("JWT_KEYS").map(Into::into);
    if let Some(keys) = &jwt.keys
        && let Err(problem) = crate::tokens::keys::check(keys)
    {
        env.problem(format!("AUTHSVC_JWT_KEYS {problem}"));
    }
    if let Some(lifetime) = env.duration("JWT_EXP") {
        if lifetime.as_secs() == 0 {
            env.problem("AUTHSVC_JWT_EXP must be at least one second");
        }
        jwt.lifetime = lifetime;
    }
    jwt.audience = env.text("JWT_AUD").unwrap_or_default();
    if let Some(issuer) = env.text("JWT_ISSUER") {
        jwt.issuer = issuer;
    }
    jwt.default_role = env.text("JWT_DEFAULT_GROUP_NAME").unwrap_or_default();
    jwt.admin_roles = env.list("JWT_ADMIN_ROLES");
}
