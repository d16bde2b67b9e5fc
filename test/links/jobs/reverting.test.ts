/** A link job that changes all links or none, and is cancelled when it has changed some. */
import t from 'tap';
import { sharedBatchApp } from '../../batches/support.ts';
import { until } from '../../servers/until.ts';
import { newClient } from '../../support/app/client.ts';
import { patiently } from '../../support/app/patient.ts';
import { copyLink, slugAt } from './kills.ts';

const LINKS = 3000;

t.test('a cancelled job that changes all or nothing brings back what it has changed', async (t) => {
  const { app, sql } = await sharedBatchApp();
  const { id, get, post } = await newClient(app, { plan: 'pro' });
  await post('/codes', { data: 'https://example.com/', dynamic: true });
  await copyLink({ sql }, id, LINKS);
  const rows = Array.from({ length: LINKS }, (_, place) =>
    JSON.stringify({ slug: slugAt(place), destination: 'https://example.org/', tags: ['new'] }),
  );
  const headers = { 'content-type': 'application/x-ndjson' };
  const { json: sent } = await patiently(() =>
    post('/link-jobs?all_or_nothing=true', rows.join('\n'), headers),
  );
  t.match(sent, { state: 'checking', rows: LINKS }, JSON.stringify(sent));
  const show = async () => (await get(`/link-jobs/${sent.id}`)).json;
  await until(
    async () => {
      const { finished_at: end, state, handled } = await show();
      return end !== null || (state === 'running' && handled > 0);
    },
    { pauseMs: 1 },
  );
  await patiently(() => post(`/link-jobs/${sent.id}/cancel`));
  await until(async () => (await show()).finished_at !== null, { pauseMs: 20 });
  const job = await show();
  t.match(job, { state: 'cancelled', undoable: false }, JSON.stringify(job));
  const [{ changed, tagged }] = await sql<[{ changed: number; tagged: number }]>`
    select count(*) filter (where l.destination = 'https://example.org/')::int as changed,
      count(*) filter (where c.tags is not null)::int as tagged
    from links l join codes c on c.slug = l.slug where l.account_id = ${id}`;
  t.strictSame({ changed, tagged }, { changed: 0, tagged: 0 });
  t.equal((await post(`/link-jobs/${sent.id}/undo`)).status, 404);
});
