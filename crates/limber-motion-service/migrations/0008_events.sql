-- Whoever waits for a job is told of every change of its state. No account's name holds a slash.
create function tell_clients() returns trigger language plpgsql as $$
begin
    perform pg_notify('motion_state', new.account_id || '/' || new.rid);
    return null;
end $$;
create trigger tell_clients after update of state on jobs
    for each row when (old.state is distinct from new.state) execute function tell_clients();

-- What ended while nobody listened.
create index jobs_by_end on jobs (account_id, finished_ms) where finished_ms is not null;
