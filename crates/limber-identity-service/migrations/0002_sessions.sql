-- A session is one sign-in; its refresh tokens form one chain, of which one link is active.

CREATE TABLE sessions (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    aal text NOT NULL,
    -- [{"method", "timestamp"}], newest first
    amr jsonb NOT NULL,
    user_agent text,
    ip text,
    created_at timestamptz NOT NULL,
    refreshed_at timestamptz NOT NULL
);

CREATE INDEX sessions_account ON sessions (account_id, created_at);

CREATE TABLE refresh_tokens (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    session_id uuid NOT NULL REFERENCES sessions ON DELETE CASCADE,
    -- SHA-256 of the token; the token itself is nowhere
    token_hash bytea NOT NULL UNIQUE,
    parent_id bigint,
    -- the child, readable only by whoever presents this token again
    sealed_child bytea,
    created_at timestamptz NOT NULL,
    revoked_at timestamptz
);

-- at most one active link per chain: a family cannot fork
CREATE UNIQUE INDEX refresh_tokens_active ON refresh_tokens (session_id) WHERE revoked_at IS NULL;
