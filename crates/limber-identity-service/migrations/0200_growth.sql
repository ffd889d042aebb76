-- What people leave who name an address that nobody has is swept away sooner than the rest.

CREATE INDEX audit_entries_strangers ON audit_entries (created_at)
    WHERE payload->'traits'->>'known' = 'false';
