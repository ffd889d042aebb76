//! Sign-in by other providers.

/// As in the specification.
const PROVIDERS: [&str; 18] = [
    "apple",
    "azure",
    "bitbucket",
    "discord",
    "facebook",
    "figma",
    "github",
    "gitlab",
    "google",
    "keycloak",
    "linkedin",
    "notion",
    "snapchat",
    "spotify",
    "slack",
    "twitch",
    "twitter",
    "workos",
];

settings! {
    "EXTERNAL_<PROVIDER>_ENABLED" Flag "false" "People may sign in by this provider." .each(&PROVIDERS);
    "EXTERNAL_<PROVIDER>_CLIENT_ID" List "" "Client id at the provider. The first of several is used, all are accepted in id tokens." .each(&PROVIDERS).otherwise("required when enabled");
    "EXTERNAL_<PROVIDER>_SECRET" Text "" "Client secret at the provider." .each(&PROVIDERS).otherwise("required when enabled").secret();
    "EXTERNAL_APPLE_TEAM_ID" Text "" "Team of the key that Apple gave, where the client secret is to be signed with it." .otherwise("required with `EXTERNAL_APPLE_PRIVATE_KEY`");
    "EXTERNAL_APPLE_KEY_ID" Text "" "Id of that key." .otherwise("required with `EXTERNAL_APPLE_PRIVATE_KEY`");
    "EXTERNAL_APPLE_PRIVATE_KEY" Text "" "Text of Apple's `.p8` file; `\\n` may stand for line ends. Then no `EXTERNAL_APPLE_SECRET` is needed: a fresh one is signed for every sign-in." .otherwise("`EXTERNAL_APPLE_SECRET` is used") .secret();
    "EXTERNAL_<PROVIDER>_REDIRECT_URI" Address "" "Where the provider sends people back to: `API_EXTERNAL_URL` and `/callback`." .each(&PROVIDERS).otherwise("required when enabled");
    "EXTERNAL_<PROVIDER>_URL" Address "" "Another base address of the provider. Keycloak needs the address of its realm." .each(&PROVIDERS).otherwise("the public one");
    "EXTERNAL_AZURE_TENANTS" List "" "Ids of the only tenants whose people may sign in; their addresses count as proven." .otherwise("those `EXTERNAL_AZURE_URL` leads to");
    "EXTERNAL_<PROVIDER>_EMAIL_OPTIONAL" Flag "false" "People without an address at the provider may sign in." .each(&PROVIDERS);
    "EXTERNAL_<PROVIDER>_SKIP_NONCE_CHECK" Flag "false" "Id tokens need no nonce." .each(&PROVIDERS);
    "EXTERNAL_FLOW_STATE_EXPIRY_DURATION" Duration "300s" "Longest time between leaving for a provider and coming back; less than 300 s means 300 s." ;
}

#[cfg(test)]
mod tests {
    use limber_api::identity::ProviderName;

    #[test]
    fn the_words_are_the_providers() {
        let names: Vec<&str> = ProviderName::ALL.iter().map(|name| name.as_str()).collect();
        assert_eq!(names, super::PROVIDERS);
    }
}
