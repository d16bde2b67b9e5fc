-- Scans in ClickHouse, where CLICKHOUSE_URL is set. Each statement can be repeated, because two gateways may run it at
-- once. Columns have the meanings of sql/0005_scans.sql.
--
-- A group of scans is inserted as one block with a token of its own. The windows make each table, also those that a view
-- fills, drop a block that it has: so a retried group counts once.

create table if not exists scans (
  -- The account of the short link; the id of an item of the resolver.
  account_id UUID,
  slug String,
  at DateTime64(3, 'UTC'),
  -- A number, because ClickHouse does not order UUIDs as texts.
  id UInt128,
  kind Enum8('person' = 1, 'bot' = 2, 'preview' = 3),
  visitor UInt64,
  device LowCardinality(String),
  os LowCardinality(String),
  browser LowCardinality(String),
  country LowCardinality(String),
  referrer_host LowCardinality(String),
  rule LowCardinality(String)
) engine = MergeTree partition by toYYYYMM(at) order by (account_id, slug, at)
settings non_replicated_deduplication_window = 10000;

-- The counts of all links of an account, those deleted since included.
create table if not exists scan_account_series (
  account_id UUID,
  quarter DateTime('UTC'),
  people UInt64,
  bots UInt64,
  previews UInt64
) engine = SummingMergeTree partition by toYYYYMM(quarter) order by (account_id, quarter)
settings non_replicated_deduplication_window = 10000;

create materialized view if not exists scan_account_series_filled to scan_account_series as
select account_id, toStartOfFifteenMinutes(at) as quarter, countIf(kind = 'person') as people, countIf(kind = 'bot') as bots,
  countIf(kind = 'preview') as previews
from scans group by account_id, quarter;

-- When each visitor of a link was first seen on a day (UTC), those of deleted links included. Nobody can tell links from it.
create table if not exists scan_account_visitors (
  account_id UUID,
  day Date,
  visitor_of_link UInt64,
  first_at SimpleAggregateFunction(min, DateTime64(3, 'UTC'))
) engine = AggregatingMergeTree partition by toYYYYMM(day) order by (account_id, day, visitor_of_link)
settings non_replicated_deduplication_window = 10000;

create materialized view if not exists scan_account_visitors_filled to scan_account_visitors as
select account_id, toDate(at) as day, sipHash64(slug, visitor) as visitor_of_link, min(at) as first_at
from scans where kind = 'person' group by account_id, day, visitor_of_link;
