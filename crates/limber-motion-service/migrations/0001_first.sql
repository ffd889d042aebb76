-- One clock for any number of machines: the database's. Milliseconds since the epoch.
create function now_ms() returns bigint language sql volatile
    as $$ select (extract(epoch from clock_timestamp()) * 1000)::bigint $$;

create table accounts (
    id text primary key,
    name text not null,
    -- argon2id, as a PHC string
    secret_hash text not null,
    created_ms bigint not null default now_ms(),
    revoked_ms bigint,
    -- rises whenever one of its jobs is taken; the smallest goes next
    last_turn bigint not null default 0
);
create sequence turns;

-- The newest signs; all of them verify.
create table signing_keys (
    id bigint generated always as identity primary key,
    secret bytea not null check (length(secret) = 32),
    created_ms bigint not null default now_ms()
);

create table sessions (
    id text primary key,
    account_id text not null references accounts on delete cascade,
    created_ms bigint not null,
    expires_ms bigint not null
);
create index sessions_by_account on sessions (account_id, created_ms);

create table jobs (
    rid text primary key,
    account_id text not null references accounts on delete cascade,
    processor text not null,
    -- what the worker needs, versioned by its member `schema`
    spec jsonb not null,
    -- what the client sent, as it is shown
    parameters jsonb not null,
    -- first in, first out within an account
    place bigint generated always as identity,

    state text not null default 'queued'
        check (state in ('queued', 'running', 'retry_wait', 'success', 'failure', 'cancelled')),
    attempts integer not null default 0 check (attempts >= 0),
    step integer not null default 0 check (step between 0 and 100),
    -- presence number of the worker; see the advisory locks of the queue
    worker bigint,
    worker_name text,
    -- changes with every attempt, so that a worker that was given up cannot write any more
    lease text,
    heartbeat_ms bigint,
    retry_at_ms bigint,
    -- {codes, kind, text} of the last failure
    cause jsonb,
    stages jsonb not null default '[]',
    charged_tenths bigint not null default 0,
    version text not null default '',

    ctime bigint not null default now_ms(),
    mtime bigint not null default now_ms(),
    started_ms bigint,
    finished_ms bigint,
    purged_ms bigint,

    check ((state = 'running') = (lease is not null)),
    check ((state = 'running') = (heartbeat_ms is not null)),
    check ((state = 'retry_wait') = (retry_at_ms is not null)),
    check (state not in ('retry_wait', 'failure') or cause is not null),
    check ((state in ('success', 'failure', 'cancelled')) = (finished_ms is not null))
);
create index jobs_waiting on jobs (account_id, place) where state = 'queued';
create index jobs_running on jobs (heartbeat_ms) where state = 'running';
create index jobs_retrying on jobs (retry_at_ms) where state = 'retry_wait';
create index jobs_of_account on jobs (account_id, ctime desc, rid desc);
create index jobs_finished on jobs (finished_ms) where finished_ms is not null;

create table variants (
    rid text not null references jobs on delete cascade,
    number integer not null check (number >= 1),
    seed text not null,
    frames integer not null default 0,
    fps integer not null default 0,
    metrics jsonb,
    -- {codes, kind, text}; such a variant has no files
    cause jsonb,
    primary key (rid, number)
);

-- Bytes lie in the object store under their SHA-256.
create table artifacts (
    rid text not null,
    number integer not null,
    -- `clip` is the canonical one; every other is derived from it
    kind text not null,
    content_id text not null check (content_id ~ '^[0-9a-f]{64}$'),
    bytes bigint not null,
    file_name text not null,
    primary key (rid, number, kind),
    foreign key (rid, number) references variants on delete cascade
);
create index artifacts_by_content on artifacts (content_id);

create table idempotency_keys (
    account_id text not null references accounts on delete cascade,
    key text not null,
    body_sha256 bytea not null,
    rid text not null references jobs on delete cascade,
    created_ms bigint not null default now_ms(),
    primary key (account_id, key)
);

-- Whoever waits is woken: workers by a job that can be taken, the worker of a job by its end.
create function tell_workers() returns trigger language plpgsql as $$
begin
    if new.state = 'queued' then
        perform pg_notify('motion_queue', '');
    elsif new.state = 'cancelled' then
        perform pg_notify('motion_cancel', new.rid);
    end if;
    return null;
end $$;
create trigger tell_workers after insert or update of state on jobs
    for each row execute function tell_workers();
