//! Access tokens.

settings! {
    "JWT_SECRET" Text "" "Signs tokens with HS256 unless `JWT_KEYS` is set; tokens signed with it are always accepted, and codes are sealed with it. At least 32 bytes." .secret().required();
    "JWT_SHORT_SECRET_FOR_TESTS_ONLY" Flag "false" "A shorter `JWT_SECRET` is taken, which whoever guesses it signs tokens with.";
    "JWT_KEYS" Json "" "Array of JSON Web Keys, of which exactly one has `sign` in `key_ops`; the others only verify. Made by `limber-identity keys generate`." .secret().otherwise("HS256 with `JWT_SECRET`");
    "JWT_KEY_ID" Text "" "`kid` of tokens signed with `JWT_SECRET`.";
    "JWT_EXP" Duration "3600" "Life of an access token.";
    "JWT_AUD" Text "" "Audience of new accounts. `authenticated` is usual.";
    "JWT_ISSUER" Text "" "The claim `iss`." .otherwise("`API_EXTERNAL_URL`");
    "JWT_DEFAULT_GROUP_NAME" Text "" "Role of new accounts. `authenticated` is usual.";
    "JWT_ADMIN_ROLES" List "service_role,platform_admin" "Roles whose tokens administer accounts.";
    "JWT_ADMIN_GROUP_NAME" Text "admin" "Name of the group of administrators; tokens carry no groups." .ignored();
}
