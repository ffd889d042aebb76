-- What a job starts from, as `rid/variant`: none, one, or two.
alter table jobs add column sources text[] not null default '{}';
