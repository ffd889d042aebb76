-- Accounts and the ways to sign in to them. The service's own tables; nobody else reads them.

CREATE TABLE accounts (
    id uuid PRIMARY KEY,
    -- one person may have one account per audience
    aud text NOT NULL,
    role text NOT NULL,
    -- lower case; null when the account has none
    email text,
    -- digits without the leading +
    phone text,
    -- argon2 PHC string, or a bcrypt hash brought over from elsewhere; null means no password
    password_hash text,
    email_confirmed_at timestamptz,
    phone_confirmed_at timestamptz,
    invited_at timestamptz,
    confirmation_sent_at timestamptz,
    recovery_sent_at timestamptz,
    email_change_sent_at timestamptz,
    phone_change_sent_at timestamptz,
    reauthentication_sent_at timestamptz,
    -- wait for their confirmation
    new_email text,
    new_phone text,
    last_sign_in_at timestamptz,
    banned_until timestamptz,
    deleted_at timestamptz,
    app_metadata jsonb NOT NULL,
    user_metadata jsonb NOT NULL,
    is_anonymous boolean NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
);

CREATE UNIQUE INDEX accounts_email_aud ON accounts (email, aud) WHERE email IS NOT NULL;
CREATE UNIQUE INDEX accounts_phone_aud ON accounts (phone, aud) WHERE phone IS NOT NULL;
CREATE INDEX accounts_created_at ON accounts (aud, created_at);

CREATE TABLE identities (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    provider text NOT NULL,
    -- the provider's subject; for email and phone the account's id
    provider_id text NOT NULL,
    identity_data jsonb NOT NULL,
    last_sign_in_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    UNIQUE (provider, provider_id)
);

CREATE INDEX identities_account ON identities (account_id, created_at);
