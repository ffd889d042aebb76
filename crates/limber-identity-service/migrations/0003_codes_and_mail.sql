-- Codes and links that were sent, sign-ins that began elsewhere, and mail that has yet to leave.

CREATE TABLE flows (
    id uuid PRIMARY KEY,
    -- null until somebody proved who they are
    account_id uuid REFERENCES accounts ON DELETE CASCADE,
    -- amr method of the session that comes out of it
    method text NOT NULL,
    code_challenge text NOT NULL,
    code_challenge_method text NOT NULL,
    -- SHA-256 of the code that was handed out; null until then
    auth_code_hash bytea UNIQUE,
    created_at timestamptz NOT NULL,
    issued_at timestamptz
);

CREATE TABLE one_time_tokens (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts ON DELETE CASCADE,
    -- confirmation, recovery, email_change_new, email_change_current
    kind text NOT NULL,
    -- keyed hash of what the link carries
    token_hash bytea NOT NULL UNIQUE,
    sent_to text NOT NULL,
    -- set when the request that sent it carried a PKCE challenge
    flow_id uuid REFERENCES flows ON DELETE SET NULL,
    wrong_attempts integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL,
    UNIQUE (account_id, kind)
);

CREATE INDEX one_time_tokens_sent_to ON one_time_tokens (sent_to);

-- Written in the transaction that decided to send; spoken to the mail server afterwards.
CREATE TABLE mail_outbox (
    id uuid PRIMARY KEY,
    kind text NOT NULL,
    recipient text NOT NULL,
    -- template variables; emptied when the mail left or was given up
    variables jsonb NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    next_attempt_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    given_up_at timestamptz
);

CREATE INDEX mail_outbox_due ON mail_outbox (next_attempt_at) WHERE given_up_at IS NULL;
