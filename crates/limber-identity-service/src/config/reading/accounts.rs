//! Reads the settings of sign-up, passwords and sessions.

use std::time::Duration;

use crate::config::Config;
use crate::config::environment::Environment;

pub(super) fn read(env: &mut Environment, config: &mut Config) {
    let signup = &mut config.signup;
    signup.disabled = env.flag("DISABLE_SIGNUP");
    signup.email = env.flag("EXTERNAL_EMAIL_ENABLED");
    signup.phone = env.flag("EXTERNAL_PHONE_ENABLED");
    signup.anonymous = env.flag("EXTERNAL_ANONYMOUS_USERS_ENABLED");
    signup.phone_autoconfirm = env.flag("SMS_AUTOCONFIRM");
    let rules = &mut config.passwords;
    rules.min_length = env.number::<usize>("PASSWORD_MIN_LENGTH").clamp(6, 72);
    rules.required_characters =
        split_character_sets(&env.text("PASSWORD_REQUIRED_CHARACTERS").unwrap_or_default());
    rules.parallel_hashes = env.number::<usize>("PASSWORD_PARALLEL_HASHES").max(1);
}

/// Splits a list of character sets at colons: `abc:0-9\:` holds the sets `abc` and `0-9:`.
fn split_character_sets(text: &str) -> Vec<String> {
    let mut sets = vec![String::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\\' if chars.peek() == Some(&':') => {
                chars.next();
                sets.last_mut().expect("the list always contains a set").push(':');
            }
            ':' => sets.push(String::new()),
            other => sets.last_mut().expect("the list always contains a set").push(other),
        }
    }
    sets.retain(|set| !set.is_empty());
    sets
}

pub(super) fn read_sessions(env: &mut Environment, config: &mut Config) {
    let rules = &mut config.sessions;
    rules.end_on_reuse = env.flag("SECURITY_REFRESH_TOKEN_ROTATION_ENABLED");
    if let Some(interval) = env.duration("SECURITY_REFRESH_TOKEN_REUSE_INTERVAL") {
        rules.reuse_interval = interval;
    }
    let set = |d: &Duration| !d.is_zero();
    rules.timebox = env.duration("SESSIONS_TIMEBOX").filter(set);
    rules.inactivity = env.duration("SESSIONS_INACTIVITY_TIMEOUT").filter(set);
    rules.single_per_account = env.flag("SESSIONS_SINGLE_PER_USER");
    rules.access_needs_session = env.flag("SECURITY_ACCESS_TOKEN_REQUIRE_SESSION");
    rules.password_change_needs_current =
        env.flag("SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD");
    rules.password_change_needs_nonce =
        env.flag("SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION");
    if let Some(age) = env.duration("SECURITY_REAUTHENTICATION_MAX_AGE") {
        rules.reauthentication_max_age = age;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn character_sets_are_split_at_unescaped_colons() {
        assert_eq!(split_character_sets("abc:0-9\\:::ABC"), ["abc", "0-9:", "ABC"]);
    }
}
