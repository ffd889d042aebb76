-- The trace of the request that submitted the job, as W3C writes it, so that what a worker does
-- stands in the same trace.
alter table jobs add column trace text;
