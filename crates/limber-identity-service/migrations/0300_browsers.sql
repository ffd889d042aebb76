-- A sign-in by another service comes back to the browser in which it began.

-- SHA-256 of what the cookie of that browser holds. Null where the client's PKCE challenge says
-- who began, and where nobody has set off yet
ALTER TABLE provider_flows ADD COLUMN browser_hash bytea;

-- the provider's address, kept where a person is asked first whether they want to go there
ALTER TABLE provider_flows ADD COLUMN departs_to text;
