/** Links of own domains that move out and in, and that link jobs change. */
import t from 'tap';
import { until, WITHIN_A_SECOND } from '../servers/until.ts';
import { newClient } from '../support/app/client.ts';
import { startDomains } from './place.ts';

const { here, visit, prove, register, withDomain, link } = await startDomains(t, {
  PUBLIC_URL: 'http://qr.test',
});

type Client = Awaited<ReturnType<typeof newClient>>;

const NDJSON = { 'content-type': 'application/x-ndjson' };
const lines = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/** Sends a job, and returns it once it has ended, with its faults. */
const run = async (client: Client, path: string, rows: readonly object[]) => {
  const sent = await client.post(path, lines(rows), NDJSON);
  t.equal(sent.status, 202, sent.text);
  const url = `/link-jobs/${sent.json.id}`;
  await until(async () => (await client.get(url)).json.finished_at !== null);
  const faults = (await client.get(`${url}/faults`)).text.split('\n').filter((line) => line !== '');
  return { job: (await client.get(url)).json, faults: faults.map((line) => JSON.parse(line) as object) };
};

const exported = async (client: Client): Promise<readonly Record<string, unknown>[]> =>
  (await client.get('/links/export?format=ndjson')).text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

t.test('an import makes links on the domain of each row, which need not be proved yet', async (t) => {
  const client = await newClient(here, { plan: 'pro' });
  const root = await register(client);
  const below = await register(client, { prefix: 'go' });
  const rows = [
    { slug: 'menu', destination: 'https://example.com/shared' },
    { slug: 'menu', domain: root, destination: 'https://example.com/root', other_slugs: ['card', 'MENU'] },
    { slug: 'go/menu', domain: below, destination: 'https://example.com/below' },
    { slug: 'admin', domain: root, destination: 'https://example.com/admin' },
  ];
  const { job, faults } = await run(client, '/links/imports', rows);
  t.match(job, { state: 'done', made: 4, faults: 0 }, JSON.stringify(faults));
  t.match((await run(client, '/links/imports', rows)).job, { made: 0, unchanged: 4, faults: 0 }, 'again');
  await prove(client, root);
  await prove(client, below);
  for (const [host, url, to] of [
    ['qr.test', '/l/menu', 'shared'],
    [root, '/menu', 'root'],
    [root, '/card', 'root'],
    [root, '/MENU', 'root'],
    [below, '/go/menu', 'below'],
    [root, '/admin', 'admin'],
  ] as const)
    t.equal((await visit(host, url)).headers.location, `https://example.com/${to}`, `${host}${url}`);

  const other = await newClient(here, { plan: 'pro' });
  const foreign = await run(other, '/links/imports', [
    { slug: 'other', domain: root, destination: 'https://example.com/' },
    { slug: 'menu', destination: 'https://example.com/' },
  ]);
  t.match(foreign.faults, [{ field: 'domain' }, { field: 'slug' }]);
  t.match(foreign.job, { made: 0 });
});

t.test('what is exported is imported as it was, into the same places', async (t) => {
  const { client, host } = await withDomain();
  await link(client, host, { slug: 'menu' });
  await link(client, host);
  await link(client, 'shared', { slug: `shared-${host.slice(2, 3)}` });
  const before = await exported(client);
  t.strictSame(
    before.map(({ domain }) => domain),
    [host, host, null],
  );
  const target = await withDomain();
  const moved = before.map((row, i) => ({
    ...row,
    domain: row.domain === null ? null : target.host,
    // The first slugs are those of the links that there are.
    first_slug: null,
    slug: row.domain === null ? `again-${i}` : row.slug,
  }));
  const { job, faults } = await run(target.client, '/links/imports', moved);
  t.match(job, { made: 3, faults: 0 }, JSON.stringify(faults));
  const comparable = ({ first_slug: _, other_slugs: __, ...row }: Record<string, unknown>) => row;
  t.strictSame((await exported(target.client)).map(comparable), moved.map(comparable));
  t.equal((await visit(target.host, '/menu')).headers.location, 'https://example.com/a');
});

t.test('a row of a link job names a link by its slug at a domain', async (t) => {
  const { client, host } = await withDomain();
  const other = await withDomain();
  await link(client, host, { slug: 'menu' });
  await link(other.client, other.host, { slug: 'theirs' });
  const to = 'https://example.com/changed';
  const { job, faults } = await run(client, '/link-jobs', [
    { slug: 'menu', domain: host.toUpperCase(), destination: to },
    { slug: 'menu', domain: other.host, destination: to },
    { slug: 'theirs', domain: other.host, destination: to },
    { slug: 'menu-of-none', destination: to },
    { external_id: 'x', domain: host, destination: to },
    { slug: 'menu', domain: 'no host', destination: to },
  ]);
  t.match(job, { changed: 1, faults: 5 });
  t.match(
    faults,
    ['slug', 'slug', 'slug', 'domain', 'domain'].map((field) => ({ field })),
  );
  await until(async () => (await visit(host, '/menu')).headers.location === to, WITHIN_A_SECOND);
  t.equal((await visit(other.host, '/theirs')).headers.location, 'https://example.com/a');
});
