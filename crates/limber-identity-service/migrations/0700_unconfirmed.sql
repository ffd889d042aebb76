-- Accounts whose address nobody ever proved and nobody ever used: found by when somebody last asked
-- for a confirmation.

CREATE INDEX accounts_unconfirmed ON accounts (updated_at)
    WHERE unproven AND NOT is_anonymous AND email_confirmed_at IS NULL
        AND phone_confirmed_at IS NULL AND invited_at IS NULL AND last_sign_in_at IS NULL
        AND deleted_at IS NULL;
