//! Settings of session lifetimes.

settings! {
    "SECURITY_REFRESH_TOKEN_ROTATION_ENABLED" Flag "true" "Reusing a refresh token after the reuse interval ends its session.";
    "SECURITY_REFRESH_TOKEN_REUSE_INTERVAL" Duration "10s" "How long the refresh token that was just exchanged can be used again, in case the response was lost.";
    "SESSIONS_TIMEBOX" Duration "" "Maximum lifetime of a session, checked when it is refreshed." .otherwise("no limit");
    "SESSIONS_INACTIVITY_TIMEOUT" Duration "" "Maximum time without a refresh." .otherwise("no limit");
    "SESSIONS_SINGLE_PER_USER" Flag "false" "A new sign-in ends the user's older sessions at their next refresh.";
    "SECURITY_ACCESS_TOKEN_REQUIRE_SESSION" Flag "false" "An access token becomes invalid when its session ends, not only when it expires.";
}
