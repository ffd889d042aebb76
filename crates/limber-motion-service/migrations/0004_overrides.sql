-- What a person decided about which joint is which bone: names of bones to names of joints.
alter table models add column overrides jsonb not null default '{}';
