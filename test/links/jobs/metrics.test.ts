/** The metrics of link jobs. */
import t from 'tap';
import { ndjson, sharedBatchApp } from '../../batches/support.ts';
import { until } from '../../servers/until.ts';
import { ADMIN_TOKEN } from '../../support/app/app.ts';
import { newClient } from '../../support/app/client.ts';

const { app, sql } = await sharedBatchApp();
const OUTCOMES = ['checked', 'changed', 'unchanged', 'faulty'];

const metric = async (name: string): Promise<number> => {
  const { text } = await app.call({ url: '/metrics', key: ADMIN_TOKEN });
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length));
};
const rowsOf = () =>
  Promise.all(OUTCOMES.map((outcome) => metric(`tessera_link_jobs_rows_total{outcome="${outcome}"}`)));

t.test('metrics say what became of rows, how long turns took, and what is given up', async (t) => {
  const { bulk, get, post } = await newClient(app);
  const slugs = (await bulk(['https://example.com/1', 'https://example.com/2'])).results.map(
    ({ slug }) => slug,
  );
  const rows = [
    { slug: slugs[0], destination: 'https://example.com/counted' },
    { slug: slugs[1], destination: 'https://example.com/2' },
    { slug: 'nobodys', destination: 'https://example.com/' },
  ];
  const [before, turns] = [await rowsOf(), await metric('tessera_link_jobs_turn_seconds_count')];
  for (const query of ['?dry_run=true', '']) {
    const headers = { 'content-type': 'application/x-ndjson' };
    const { id } = (await post(`/link-jobs${query}`, ndjson(rows), headers)).json;
    await until(async () => (await get(`/link-jobs/${id}`)).json.finished_at !== null);
  }
  const grown = async () => (await rowsOf()).map((count, place) => count - before[place]!);
  t.strictSame(await grown(), [2, 1, 1, 2]);
  await until(async () => (await metric('tessera_link_jobs_turn_seconds_count')) >= turns + 4);

  const givenUp = await metric('tessera_link_jobs_given_up_total');
  await sql`
    insert into link_jobs (account_id, key_id, kind, state, tries)
    select account_id, id, 'change', 'running', 26 from api_keys limit 1`;
  await until(async () => (await metric('tessera_link_jobs_given_up_total')) === givenUp + 1);
});
