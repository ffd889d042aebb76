-- What the joints of a character are called, as a hash: what a person decided about a rig holds for the
-- next file with the same one.
alter table models add column joints text check (joints ~ '^[0-9a-f]{64}$');
create index models_with_overrides on models (account_id, joints, mtime desc)
    where joints is not null and overrides <> '{}';
