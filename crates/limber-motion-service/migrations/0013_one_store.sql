-- Which store of files the servers see. A worker that sees another one would put results where nobody
-- looks for them: it takes no jobs, and says so.
create table file_store (
    only_one boolean primary key default true check (only_one),
    id text not null,
    noted_ms bigint not null default now_ms()
);
alter table workers
    -- which store it sees; workers of earlier versions do not tell
    add column store text,
    drop constraint workers_state_check,
    add constraint workers_state_check
        check (state in ('ready', 'working', 'draining', 'astray'));

-- Keys of requests are forgotten by their age.
create index idempotency_keys_by_age on idempotency_keys (created_ms);
