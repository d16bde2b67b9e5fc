import { STYLED } from '../../../bench/load/styles.ts';
import type { Database } from '../../../src/db/database.ts';
import { toDesign } from '../../../src/generate/request/design.ts';

/** What a large account has: the folder with most of its codes, and one of them, whose short link has scans. */
export type Filled = Readonly<Record<'folderId' | 'codeId' | 'slug', string>>;

const FOLDERS = 31;
/** Each folder of a large account but one has one of so many of its codes. */
const PARTS = 200;

/**
 * Fills a database without scans. Most codes of a large account are in one of its 31 folders. Nine of ten codes
 * have a short link that was scanned today, and every account has a balance. The triggers of tables are off meanwhile,
 * and what they would have done is done at once.
 *
 * @param sql A superuser's.
 * @param large Existing accounts, and how many of the codes each gets.
 * @param accounts How many new accounts are made, which share the other codes.
 */
export const fillRows = async (
  sql: Database['sql'],
  large: readonly { readonly accountId: string; readonly codes: number }[],
  { accounts, codes }: { readonly accounts: number; readonly codes: number },
): Promise<void> => {
  await sql.begin(async (tx) => {
    await tx`select set_config('session_replication_role', 'replica', true), set_config('statement_timeout', '0', true),
      set_config('idle_in_transaction_session_timeout', '0', true), set_config('work_mem', '256MB', true)`;
    await tx`select ensure_scan_partitions(now())`;
    await tx`
      create temporary table owner on commit drop as
      select large.id as account_id, large.codes, ${FOLDERS}::integer as folders
      from unnest(${large.map(({ accountId }) => accountId)}::uuid[], ${large.map((one) => one.codes)}::integer[])
        as large (id, codes)
      union all
      select gen_random_uuid(), ${codes - large.reduce((sum, one) => sum + one.codes, 0)}::integer / ${accounts}::integer, 1
      from generate_series(1, ${accounts}::integer)`;
    await tx`
      create temporary table home on commit drop as
      select account_id, place, gen_random_uuid() as folder_id,
        case when place > 1 then codes / ${PARTS} else codes - (folders - 1) * (codes / ${PARTS}) end as codes
      from owner cross join lateral generate_series(1, folders) as place`;
    await tx`
      create temporary table made on commit drop as
      select row_number() over () as n, account_id, folder_id from home cross join lateral generate_series(1, codes)`;
    await tx`insert into accounts (id, name, plan)
      select account_id, 'account ' || row_number() over (), 'free' from owner where folders = 1`;
    await tx`insert into quota_balances (account_id, period) select id, quota_month() from accounts on conflict do nothing`;
    await tx`
      insert into account_standings (account_id, period, used, share)
      select id, quota_month(), 1, random() from accounts on conflict do nothing`;
    await tx`insert into folders (id, account_id, name) select folder_id, account_id, 'folder ' || place from home`;
    await tx`insert into designs (account_id, sha256, design)
      select account_id, sha256(account_id::text::bytea), ${JSON.stringify(toDesign(STYLED))}::text::jsonb from owner`;
    await tx`insert into links (slug, account_id, destination)
      select 'L' || lpad(n::text, 7, '0'), account_id, 'https://example.com/' || n from made where n % 10 > 0`;
    await tx`
      insert into codes (id, account_id, folder_id, design_id, grade, warnings, slug, content, name, name_key)
      select code_id(now() - interval '1 day', n::integer), account_id, folder_id, d.id, 4, '',
        case when n % 10 > 0 then 'L' || lpad(n::text, 7, '0') end, convert_to('https://example.org/' || n, 'UTF8'),
        case when n % 10 = 0 then 'name ' || n end, case when n % 10 = 0 then 'name ' || lpad(n::text, 10, '0') end
      from made join designs d using (account_id) order by n`;
    await tx`insert into folder_counts (folder_id, slot, codes, links)
      select folder_id, 0, count(*), count(slug) from codes
      where not exists (select from folder_counts c where c.folder_id = codes.folder_id) group by 1`;
    await tx`insert into scan_totals (slug, people, bots, previews, last_at, is_ranked)
      select slug, 3, 1, 0, now(), true from links`;
    await tx`insert into scan_ranks (slug, account_id, people) select slug, account_id, 3 from links`;
    await tx`insert into scan_series (slug, quarter, people, bots, previews, visitors)
      select slug, date_bin('15 minutes', now(), 'epoch'), 3, 1, 0, 2 from links`;
    await tx`insert into scan_account_series (account_id, quarter, people, bots, previews, visitors)
      select account_id, date_bin('15 minutes', now(), 'epoch'), 3 * count(*), count(*), 0, 2 * count(*) from links
      group by 1`;
    await tx`insert into scans (account_id, at, id, slug, kind, visitor, device, os, browser, country, referrer_host,
        rule)
      select account_id, now() - random() * interval '1 minute', gen_random_uuid(), slug, 'person',
        decode('0101010101010101', 'hex'), '', '', '', '', '', '' from links order by 1, 2`;
  });
};

/** Returns what a filled account has. */
export const filledOf = async (sql: Database['sql'], accountId: string): Promise<Filled> => {
  const [filled] = await sql<[Filled]>`
    select folder_id, id as code_id, slug from codes
    where folder_id = (
      select id from folders join folder_counts on folder_id = id where account_id = ${accountId}
      order by codes desc limit 1
    ) and slug is not null order by id desc limit 1`;
  return filled;
};
