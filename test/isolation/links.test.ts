/**
 * What a second account may try with slugs, rules, rule sets, imports, jobs and templates of a first one: that it serves
 * nothing of theirs and finds out nothing. That it sees nothing, in every call, is tested in
 * test/http/routes/account/account-api.test.ts.
 */
import t from 'tap';
import { ndjson, sharedBatchApp } from '../batches/support.ts';
import { until, WITHIN_A_SECOND } from '../servers/until.ts';
import { newClient, RANDOM_ID } from '../support/app/client.ts';

const { app } = await sharedBatchApp();
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const ROWS = { 'content-type': 'application/x-ndjson' };

/** An account with a short link to its own host. */
const newOwner = async (name: string) => {
  const client = await newClient(app, { plan: 'pro', monthlyQuota: 1000 });
  const home = `https://${name}.example/`;
  const { results } = await client.bulk([home, home]);
  const [slug, other] = results.map(({ slug }) => slug!) as [string, string];
  const ended = async (id: string) => {
    await until(async () => (await client.get(`/link-jobs/${id}`)).json.finished_at !== null, {
      pauseMs: 20,
    });
    return (await client.get(`/link-jobs/${id}`)).json;
  };
  return {
    ...{ ...client, home, slug, other, ended },
    /** Sends rows that must be accepted, and waits until they are handled. */
    async run(path: string, rows: readonly object[], headers: Readonly<Record<string, string>> = {}) {
      const sent = await client.post(path, ndjson(rows), { ...ROWS, ...headers });
      if (sent.status !== 202) throw new Error(`${sent.status} ${sent.text}`);
      return ended(sent.json.id);
    },
    messagesOf: async (id: string) => (await client.get(`/link-jobs/${id}/faults`)).text,
  };
};

const visit = async (path: string) => app.call({ url: `/l/${path}`, headers: { 'user-agent': BROWSER } });
const ledTo = async (path: string) => (await visit(path)).headers.location;
const comesTo = (path: string, address: string) =>
  until(async () => (await ledTo(path)) === address, WITHIN_A_SECOND);
const ruleTo = (destination: string, when: object = { date: { from: '2000-01-01T00:00:00Z' } }) => [
  { name: 'same', when, destination },
];

const [mine, theirs] = [await newOwner('mine'), await newOwner('theirs')];

t.test('a slug is not served by another account, even when its link was renamed or deleted', async (t) => {
  const renamed = 'isolated-garden';
  await mine.patch(`/links/${mine.other}`, { slug: renamed });
  const { codes } = await mine.bulk([mine.home], 'Deleted');
  const deleted = codes[0]!.slug!;
  await mine.del(`/codes/${codes[0]!.id}`);
  await until(async () => (await visit(deleted)).status === 404, WITHIN_A_SECOND);
  for (const slug of [mine.slug, mine.other, renamed, deleted]) {
    const led = await ledTo(slug);
    t.not((await theirs.patch(`/links/${theirs.slug}`, { slug })).status, 200, slug);
    const imported = await theirs.run('/links/imports', [{ slug, destination: theirs.home }]);
    t.match(imported, { made: 0, faults: 1 }, slug);
    t.equal(await ledTo(slug), led);
  }
});

t.test('messages about a slug do not tell whose it is, or what it leads to', async (t) => {
  const taken = await mine.patch(`/links/${mine.slug}`, { slug: 'isolated-orchard' });
  t.equal(taken.status, 200);
  const [own, other] = await Promise.all(
    [mine, theirs].map(async ({ patch, ...account }) =>
      patch(`/links/${account.other}`, { slug: 'isolated_orchard' }),
    ),
  );
  t.strictSame([other!.status, other!.text], [409, own!.text]);
  const tried = await theirs.run('/links/imports?dry_run=true', [
    { slug: 'isolated-orchard', destination: theirs.home },
  ]);
  t.notMatch(await theirs.messagesOf(tried.id), /mine/);
});

t.test('rules lead, count and are named in scans only for the links that have them', async (t) => {
  const rules = ruleTo('https://mine.example/ruled', { visit: 'first' });
  await mine.patch(`/links/${mine.slug}`, { rules });
  await comesTo(mine.slug, 'https://mine.example/ruled');
  t.equal(await ledTo(theirs.slug), theirs.home);
  // Ready rules are kept by what they say, so that links share those that are equal.
  await theirs.patch(`/links/${theirs.slug}`, { rules });
  await until(async () => (await ledTo(theirs.slug)) === 'https://mine.example/ruled', WITHIN_A_SECOND);
  t.equal(await ledTo(theirs.slug), theirs.home, 'the second visit of a visitor of its own');
  await theirs.patch(`/links/${theirs.slug}`, { rules: null });
  await comesTo(theirs.slug, theirs.home);
  await until(async () => (await mine.get('/scans/raw?format=csv')).text.includes(',same'));
  t.notMatch((await theirs.get('/scans/raw?format=csv')).text, new RegExp(mine.slug));
});

t.test('what an explanation says of links of others is the same as of none', async (t) => {
  const explained = async (slug: string) =>
    (await theirs.post(`/links/${slug}/explain`, { visit: 'first' })).text;
  t.equal(await explained(mine.slug), await explained('zzzzzzzz'));
});

t.test('a rule set leads no link of another account, whatever brings it there', async (t) => {
  const name = 'Ours';
  const { id } = (await mine.post('/rule-sets', { name, rules: ruleTo(mine.home) })).json;
  const own = await theirs.post('/rule-sets', { name, rules: ruleTo('https://theirs.example/set') });
  t.equal(own.status, 201, 'names belong to an account');
  await theirs.patch(`/links/${theirs.slug}`, { rule_set_id: own.json.id });
  await comesTo(theirs.slug, 'https://theirs.example/set');
  await mine.patch(`/rule-sets/${id}`, { rules: ruleTo('https://mine.example/changed') });
  t.equal((await theirs.del(`/rule-sets/${own.json.id}`)).status, 409);
  t.equal(await ledTo(theirs.slug), 'https://theirs.example/set');
  for (const path of ['/link-jobs', '/links/imports']) {
    const row = { slug: theirs.slug, destination: theirs.home, rule_set_id: id };
    t.match(await theirs.run(path, [row]), { faults: 1 }, path);
    t.equal((await theirs.get(`/links/${theirs.slug}`)).json.rule_set_id, own.json.id);
  }
  await theirs.patch(`/links/${theirs.slug}`, { rule_set_id: null });
  await comesTo(theirs.slug, theirs.home);
});

t.test('an id of a rule set of others is refused as one that nobody has', async (t) => {
  const { id } = (await mine.post('/rule-sets', { name: 'Hidden', rules: ruleTo(mine.home) })).json;
  const refused = async (set: string) =>
    (await theirs.patch(`/links/${theirs.slug}`, { rule_set_id: set })).text;
  t.equal(await refused(id), await refused(RANDOM_ID));
  t.strictSame((await theirs.get('/rule-sets')).json.data.map(({ id }) => id).includes(id), false);
});

for (const path of ['/links/imports', '/link-jobs'] as const) {
  t.test(`the same key and rows of two accounts are two jobs: ${path}`, async (t) => {
    const key = { 'idempotency-key': `of-two${path}` };
    const rows = [{ slug: 'isolated-key', destination: 'https://mine.example/key' }];
    const [one, other] = [await mine.run(path, rows, key), await theirs.run(path, rows, key)];
    t.not(other.id, one.id);
    t.match(other, { faults: 1 });
    t.equal((await theirs.get(`/links/isolated-key`)).status, 404);
    t.equal(await ledTo('isolated-key'), 'https://mine.example/key');
    t.equal(
      (await theirs.get(`/link-jobs/${one.id}/faults`)).text,
      (await theirs.get(`/link-jobs/${RANDOM_ID}/faults`)).text,
    );
  });
}

t.test('an external id names only links of the account, in imports and in jobs', async (t) => {
  const row = (home: string, slug: string) => ({ slug, destination: home, external_id: 'shelf 1' });
  t.match(await mine.run('/links/imports', [row(mine.home, 'isolated-shelf')]), { made: 1 });
  t.match(await theirs.run('/link-jobs', [{ external_id: 'shelf 1', destination: theirs.home }]), {
    changed: 0,
    faults: 1,
  });
  t.match(await theirs.run('/links/imports', [row(theirs.home, 'isolated-ledge')]), { made: 1 });
  t.match(
    await theirs.run('/link-jobs', [{ external_id: 'shelf 1', destination: 'https://theirs.example/2' }]),
    { changed: 1 },
  );
  t.equal(await ledTo('isolated-shelf'), mine.home);
  t.match((await theirs.get('/links/export?format=ndjson')).text, /isolated-ledge/);
  t.notMatch((await theirs.get('/links/export?format=ndjson')).text, /isolated-shelf|mine/);
});

t.test(
  'what visits fill into a template changes neither its host nor the headers of the answer',
  async (t) => {
    await mine.patch(`/links/${mine.slug}`, { rules: null, destination: 'https://mine.example/{query.to}' });
    await comesTo(mine.slug, 'https://mine.example/');
    for (const to of [
      '//evil.example/',
      '@evil.example',
      '../..',
      '\r\nset-cookie: a=b',
      'https://evil.example',
      '%0d%0aLocation: x',
    ]) {
      const { headers } = await visit(`${mine.slug}?to=${encodeURIComponent(to)}`);
      const location = new URL(String(headers.location));
      t.equal(location.host, 'mine.example', to);
      t.equal(headers['set-cookie'], undefined);
      t.match(String(headers.location), /^[\x21-\x7e]+$/);
    }
  },
);

t.test('what an account passes on reaches no link of another, nor is it shown there', async (t) => {
  await mine.patch('/account', { forward: { query: 'keep-own', utm: { source: 'mine' } } });
  await mine.patch(`/links/${mine.slug}`, { destination: mine.home });
  await comesTo(`${mine.slug}?a=b`, 'https://mine.example/?utm_source=mine&a=b');
  t.equal(await ledTo(`${theirs.slug}?a=b`), theirs.home);
  t.equal((await theirs.get('/account')).json.forward, null);
  t.equal((await theirs.patch(`/links/${mine.slug}`, { forward: {} })).status, 404);
  t.equal(await ledTo(`${mine.slug}?a=b`), 'https://mine.example/?utm_source=mine&a=b');
});
