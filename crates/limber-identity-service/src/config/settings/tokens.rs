//! Settings of access tokens.

settings! {
    "JWT_SECRET" Text "" "Signs tokens with HS256 unless `JWT_KEYS` is set. Tokens signed with it are always accepted, and codes are protected with a key derived from it. At least 32 bytes." .secret().required();
    "JWT_SHORT_SECRET_FOR_TESTS_ONLY" Flag "false" "Allows a shorter `JWT_SECRET`. Anyone who guesses it can sign tokens.";
    "JWT_KEYS" Json "" "Array of JSON Web Keys. Exactly one has `sign` in `key_ops`; the others only verify. Generate keys with `limber-identity keys generate`." .secret().otherwise("HS256 with `JWT_SECRET`");
    "JWT_KEY_ID" Text "" "`kid` of tokens signed with `JWT_SECRET`.";
    "JWT_EXP" Duration "3600" "Lifetime of an access token.";
    "JWT_AUD" Text "" "Audience of new accounts, usually `authenticated`.";
    "JWT_ISSUER" Text "" "The claim `iss`." .otherwise("`API_EXTERNAL_URL`");
    "JWT_DEFAULT_GROUP_NAME" Text "" "Role of new accounts, usually `authenticated`.";
    "JWT_ADMIN_ROLES" List "service_role,platform_admin" "Admin roles: tokens with one of these roles can manage accounts.";
    "JWT_ADMIN_GROUP_NAME" Text "admin" "Name of the administrators' group; tokens contain no groups." .ignored();
}
