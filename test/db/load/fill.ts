import { STYLED } from '../../../bench/load/styles.ts';
import type { Database } from '../../../src/db/database.ts';
import { toDesign } from '../../../src/generate/request/design.ts';

/** How many rows are made. */
export interface Amounts {
  readonly accounts: number;
  readonly codes: number;
}

/** What the largest account has. */
export interface Filled {
  readonly folderId: string;
  readonly codeId: string;
  /** A short link with scans. */
  readonly slug: string;
}

const FOLDERS = 31;

/**
 * Fills a database without scans: a quarter of the codes belong to the account, nearly all of them in one of its 31 folders,
 * the others one by one to new accounts, of which there
 * should be as many. Every second code has a short link that was scanned today, and every account
 * has a balance. The triggers of tables are off meanwhile, and what they would have done is done at once.
 *
 * @param sql A superuser's.
 */
export const fillRows = async (
  sql: Database['sql'],
  accountId: string,
  { accounts, codes }: Amounts,
): Promise<Filled> => {
  const share = Math.ceil(codes / 4);
  await sql.begin(async (tx) => {
    await tx`select set_config('session_replication_role', 'replica', true), set_config('statement_timeout', '0', true),
      set_config('idle_in_transaction_session_timeout', '0', true)`;
    await tx`select ensure_scan_partitions(now())`;
    await tx`
      create temporary table made on commit drop as
      select n, case when n <= ${share} then ${accountId}::uuid else gen_random_uuid() end as account_id,
        gen_random_uuid() as folder_id from generate_series(1, ${share + accounts}::integer) as n`;
    // The codes of the account: one folder has all but 100 of each other one.
    await tx`
      create temporary table own on commit drop as
      select n, gen_random_uuid() as folder_id from generate_series(1, ${FOLDERS}::integer) as n`;
    await tx`update made set folder_id = own.folder_id from own
      where made.n <= ${share} and own.n = case when made.n <= ${(FOLDERS - 1) * 100}::integer then 2 + made.n / 101 else 1 end`;
    await tx`insert into accounts (id, name, plan) select account_id, 'account ' || n, 'free' from made where n > ${share}`;
    await tx`insert into quota_balances (account_id, period) select id, quota_month() from accounts on conflict do nothing`;
    await tx`insert into folders (id, account_id, name)
      select folder_id, ${accountId}, 'folder ' || n from own
      union all select folder_id, account_id, 'folder' from made where n > ${share}`;
    await tx`insert into designs (account_id, sha256, design)
      select account_id, sha256(account_id::text::bytea), ${JSON.stringify(toDesign(STYLED))}::text::jsonb from made group by 1`;
    await tx`insert into links (slug, account_id, destination)
      select 'L' || lpad(n::text, 7, '0'), account_id, 'https://example.com/' || n from made
      where n % 2 = 0 and n <= ${codes}`;
    await tx`
      insert into codes (id, account_id, folder_id, design_id, grade, warnings, slug, content, name, name_key)
      select code_id(now() - interval '1 day', n), account_id, folder_id, d.id, 4, '',
        case when n % 2 = 0 then 'L' || lpad(n::text, 7, '0') end, convert_to('https://example.org/' || n, 'UTF8'),
        case when n % 10 = 0 then 'name ' || n end, case when n % 10 = 0 then 'name ' || lpad(n::text, 10, '0') end
      from made join designs d using (account_id) where n <= ${codes} order by n`;
    await tx`insert into folder_counts (folder_id, slot, codes, links)
      select folder_id, 0, count(*), count(slug) from codes group by 1`;
    await tx`insert into scan_totals (slug, people, bots, previews, last_at, is_ranked)
      select slug, 3, 1, 0, now(), true from links`;
    await tx`insert into scan_ranks (slug, account_id, people) select slug, account_id, 3 from links`;
    await tx`insert into scan_series (slug, quarter, people, bots, previews, visitors)
      select slug, date_bin('15 minutes', now(), 'epoch'), 3, 1, 0, 2 from links`;
    await tx`insert into scan_account_series (account_id, quarter, people, bots, previews, visitors)
      select account_id, date_bin('15 minutes', now(), 'epoch'), 3 * count(*), count(*), 0, 2 * count(*) from links
      group by 1`;
    await tx`insert into scans (account_id, at, id, slug, kind, visitor, device, os, browser, country, referrer_host)
      select account_id, now() - random() * interval '1 minute', gen_random_uuid(), slug, 'person', decode('0101010101010101', 'hex'),
        '', '', '', '', '' from links order by 1, 2`;
  });
  await sql`analyze`;
  const [filled] = await sql<[Filled]>`
    select folder_id, id as code_id, slug from codes
    where account_id = ${accountId} and slug is not null order by id desc limit 1`;
  return filled;
};
