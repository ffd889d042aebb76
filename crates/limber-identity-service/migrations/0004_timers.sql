-- When mail to an address was last asked for, whether anybody here has that address or not.

CREATE TABLE send_timers (
    -- keyed hash: a copy of the database names no stranger
    address_hash bytea NOT NULL,
    purpose text NOT NULL,
    started_at timestamptz NOT NULL,
    PRIMARY KEY (address_hash, purpose)
);

CREATE INDEX send_timers_started ON send_timers (started_at);

-- Written where an address is unknown, so that answering takes as long as for a known one. Nobody
-- can redeem what stands here; the mail task empties it.
CREATE TABLE decoy_tokens (
    id uuid PRIMARY KEY,
    kind text NOT NULL,
    token_hash bytea NOT NULL,
    created_at timestamptz NOT NULL
);
