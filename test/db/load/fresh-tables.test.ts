/** Look-ups by name stay quick in tables that have grown since the planner last counted them. */
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
