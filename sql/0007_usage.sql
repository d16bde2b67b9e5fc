-- The upkeep finds hours that are 90 days old by it, among all accounts.
create index usage_hours_by_age on usage_hours (hour);
-- And days that are no longer kept.
create index usage_days_by_age on usage_days (day);

-- What accounts have used of the units that they may use in the latest month in which they used any, as of some minutes ago.
-- The operator's list of accounts is ordered by it: balances change too often to be indexed.
create table account_standings (
  account_id uuid primary key references accounts (id) on delete cascade,
  period date not null,
  used bigint not null,
  -- Of what was used and is left, credits included; 1: nothing is left.
  share double precision not null check (share between 0 and 1)
);

create index account_standings_by_used on account_standings (period, used, account_id);
create index account_standings_by_share on account_standings (period, share, account_id);

-- Until when usage is part of it. A gateway locks the row while it goes on.
create table account_standings_until (
  is_only boolean primary key default true check (is_only),
  at timestamptz not null default '2000-01-01'
);

insert into account_standings_until default values;
