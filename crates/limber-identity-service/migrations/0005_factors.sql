-- Second factors, the codes they are asked for, and how often codes were guessed at.

CREATE TABLE factors (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    -- the person's own name for it; empty when there is none
    friendly_name text NOT NULL,
    -- totp or phone
    kind text NOT NULL,
    verified boolean NOT NULL,
    -- of an authenticator app: its secret, readable only with the instance's own secret
    sealed_secret bytea,
    -- of a phone: digits without the leading +
    phone text,
    -- of an authenticator app: the newest 30 s step whose code was taken; none before it counts
    last_step bigint,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    last_challenged_at timestamptz,
    UNIQUE (account_id, friendly_name)
);

CREATE INDEX factors_abandoned ON factors (account_id, created_at) WHERE NOT verified;

CREATE TABLE factor_challenges (
    id uuid PRIMARY KEY,
    factor_id uuid NOT NULL REFERENCES factors ON DELETE CASCADE,
    -- of a phone: keyed hash of the code that was sent
    code_hash bytea,
    -- who asked
    ip text,
    created_at timestamptz NOT NULL,
    verified_at timestamptz
);

CREATE INDEX factor_challenges_factor ON factor_challenges (factor_id, created_at);

-- the factor that lifted the session to aal2
ALTER TABLE sessions ADD COLUMN factor_id uuid REFERENCES factors ON DELETE SET NULL;
CREATE INDEX sessions_factor ON sessions (factor_id) WHERE factor_id IS NOT NULL;

-- Wrong guesses at short codes.
CREATE TABLE guesses (
    -- keyed hash of what is guessed at: an account's second factors, or the number a code went to
    subject bytea PRIMARY KEY,
    count integer NOT NULL,
    -- then the count begins anew
    until timestamptz NOT NULL
);

CREATE INDEX guesses_until ON guesses (until);
