-- Moving pictures are drawn when a job has succeeded already, by whichever worker has time for one. What
-- is still to be drawn stands here. A worker that draws one says so; when it is gone, so is its word.
create table pictures_due (
    rid text not null,
    number integer not null,
    due_ms bigint not null default now_ms(),
    tries integer not null default 0 check (tries >= 0),
    worker bigint references workers on delete set null,
    primary key (rid, number),
    foreign key (rid, number) references variants on delete cascade
);
create index pictures_due_in_turn on pictures_due (due_ms) where worker is null;
create index pictures_due_of_worker on pictures_due (worker) where worker is not null;

alter table jobs
    -- what the time of earlier attempts went to
    add column earlier_stages jsonb not null default '[]';
