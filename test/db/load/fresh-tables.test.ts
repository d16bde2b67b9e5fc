/** Look-ups by name stay quick in tables that have grown since the planner last counted them. */
import postgres from 'postgres';
import t from 'tap';
import type { Sql } from '../../../src/db/client.ts';
import { claimLinks } from '../../../src/db/tables/link-jobs/links.ts';
import { findSlugOwners } from '../../../src/db/tables/link-jobs/moved-links.ts';
import { findLinks, findLinksByExternalId, getLinks, lockLinks } from '../../../src/db/tables/links.ts';
import { copyLink, slugAt } from '../../links/jobs/kills.ts';
import { startApp } from '../../support/app/app.ts';
import { newClient } from '../../support/app/client.ts';
import { openFor, realDatabaseUrl } from '../../support/database/database.ts';

const LINKS = 3000;
const NAMED = 500;
const TIMES = 3;
/** How much longer a look-up may take than with up-to-date statistics. Reading all links for each name takes 1,000 times as long. */
const LONGER_MAX = 20;

t.test('links are found by their names without a look at all others for each', async (t) => {
  const url = await realDatabaseUrl();
  const app = await startApp(t, { DATABASE_URL: url });
  const { id, post } = await newClient(app, { plan: 'pro' });
  const row = '{"slug":"none","destination":"https://example.com/"}';
  const { json: job } = await post('/link-jobs', row, { 'content-type': 'application/x-ndjson' });
  await post('/codes', { data: 'https://example.com/', dynamic: true });
  const { sql } = await openFor(t, { url, dataDir: '' });
  await sql`analyze`;
  await copyLink({ sql }, id, LINKS);

  const slugs = Array.from({ length: NAMED }, (_, place) => slugAt(place));
  const lookUps: Readonly<Record<string, (tx: Sql) => Promise<unknown>>> = {
    findLinks: (tx) =>
      findLinks(
        tx,
        id,
        slugs.map((slug) => ({ slug, host: null })),
      ),
    findLinksByExternalId: (tx) => findLinksByExternalId(tx, id, slugs),
    getLinks: (tx) => getLinks(tx, id, slugs),
    lockLinks: (tx) => lockLinks(tx, slugs),
    claimLinks: (tx) =>
      claimLinks(
        tx,
        job.id,
        slugs.map((firstSlug, place) => ({ firstSlug, row: place + 1 })),
      ),
    findSlugOwners: (tx) =>
      findSlugOwners(
        tx,
        slugs.map((slug) => ({ slug, domainId: null })),
      ),
  };
  const timesMs = async () => {
    const best: Record<string, number> = {};
    for (const [name, lookUp] of Object.entries(lookUps))
      for (let time = 0; time < TIMES; time += 1) {
        const begunMs = performance.now();
        await sql.begin(lookUp);
        best[name] = Math.min(best[name] ?? Infinity, performance.now() - begunMs);
      }
    return best;
  };
  const stale = await timesMs();
  await sql`analyze`;
  const fresh = await timesMs();
  for (const [name, ms] of Object.entries(stale))
    t.ok(ms < LONGER_MAX * fresh[name]!, `${name}: ${ms} ms, and ${fresh[name]} ms with statistics`);
});

const AT_ONCE = 300;
const GROWN = 20_000;
const JOB = '00000000-0000-4000-8000-000000000001';
/** Rows that a statement may read for each link that it is about. */
const READ_MAX = 10;

t.test(
  'what was planned on small tables reads only the rows of its links when those have grown',
  async (t) => {
    const url = await realDatabaseUrl();
    const app = await startApp(t, { DATABASE_URL: url });
    const { id, post } = await newClient(app, { plan: 'pro' });
    await post('/codes', { data: 'https://example.com/', dynamic: true });
    const { sql } = await openFor(t, { url, dataDir: '' });
    await sql`insert into webhooks (account_id, url, events) values (${id}, 'https://hooks.example/', '{scan,link.changed}')`;
    await copyLink({ sql }, id, AT_ONCE);
    const session = postgres(url, { max: 1, onnotice: () => {} });
    t.teardown(() => session.end());

    const statements: Readonly<
      Record<string, (tx: postgres.TransactionSql, slugs: string[]) => Promise<unknown>>
    > = {
      'slugs are chosen': (tx, slugs) =>
        tx`insert into own_slugs (slug, link_slug) select 'own-' || slug, slug from unnest(${slugs}::text[]) as slug`,
      'links are edited': (tx, slugs) =>
        tx`update links set destination = 'https://example.net/' where slug = any(${slugs})`,
      'edits are remembered': (tx, slugs) =>
        tx`insert into link_history (slug, destination) select slug, 'https://example.com/' from unnest(${slugs}::text[]) as slug`,
      'links are scanned first': (tx, slugs) =>
        tx`insert into scan_totals (slug, people, bots, previews) select slug, 1, 0, 0 from unnest(${slugs}::text[]) as slug`,
      'links are scanned again': (tx, slugs) =>
        tx`update scan_totals set people = people + 1 where slug = any(${slugs})`,
      'scans are told': async (tx) => {
        await tx`update webhook_scans set at = now() - interval '1 hour'`;
        await tx`select tell_scans()`;
      },
      'rows of a job are told apart': async (tx, slugs) => {
        const claimed = slugs.map((firstSlug) => ({ firstSlug, row: Number(firstSlug.slice(1)) }));
        await claimLinks(tx as unknown as Sql, JOB, claimed);
        await claimLinks(tx as unknown as Sql, JOB, claimed);
      },
      'codes are purged': (tx, slugs) => tx`delete from codes where slug = any(${slugs})`,
    };
    /** How many rows the session has read; it forgets now and then, between transactions. */
    const rowsRead = async (tx: postgres.TransactionSql): Promise<number> => {
      const [row] = await tx<[{ read: number }]>`
      select coalesce(sum(seq_tup_read + idx_tup_fetch), 0)::int as read from pg_stat_xact_user_tables
      where relname in ('codes', 'links', 'link_job_links')`;
      return row.read;
    };
    /** Does all with some links, and returns the rows that each statement has read. */
    const readWith = async (slugs: string[]) => {
      const read: Record<string, number> = {};
      for (const [name, statement] of Object.entries(statements))
        await session.begin(async (tx) => {
          await tx`set local enable_seqscan = off`;
          const before = await rowsRead(tx);
          await statement(tx, slugs);
          read[name] = (await rowsRead(tx)) - before;
        });
      return read;
    };
    const slugsFrom = (first: number): string[] =>
      Array.from({ length: AT_ONCE }, (_, place) => slugAt(first + place));
    await readWith(slugsFrom(0));
    await copyLink({ sql }, id, GROWN, AT_ONCE);
    await sql`
      insert into link_job_links (job_id, slug, row)
      select ${JOB}::uuid, 'row-' || place, place from generate_series(1, ${GROWN}::int) as place`;
    for (const [name, read] of Object.entries(await readWith(slugsFrom(AT_ONCE))))
      t.ok(read <= READ_MAX * AT_ONCE, `${name}: ${read} rows`);
  },
);
