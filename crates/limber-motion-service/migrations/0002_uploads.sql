-- What a pair of signed addresses was given out for. The key stands in the address.
create table uploads (
    key text primary key,
    account_id text not null references accounts on delete cascade,
    kind text not null check (kind in ('model', 'thumb')),
    name text not null,
    extension text not null,
    created_ms bigint not null
);
create index uploads_by_age on uploads (created_ms);

-- One attempt at sending one file. How much of it has arrived is the length of the file named like
-- the session, and is written nowhere else.
create table upload_sessions (
    -- SHA-256, in hex, of the secret in the session's address
    id text primary key check (id ~ '^[0-9a-f]{64}$'),
    key text not null references uploads on delete cascade,
    -- the web page that began it
    origin text,
    limit_bytes bigint not null check (limit_bytes > 0),
    -- the whole length, once somebody has said it
    total bigint check (total >= 0),
    state text not null default 'open'
        check (state in ('open', 'complete', 'cancelled', 'terminated')),
    crc32c bigint check (crc32c between 0 and 4294967295),
    md5 bytea check (length(md5) = 16),
    created_ms bigint not null,
    ended_ms bigint,

    check ((state = 'open') = (ended_ms is null)),
    check ((state = 'complete') = (crc32c is not null)),
    check ((state = 'complete') = (md5 is not null)),
    check (state <> 'complete' or total is not null)
);
create index upload_sessions_by_key on upload_sessions (key, ended_ms desc);
create index upload_sessions_by_age on upload_sessions (created_ms);
