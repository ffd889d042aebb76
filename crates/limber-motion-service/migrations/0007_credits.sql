-- Credits, in tenths. What happened to them stands in `ledger` and `postings` and never changes;
-- `wallets` is what it adds up to.

-- What an account can spend, and the plan that fills it up.
create table wallets (
    account_id text primary key references accounts,
    plan_name text not null default 'None',
    -- granted each period
    allotment bigint not null default 0 check (allotment >= 0),
    -- null: as many as the service allows
    max_variants integer check (max_variants between 1 and 8),
    period_start_ms bigint not null,
    period_end_ms bigint not null check (period_end_ms > period_start_ms),
    -- what is left of the plan's credits, and of those that were granted for good
    plan bigint not null default 0 check (plan >= 0),
    bought bigint not null default 0 check (bought >= 0),
    -- what unfinished jobs hold of either
    held_plan bigint not null default 0 check (held_plan >= 0),
    held_bought bigint not null default 0 check (held_bought >= 0)
);

create table ledger (
    id bigint generated always as identity primary key,
    account_id text not null references accounts,
    kind text not null check (kind in ('grant', 'reserve', 'release', 'charge', 'expire')),
    -- the job and variant it is about; entries outlive jobs
    rid text,
    variant integer,
    at_ms bigint not null default now_ms()
);
create index ledger_of_account on ledger (account_id, id);
create index ledger_of_job on ledger (rid) where rid is not null;

create table postings (
    entry_id bigint not null references ledger,
    -- `outside` is where grants come from and what expires goes to
    book text not null
        check (book in ('outside', 'plan', 'bought', 'held_plan', 'held_bought', 'spent')),
    tenths bigint not null check (tenths <> 0),
    primary key (entry_id, book)
);

-- Entries are only ever added …
create function keep_entries() returns trigger language plpgsql as $$
begin
    raise exception 'entries of the ledger never change';
end $$;
create trigger keep_ledger before update or delete on ledger
    for each statement execute function keep_entries();
create trigger keep_postings before update or delete on postings
    for each statement execute function keep_entries();

-- … and what leaves one book enters another.
create function balance_entries() returns trigger language plpgsql as $$
begin
    if (select coalesce(sum(tenths), 0) from postings where entry_id = new.entry_id) <> 0 then
        raise exception 'entry % does not add up to nothing', new.entry_id;
    end if;
    return null;
end $$;
create constraint trigger balance_entries after insert on postings
    deferrable initially deferred for each row execute function balance_entries();

-- What an unfinished job holds, and at which price it is settled.
create table reservations (
    rid text primary key references jobs on delete cascade,
    account_id text not null references accounts,
    plan bigint not null check (plan >= 0),
    bought bigint not null check (bought >= 0),
    -- what is given back to a plan whose period is over expires
    period_start_ms bigint not null,
    -- tenths for each variant; null: each begun second of the clip costs `per_second`
    per_variant bigint check (per_variant >= 0),
    per_second bigint not null check (per_second >= 0),
    settled_ms bigint
);

-- Variants that were paid for; taking them again is free.
create table unlocks (
    rid text not null references jobs on delete cascade,
    variant integer not null check (variant >= 1),
    tenths bigint not null check (tenths >= 0),
    at_ms bigint not null default now_ms(),
    primary key (rid, variant)
);
