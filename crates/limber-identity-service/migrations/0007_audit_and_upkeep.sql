-- Who did what, for operators; and indexes by which old rows are found when they are swept away.

CREATE TABLE audit_entries (
    id uuid PRIMARY KEY,
    -- {actor_id, actor_username, actor_name, actor_via_sso, action, log_type, traits}; names no
    -- row of another table, because entries outlive accounts
    payload jsonb NOT NULL,
    ip_address text NOT NULL,
    created_at timestamptz NOT NULL
);

CREATE INDEX audit_entries_created ON audit_entries (created_at, id);

CREATE INDEX refresh_tokens_revoked ON refresh_tokens (revoked_at) WHERE revoked_at IS NOT NULL;
CREATE INDEX refresh_tokens_session ON refresh_tokens (session_id);
CREATE INDEX sessions_refreshed ON sessions (refreshed_at);
CREATE INDEX flows_created ON flows (created_at);
CREATE INDEX one_time_tokens_created ON one_time_tokens (created_at);
CREATE INDEX accounts_anonymous ON accounts (created_at) WHERE is_anonymous;
