-- Of each account no more than so many entries are kept: found by whose they are, newest first.

CREATE INDEX audit_entries_actor ON audit_entries ((payload->>'actor_id'), created_at);
