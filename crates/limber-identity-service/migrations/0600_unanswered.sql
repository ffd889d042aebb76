-- An exchange whose outcome the database never told is known to every instance, and after a restart.

-- false from the exchange of this token until its new one is on its way to whoever asked
ALTER TABLE refresh_tokens ADD COLUMN answered boolean NOT NULL DEFAULT true;
