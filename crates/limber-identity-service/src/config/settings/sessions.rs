//! How long sign-ins live.

settings! {
    "SECURITY_REFRESH_TOKEN_ROTATION_ENABLED" Flag "true" "A refresh token that is presented again too late ends its session.";
    "SECURITY_REFRESH_TOKEN_REUSE_INTERVAL" Duration "10s" "How long the token just exchanged may be presented again, because answers get lost.";
    "SESSIONS_TIMEBOX" Duration "" "Longest life of a session, checked when it is refreshed." .otherwise("no limit");
    "SESSIONS_INACTIVITY_TIMEOUT" Duration "" "Longest time without a refresh." .otherwise("no limit");
    "SESSIONS_SINGLE_PER_USER" Flag "false" "A new sign-in ends the older ones at their next refresh.";
    "SECURITY_ACCESS_TOKEN_REQUIRE_SESSION" Flag "false" "Access tokens end with their session instead of with their time.";
}
