//! Sign-in by other providers.

use super::super::reading::PROVIDERS;

settings! {
    "EXTERNAL_<PROVIDER>_ENABLED" Flag "false" "People may sign in by this provider." .each(&PROVIDERS).not_yet();
    "EXTERNAL_<PROVIDER>_CLIENT_ID" List "" "Client id at the provider. The first of several is used, all are accepted in id tokens." .each(&PROVIDERS).otherwise("required when enabled").not_yet();
    "EXTERNAL_<PROVIDER>_SECRET" Text "" "Client secret at the provider." .each(&PROVIDERS).otherwise("required when enabled").secret().not_yet();
    "EXTERNAL_<PROVIDER>_REDIRECT_URI" Address "" "Where the provider sends people back to: `API_EXTERNAL_URL` and `/callback`." .each(&PROVIDERS).otherwise("required when enabled").not_yet();
    "EXTERNAL_<PROVIDER>_URL" Address "" "Another base address of the provider. Keycloak needs the address of its realm." .each(&PROVIDERS).otherwise("the public one").not_yet();
    "EXTERNAL_<PROVIDER>_EMAIL_OPTIONAL" Flag "false" "People without an address at the provider may sign in." .each(&PROVIDERS).not_yet();
    "EXTERNAL_<PROVIDER>_SKIP_NONCE_CHECK" Flag "false" "Id tokens need no nonce." .each(&PROVIDERS).not_yet();
    "EXTERNAL_FLOW_STATE_EXPIRY_DURATION" Duration "300s" "Longest time between leaving for a provider and coming back; less than 300 s means 300 s." .not_yet();
}
