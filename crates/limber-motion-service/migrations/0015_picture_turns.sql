-- Moving pictures are drawn for accounts in turn, as jobs are taken: rises whenever one of an account's is
-- begun; the smallest goes next.
alter table accounts add column picture_turn bigint not null default 0;
