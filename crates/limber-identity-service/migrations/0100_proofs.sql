-- On whose proof an account rests, what a confirmation confirms, who links, and of which kinds the
-- hashes of passwords are.

-- what the account holds was left there by somebody who had not proven its address
ALTER TABLE accounts ADD COLUMN unproven boolean NOT NULL DEFAULT false;

-- accounts of administrators never asked for a confirmation; those of invitations have no password
UPDATE accounts SET unproven = true
    WHERE email_confirmed_at IS NULL AND phone_confirmed_at IS NULL AND NOT is_anonymous
        AND (confirmation_sent_at IS NOT NULL OR last_sign_in_at IS NOT NULL)
        AND (invited_at IS NULL OR password_hash IS NOT NULL);

-- "first": the sign-up that made the account; {"later": {password_hash, user_metadata}}: one after
-- it, with what it brought; null: nobody's sign-up, but a way in
ALTER TABLE one_time_tokens ADD COLUMN sign_up jsonb;

-- of link_to: the session that sent the browser away
ALTER TABLE provider_flows ADD COLUMN link_session uuid;

-- what was begun in the name of an account ends when its password changes
CREATE INDEX flows_account ON flows (account_id) WHERE account_id IS NOT NULL;
CREATE INDEX provider_flows_link_to ON provider_flows (link_to) WHERE link_to IS NOT NULL;

-- All of a hash that says how long it takes. A sign-in does the work of every kind there is, so
-- that its time does not tell whose hash was looked at, or whether there was one.
CREATE FUNCTION hash_kind(hash text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $kind$
    SELECT CASE
        WHEN hash LIKE '$2_$%' THEN '$2b$' || substr(hash, 5, 3)
        WHEN hash LIKE '$fbscrypt$%' THEN
            '$fbscrypt$n=' || substring(hash FROM '[$,]n=(\d{1,9})')
            || ',r=' || substring(hash FROM '[$,]r=(\d{1,9})')
            || ',p=' || substring(hash FROM '[$,]p=(\d{1,9})') || '$'
        ELSE left(substring(hash FROM '^\$argon2\w*\$(?:v=\d+\$)?(?:[a-z]+=[^$]*\$)?'), 200)
    END
$kind$;

CREATE INDEX accounts_hash_kinds ON accounts (hash_kind(password_hash));
