-- Sign-ins that are away at another service, and what that service gave them.

CREATE TABLE provider_flows (
    -- SHA-256 of the state in the provider's hands; each works once
    state_hash bytea PRIMARY KEY,
    provider text NOT NULL,
    aud text NOT NULL,
    redirect_to text NOT NULL,
    -- the client's PKCE pair; null when the session goes into the fragment
    code_challenge text,
    code_challenge_method text,
    -- the proof for our own challenge at the provider
    verifier text,
    -- OAuth 1.0a
    request_token text,
    request_token_secret text,
    -- the provider's tokens go on to the client
    hands_on_tokens boolean NOT NULL,
    -- links to this account instead of signing in
    link_to uuid REFERENCES accounts ON DELETE CASCADE,
    -- keyed hash of the invitation that is being accepted
    invite_hash bytea,
    created_at timestamptz NOT NULL
);

CREATE INDEX provider_flows_created_at ON provider_flows (created_at);

-- readable only by whoever presents the code
ALTER TABLE flows ADD COLUMN sealed_tokens bytea;

-- finds the account whose provider vouched for an address
CREATE INDEX identities_email ON identities (lower(identity_data->>'email'));
