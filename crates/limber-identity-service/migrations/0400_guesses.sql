-- Counts of guesses at what somebody has stay until they are over. Of those at addresses that
-- nobody has the newest are kept: however many of these strangers cause, they push out no other.

-- only an account that is there makes such a row
ALTER TABLE guesses ADD COLUMN of_account boolean NOT NULL DEFAULT false;

CREATE INDEX guesses_strangers ON guesses (until) WHERE NOT of_account;
