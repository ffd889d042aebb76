-- Characters of accounts. The file that was sent is converted once; only the result is kept.
create table models (
    -- 22 digits in base 62
    id text primary key check (id ~ '^[0-9A-Za-z]{22}$'),
    account_id text not null references accounts on delete cascade,
    name text not null,
    -- the naming convention of its skeleton
    rig_id text not null,
    -- 0 none, 1 partial, 2 complete
    face smallint not null check (face between 0 and 2),
    hand smallint not null check (hand between 0 and 2),
    -- which joint is which bone, in what the reader says
    report jsonb not null,
    glb text not null check (glb ~ '^[0-9a-f]{64}$'),
    thumb text check (thumb ~ '^[0-9a-f]{64}$'),
    ctime bigint not null,
    mtime bigint not null
);
create index models_of_account on models (account_id, ctime desc, id desc);
create index models_by_glb on models (glb);
create index models_by_thumb on models (thumb) where thumb is not null;

-- A file that was stored is not stored a second time when the answer was lost.
alter table uploads add column model_id text references models on delete set null;

-- Contents that a model has let go of. They are removed a while later, once nothing refers to them:
-- links to them live for a while, and so do jobs.
create table released_contents (
    content_id text primary key check (content_id ~ '^[0-9a-f]{64}$'),
    released_ms bigint not null
);

-- Jobs keep the character they were submitted with.
create index jobs_by_character on jobs ((spec ->> 'character')) where spec ? 'character';
