-- Scans of short links. Each is kept for the retention period. The statement that inserts scans also adds them to the
-- roll-ups (src/db/tables/scans/scans.ts), so statistics are read without reading scans.
--
-- No address and no user agent is stored. In every text column '' means "not known".

create table scans (
  -- The account of the short link; the id of an item of the resolver, so that its scans are found when it is deleted; all
  -- zeros for a slug of neither.
  account_id uuid not null,
  at timestamptz not null,
  id uuid not null,
  slug text not null check (length(slug) = 8),
  kind text not null check (kind in ('person', 'bot', 'preview')),
  -- Identifies a visitor within one link and one UTC day (src/links/scan.ts).
  visitor bytea not null check (octet_length(visitor) = 8),
  device text not null check (length(device) <= 16),
  os text not null check (length(os) <= 32),
  browser text not null check (length(browser) <= 32),
  country text not null check (country ~ '^([A-Z]{2})?$'),
  referrer_host text not null check (length(referrer_host) <= 100),
  -- The rule that led it; '': none did.
  rule text not null check (length(rule) <= 40),
  -- The scans of an account are read in the order of their times. Retries keep all three values.
  primary key (account_id, at, id)
) partition by range (at);

-- The visitors that were counted on a day: at most one for each of its scans, and shorter. Their rows are needed only while
-- scans of that day still arrive.
create table scan_visitors (
  day date not null,
  slug text not null,
  visitor bytea not null,
  primary key (day, slug, visitor)
) partition by range (day);

-- Counts by link and quarter of an hour, from which the hours and days of any time zone are made.
create table scan_series (
  slug text not null,
  quarter timestamptz not null,
  people integer not null check (people >= 0),
  bots integer not null check (bots >= 0),
  previews integer not null check (previews >= 0),
  -- Visitors, each counted in the quarter of their first scan on a UTC day.
  visitors integer not null check (visitors >= 0),
  primary key (slug, quarter)
) partition by range (quarter);

-- The same counts of all short links of an account, those deleted since included.
create table scan_account_series (
  account_id uuid not null,
  quarter timestamptz not null,
  people bigint not null check (people >= 0),
  bots bigint not null check (bots >= 0),
  previews bigint not null check (previews >= 0),
  visitors bigint not null check (visitors >= 0),
  primary key (account_id, quarter)
) partition by range (quarter);

-- Counts by client, country and referrer, in two grains: a range is read as whole UTC days, and at its two ends as
-- quarters of an hour. A client is 'device/os/browser'. Every scan has one, which is '//' when nothing is known. Visitors
-- can make up values, so a start has rows for the first ones only (VALUES_MAX), and one for the others together.
create table scan_breakdowns (
  slug text not null,
  -- client, or another column of scans by which they are broken down.
  dimension text not null,
  grain text not null check (grain in ('quarter', 'day')),
  start timestamptz not null,
  value text not null check (length(value) between 1 and 100),
  people integer not null check (people >= 0),
  bots integer not null check (bots >= 0),
  previews integer not null check (previews >= 0),
  primary key (slug, dimension, grain, start, value)
) partition by range (start);

-- The counts of a link since its creation, and when a person scanned it last. They are kept as long as its code.
create table scan_totals (
  slug text primary key,
  people bigint not null check (people >= 0),
  bots bigint not null check (bots >= 0),
  previews bigint not null check (previews >= 0),
  last_at timestamptz,
  -- Whether scan_ranks has these counts.
  is_ranked boolean not null default false,
  -- That of its link without the scans that it was imported with, so that the statement which counts scans sees it reached
  -- without looking the link up.
  visit_limit integer
) with (fillfactor = 80);

create function copy_visit_limit() returns trigger language plpgsql as $$
begin
  insert into scan_totals (slug, people, bots, previews, visit_limit)
  values (new.slug, 0, 0, 0,
    case when new.visit_limit is not null then greatest(new.visit_limit - new.imported_scans, 0) end)
  on conflict (slug) do update set visit_limit = excluded.visit_limit;
  return null;
end
$$;

create trigger links_copy_first_limit after insert on links for each row
  when (new.visit_limit is not null) execute function copy_visit_limit();
create trigger links_copy_limit after update on links for each row
  when (old.visit_limit is distinct from new.visit_limit and new.deleted_at is null) execute function copy_visit_limit();

create index scan_totals_unranked on scan_totals (slug) where not is_ranked;

-- The people of scan_totals once more, for lists of an account's codes by scans. An index on scan_totals itself would cost
-- every scan: while its indexed columns stay the same, an update of a row changes no index. So the counts are copied
-- later, many scans at once (src/db/tables/scans/upkeep.ts).
create table scan_ranks (
  slug text primary key,
  account_id uuid not null references accounts (id),
  people bigint not null check (people > 0)
);

create index scan_ranks_of_account on scan_ranks (account_id, people, slug);

-- Slugs of deleted items and of purged codes. Their scans and counts, which nobody can see, are removed piece by piece, and
-- then their rows here (src/db/tables/scans/gone.ts).
create table gone_scans (
  slug text primary key,
  -- As in `scans`.
  account_id uuid not null,
  deleted_at timestamptz not null default now()
);

create index gone_scans_of_account on gone_scans (account_id, slug);

-- The time since which no scan of short links is missing (SCAN_RETENTION_MONTHS); null: none was removed. It never moves
-- back.
create table scans_kept (
  is_only boolean primary key default true check (is_only),
  since timestamptz(3)
);

insert into scans_kept default values;

-- A row: single scans are in ClickHouse (CLICKHOUSE_URL), so a gateway that would look for them here must not start. `since`:
-- when that began, if scans that were here before are missing there.
create table scans_elsewhere (
  is_only boolean primary key default true check (is_only),
  since timestamptz(3)
);

-- Groups of scans that are counted in scan_totals, though the scans are in ClickHouse. Those of two days are known.
create table scan_groups (
  id uuid primary key,
  counted_at timestamptz not null default now()
);

-- How far the single scans that are here were copied to ClickHouse (`tessera scans move`), by month. Positions are those of
-- the primary key of scans: 'account time-in-milliseconds id'.
create table scan_moves (
  month date primary key,
  -- The last scan that was copied; null: none was.
  after_scan text,
  -- The last scan of the slice that is being copied, and since when; null: none is.
  until_scan text,
  slice_at timestamptz,
  moved bigint not null default 0,
  is_done boolean not null default false
);

-- The salt of a day's visitor hashes, which all gateways share. It is deleted after the day.
create table visitor_salts (
  day date primary key,
  salt bytea not null check (octet_length(salt) = 32)
);

-- Makes the missing partitions for the month (for visitors: the day) of `moment` and for the next two.
create function ensure_scan_partitions(moment timestamptz) returns void language plpgsql as $$
declare
  part record;
begin
  perform pg_advisory_xact_lock(hashtext('scan partitions'));
  for part in
    select parent, options, parent || to_char(low, suffix) as name, low, low + step as high
    from (values
      ('scans', 'month', '_YYYYMM', ''),
      ('scan_series', 'month', '_YYYYMM', 'with (fillfactor = 80)'),
      ('scan_account_series', 'month', '_YYYYMM', 'with (fillfactor = 50)'),
      ('scan_breakdowns', 'month', '_YYYYMM', 'with (fillfactor = 80)'),
      ('scan_visitors', 'day', '_YYYYMMDD', '')
    ) as partitioned (parent, unit, suffix, options)
    cross join lateral (select ('1 ' || unit)::interval as step) as steps
    cross join generate_series(0, 2) as ahead
    cross join lateral (select date_trunc(unit, moment at time zone 'UTC') + ahead * step as low) as lows
  loop
    if to_regclass(part.name) is null then
      execute format('create table %I partition of %I for values from (%L) to (%L) %s',
        part.name, part.parent, part.low || '+00', part.high || '+00', part.options);
    end if;
  end loop;
end
$$;

-- Drops the partitions of the months before the month of `kept_from` (for visitors: of the days before the day of
-- `visitors_from`). Returns how many it dropped.
create function drop_scan_partitions(kept_from timestamptz, visitors_from timestamptz) returns integer
language plpgsql as $$
declare
  part record;
  dropped integer := 0;
  first_kept timestamptz := date_trunc('month', kept_from, 'UTC');
begin
  perform pg_advisory_xact_lock(hashtext('scan partitions'));
  for part in
    select child.relname as name, unit
    from pg_inherits
    join pg_class as child on child.oid = inhrelid
    join (values
      ('scans'::regclass, 'month', 'YYYYMM', kept_from),
      ('scan_series'::regclass, 'month', 'YYYYMM', kept_from),
      ('scan_account_series'::regclass, 'month', 'YYYYMM', kept_from),
      ('scan_breakdowns'::regclass, 'month', 'YYYYMM', kept_from),
      ('scan_visitors'::regclass, 'day', 'YYYYMMDD', visitors_from)
    ) as partitioned (parent, unit, suffix, bound) on inhparent = parent
    where to_date(substring(child.relname from '\d+$'), suffix) < date_trunc(unit, bound at time zone 'UTC')
  loop
    execute format('drop table %I', part.name);
    if part.unit = 'month' then
      update scans_kept set since = first_kept where since is null or since < first_kept;
    end if;
    dropped := dropped + 1;
  end loop;
  return dropped;
end
$$;
