-- Several servers may share a store of objects. A piece of an upload may arrive at any of them; who
-- writes holds the session for a few seconds at a time, so that nobody waits long for a server that
-- was killed.
alter table upload_sessions
    add column writer text,
    add column writer_until_ms bigint,
    add check ((writer is null) = (writer_until_ms is null));

-- What servers keep for everybody: stock characters and their portraits, which differ from version to
-- version and from computer to computer. It stays while any server says that it needs it.
create table stock_contents (
    content_id text primary key check (content_id ~ '^[0-9a-f]{64}$'),
    seen_ms bigint not null
);

-- Workers, for whoever looks after them. Whether one lives is known by its advisory lock, as ever.
create table workers (
    number bigint primary key,
    name text not null,
    version text not null,
    state text not null default 'ready' check (state in ('ready', 'working', 'draining')),
    started_ms bigint not null default now_ms(),
    seen_ms bigint not null default now_ms()
);
