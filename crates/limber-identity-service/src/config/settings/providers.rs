//! Settings of sign-in through external providers.

/// The providers that the specification names.
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
    "EXTERNAL_<PROVIDER>_ENABLED" Flag "false" "Users can sign in with this provider." .each(&PROVIDERS);
    "EXTERNAL_<PROVIDER>_CLIENT_ID" List "" "Client id at the provider. If there are several, the first one is used for sign-in, and all of them are accepted in ID tokens." .each(&PROVIDERS).otherwise("required if enabled");
    "EXTERNAL_<PROVIDER>_SECRET" Text "" "Client secret at the provider." .each(&PROVIDERS).otherwise("required if enabled").secret();
    "EXTERNAL_APPLE_TEAM_ID" Text "" "Id of the Apple developer team that the private key belongs to." .otherwise("required with `EXTERNAL_APPLE_PRIVATE_KEY`");
    "EXTERNAL_APPLE_KEY_ID" Text "" "Id of the private key." .otherwise("required with `EXTERNAL_APPLE_PRIVATE_KEY`");
    "EXTERNAL_APPLE_PRIVATE_KEY" Text "" "Contents of Apple's `.p8` file; line breaks can be written as `\\n`. With this key, `EXTERNAL_APPLE_SECRET` is not needed: a new client secret is signed for each sign-in." .otherwise("`EXTERNAL_APPLE_SECRET` is used") .secret();
    "EXTERNAL_<PROVIDER>_REDIRECT_URI" Address "" "URL that the provider redirects back to: `API_EXTERNAL_URL` followed by `/callback`." .each(&PROVIDERS).otherwise("required if enabled");
    "EXTERNAL_<PROVIDER>_URL" Address "" "Base URL of the provider. Keycloak needs the URL of its realm." .each(&PROVIDERS).otherwise("the public URL");
    "EXTERNAL_AZURE_TENANTS" List "" "Ids of the tenants whose users can sign in; users of other tenants cannot. The users' email addresses count as verified." .otherwise("the tenants that `EXTERNAL_AZURE_URL` leads to");
    "EXTERNAL_WORKOS_CONNECTIONS" List "" "Ids of the WorkOS connections (`conn_…`) and organizations (`org_…`) whose users can sign in; users of others cannot. The users' email addresses count as verified." .otherwise("users of every connection can sign in, and have to confirm their email addresses");
    "EXTERNAL_<PROVIDER>_EMAIL_OPTIONAL" Flag "false" "Users without an email address at the provider can sign in." .each(&PROVIDERS);
    "EXTERNAL_<PROVIDER>_SKIP_NONCE_CHECK" Flag "false" "ID tokens need no nonce." .each(&PROVIDERS);
    "EXTERNAL_FLOW_STATE_EXPIRY_DURATION" Duration "300s" "Maximum time between leaving for a provider and coming back; less than 300 s means 300 s." ;
}

#[cfg(test)]
mod tests {
    use limber_api::identity::ProviderName;

    #[test]
    fn provider_words_match_the_known_providers() {
        let names: Vec<&str> = ProviderName::ALL.iter().map(|name| name.as_str()).collect();
        assert_eq!(names, super::PROVIDERS);
    }
}
