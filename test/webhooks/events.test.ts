/** Events of saved codes, changed links, scans and new keys. */
import fc from 'fast-check';
import t from 'tap';
import type { ScanRow } from '../../src/db/tables/scans/scans.ts';
import { insertScans } from '../../src/db/tables/scans/scans.ts';
import { tellScans } from '../../src/db/tables/webhooks/sending.ts';
import { createSender, plainRows } from '../batches/support.ts';
import { until } from '../servers/until.ts';
import type { Answer } from '../support/app/app.ts';
import { newClient } from '../support/app/client.ts';
import { scanRow } from '../support/scan.ts';
import { createHooks, insertEvents, receiverFor, sharedHooksApp } from './hooks.ts';

const { app, sql } = await sharedHooksApp();
const { call, account } = app;

/** An account with a webhook that never sends. Tests read its waiting events. */
const subscriber = async (events: readonly string[]) => {
  const made = await newClient(app, { monthlyQuota: 100_000 });
  const hooks = createHooks(app, made.key);
  const subscribe = async (to: readonly string[]) => {
    const hook = await hooks.make('http://127.0.0.1:9/', to);
    await sql`update webhooks set paused_until = 'infinity' where id = ${hook.id}`;
    return hook.id;
  };
  const hook = await subscribe(events);
  const told = (id = hook) => sql<{ event: string; data: Readonly<Record<string, unknown>> }[]>`
    select e.type as event, e.data from webhook_deliveries d join events e on e.id = d.event_id
    where d.webhook_id = ${id} order by e.created_at, e.id`;
  const bulk = async (count: number) => {
    const saved = await made.bulk(Array.from({ length: count }, (_, i) => `https://example.com/${i}`));
    return { ...saved, slugs: saved.results.map(({ slug }) => slug!) };
  };
  return { ...made, hooks, hook, subscribe, told, bulk };
};

t.test('a bulk call causes one event with its codes, only for webhooks that subscribe to it', async (t) => {
  const { keyId, told, bulk, subscribe } = await subscriber(['code.created']);
  const other = await subscribe(['batch.done']);
  const stranger = await subscriber(['code.created']);
  const { folderId, codes } = await bulk(3);
  const ids = codes.map(({ id }) => id);
  const expected = { folder_id: folderId, key_id: keyId, batch_id: null, count: 3, ids };
  t.strictSame([...(await told())], [{ event: 'code.created', data: expected }]);
  t.equal((await told(other)).length + (await stranger.told()).length, 0);
});

t.test('codes that are not saved cause no event', async (t) => {
  const { told, post, hook, hooks, bulk } = await subscriber(['code.created']);
  t.equal((await post('/qr', { data: 'x' })).status, 200);
  await hooks.patch(hook, { state: 'off' });
  await bulk(1);
  t.equal((await told()).length, 0, 'a single code, and codes while the webhook is off');
});

t.test('a batch causes one event with its codes when it ends', async (t) => {
  const { key, keyId, told } = await subscriber(['code.created']);
  const sender = createSender(app, key);
  const batch = await sender.make(plainRows(501));
  t.match(batch, { state: 'done', made: 501 });
  const expected = { folder_id: batch.folder_id, key_id: keyId, batch_id: batch.id, count: 501, ids: [] };
  t.strictSame([...(await told())], [{ event: 'code.created', data: expected }]);
  t.match(await sender.make([{ data: '' }]), { state: 'failed', made: 0 });
  t.equal((await told()).length, 1, 'no event for a batch without codes');
});

t.test('the event of a changed link has the changed fields; an empty edit causes none', async (t) => {
  const { keyId, told, patch, bulk } = await subscriber(['link.changed']);
  const [slug] = (await bulk(1)).slugs as [string];
  await patch(`/links/${slug}`, { destination: 'https://example.com/0' });
  t.equal((await told()).length, 0);
  await patch(`/links/${slug}`, {
    destination: 'https://example.com/a',
    active_until: '2099-01-01T00:00:00Z',
  });
  const own = `menu-${slug.toLowerCase()}`;
  await patch(`/links/${slug}`, { slug: own });
  const link = {
    destination: 'https://example.com/a',
    active_until: '2099-01-01T00:00:00.000Z',
    ...{ active_from: null, before_destination: null, after_destination: null },
  };
  const about = { change_id: null, key_id: keyId, count: 1 };
  t.match(
    (await told()).map(({ data }) => data),
    [
      { ...about, slugs: [slug], links: [{ slug, changed: ['destination', 'active_until'], ...link }] },
      { ...about, slugs: [own], links: [{ slug: own, changed: ['slug'], ...link }] },
    ],
  );
  t.match((await told())[0]!.data, { links: [{ code_id: /^[\da-f-]{36}$/ }] });
});

t.test('a bulk change of links causes one event with ten links in full, as does its undo', async (t) => {
  const { told, patch, post, bulk } = await subscriber(['link.changed']);
  const slugs = (await bulk(12)).slugs.sort();
  const change = { destination: 'https://example.com/many' };
  const { change_id } = (await patch('/links', { slugs, change })).json;
  const [many, ...rest] = await told();
  t.equal(rest.length, 0);
  t.match(many!.data, { change_id, count: 12 });
  const { links, ...named } = many!.data as {
    slugs: string[];
    links: { slug: string; changed: string[] }[];
  };
  t.strictSame([...named.slugs].sort(), slugs);
  t.equal(links.length, 10);
  for (const link of links) t.match(link, { changed: ['destination'], destination: change.destination });
  await post(`/links/changes/${change_id}/undo`);
  const [, undone] = await told();
  t.match(undone!.data, { count: 12, links: [{ changed: ['destination'] }] });
  t.not((undone!.data as { change_id: string }).change_id, change_id);
});

t.test('a new key causes an event without its secret, whoever creates it', async (t) => {
  const { told, post } = await subscriber(['key.created']);
  const bounds = { rate_limit_per_second: 3, monthly_quota: 50, expires_at: '2099-01-01T00:00:00.000Z' };
  const made = (await post('/keys', { name: 'Till', scopes: ['render'], ...bounds })).json;
  const [event] = await told();
  const { key, ...shown } = made as unknown as Record<string, unknown>;
  t.match(shown, bounds);
  t.strictSame(event!.data, shown, 'all fields of the answer except the secret');
  t.notMatch(JSON.stringify(event!.data), key);
});

/** Makes the counted scans old enough to be sent. */
const waitAMinute = () => sql`update webhook_scans set at = at - interval '1 minute'`;

t.test('scan events are sent once a minute, with counts by code', async (t) => {
  const { told, bulk, subscribe, patch } = await subscriber(['scan']);
  const later = await subscribe(['scan']);
  const [a, b] = (await bulk(2)).slugs as [string, string];
  const own = `seen-${a.toLowerCase()}`;
  await patch(`/links/${a}`, { slug: own });
  const scans = [scanRow({ slug: a }), scanRow({ slug: a, kind: 'bot' }), scanRow({ slug: b })];
  await insertScans(sql, scans);
  await insertScans(sql, [...scans, scanRow({ slug: a }), scanRow({ slug: b, kind: 'preview' })]);
  await tellScans(sql);
  t.equal((await told()).length, 0, 'no second event within the minute');
  await insertScans(sql, [scanRow({ slug: a })]);
  await waitAMinute();
  await Promise.all([tellScans(sql), tellScans(sql), tellScans(sql)]);
  await tellScans(sql);
  const [event, ...rest] = await told();
  t.equal(rest.length, 0);
  t.match(event!.data, {
    ...{ people: 4, bots: 1, previews: 1, links: 2 },
    codes: [
      { slug: own, people: 3, bots: 1, previews: 0, code_id: /^[\da-f-]{36}$/ },
      { slug: b, people: 1, bots: 0, previews: 1 },
    ],
  });
  const { from, to } = event!.data as { from: string; to: string };
  t.ok(Date.parse(to) - Date.parse(from) >= 60_000);
  t.strictSame((await told(later))[0]!.data, event!.data);
});

t.test('scans without a subscribed webhook are not recorded', async (t) => {
  const { bulk } = await subscriber(['link.changed']);
  const [slug] = (await bulk(1)).slugs as [string];
  await insertScans(sql, [scanRow({ slug })]);
  t.equal((await sql`select from webhook_scans where slug = ${slug}`).length, 0);
});

t.test('a scan event names the hundred links with the most people', async (t) => {
  const { told, bulk } = await subscriber(['scan']);
  const slugs = [...(await bulk(100)).slugs, ...(await bulk(20)).slugs];
  const busy = slugs.slice(30, 60);
  await insertScans(
    sql,
    [...slugs, ...busy].map((slug) => scanRow({ slug })),
  );
  await waitAMinute();
  await tellScans(sql);
  const [event] = await told();
  t.match(event!.data, { links: 120, people: 150 });
  const { codes } = event!.data as { codes: { slug: string; people: number }[] };
  t.equal(codes.length, 100);
  t.strictSame(
    codes
      .slice(0, 30)
      .map(({ slug }) => slug)
      .sort(),
    [...busy].sort(),
  );
});

t.test('the counts of scan events add up to the totals, however scans and events interleave', async () => {
  const { told, bulk } = await subscriber(['scan']);
  const { slugs } = await bulk(3);
  const known: ScanRow[] = [];
  const one = fc.record({
    slug: fc.constantFrom(...slugs),
    kind: fc.constantFrom('person' as const, 'bot' as const, 'preview' as const),
  });
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.array(one, { minLength: 1, maxLength: 6 }) },
    { weight: 1, arbitrary: fc.constantFrom('again' as const, 'tell' as const) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      for (const what of steps) {
        if (what === 'again') await insertScans(sql, known.slice(-5));
        else if (what === 'tell') await waitAMinute().then(() => tellScans(sql));
        else {
          const scans = what.map(scanRow);
          known.push(...scans);
          await insertScans(sql, scans);
        }
      }
      await waitAMinute();
      await tellScans(sql);
      // The app sends scan events too, and may not have committed those that are missing here.
      await until(async () => {
        const events = (await told()).map(({ data }) => data as unknown as Record<string, number>);
        const sum = (name: string) => events.reduce((total, event) => total + event[name]!, 0);
        const count = (kind: string) => known.filter((scan) => scan.kind === kind).length;
        return (
          sum('people') === count('person') &&
          sum('bots') === count('bot') &&
          sum('previews') === count('preview')
        );
      });
    }),
    { numRuns: 40 },
  );
});

t.test('events are listed without a webhook, by type and time, and page by page', async (t) => {
  const { key, bulk, patch, get } = await newClient(app);
  const { events } = createHooks(app, key);
  const { slug } = (await bulk(['https://example.com/'])).results[0]!;
  for (const n of [1, 2, 3]) await patch(`/links/${slug}`, { destination: `https://example.com/${n}` });
  const typesOf = ({ data }: Answer['json']) => data.map(({ type }) => type);
  const all = await events();
  t.strictSame(typesOf(all), [...Array(3).fill('link.changed'), 'code.created', 'key.created']);
  t.match(all, { next_cursor: null, complete_since: /^\d{4}-/ });
  const short_url = `http://qr.test/l/${slug}`;
  t.match(all.data[0], { data: { slugs: [slug], links: [{ slug, short_url }] }, deliveries: [] });
  t.equal((await events('&type=link.changed')).data.length, 3);
  const [, second] = all.data;
  const since = await events(`&since=${second!.created_at}`);
  t.strictSame(typesOf(since), ['link.changed', 'link.changed']);
  t.equal((await events(`&until=${second!.created_at}`)).data.length, 3);
  const first = (await get('/events?limit=4')).json;
  const rest = (await get(`/events?limit=4&cursor=${first.next_cursor}`)).json;
  t.strictSame([...first.data, ...rest.data], all.data);
  t.equal(rest.next_cursor, null);
  const reversed = 'since=2026-02-01&until=2026-01-01';
  for (const query of ['type=x', 'since=x', 'delivered=x', reversed, 'from=2026-01-01'])
    t.equal((await get(`/events?${query}`)).status, 400, query);
  const other = await account();
  t.equal((await createHooks(app, other.key).events('&type=link.changed')).data.length, 0);
  const { key: weak } = await account({ scopes: ['generate'] });
  t.equal((await call({ url: '/api/v1/events', key: weak })).status, 403);
});

t.test('events are listed by whether webhooks have received them', async (t) => {
  const { hooks, hook, subscribe, id: accountId } = await subscriber(['batch.done']);
  const other = await subscribe([]);
  await insertEvents(sql, hook, 3);
  const ids = (await hooks.events(`&webhook_id=${hook}`)).data.map(({ id }) => id);
  t.equal(ids.length, 3);
  t.equal((await hooks.events(`&webhook_id=${other}`)).data.length, 0);
  await sql`
    insert into webhook_deliveries (event_id, webhook_id, state, tries, status)
    values (${ids[0]!}, ${other}, 'delivered', 2, 204)`;
  await sql`update webhook_deliveries set state = 'delivered' where event_id = ${ids[1]!}`;
  const listed = async (query: string) =>
    (await hooks.events(`&type=batch.done${query}`)).data.map(({ id }) => id);
  t.strictSame(await listed('&delivered=true'), [ids[1]]);
  t.strictSame(await listed('&delivered=false'), [ids[0], ids[2]]);
  t.strictSame(await listed(`&delivered=true&webhook_id=${other}`), [ids[0]]);
  t.strictSame(await listed(`&delivered=false&webhook_id=${other}`), []);
  const [first] = (await hooks.events(`&webhook_id=${other}`)).data;
  t.match(first, {
    deliveries: [
      { webhook_id: hook, state: 'waiting', tries: 0, status: null, tried_at: null },
      { webhook_id: other, state: 'delivered', tries: 2, status: 204 },
    ],
  });
  await hooks.remove(other);
  t.strictSame(await listed('&delivered=true'), [ids[1]], 'a deleted webhook no longer counts');
  await sql`delete from events where account_id = ${accountId}`;
});

t.test('a page of events looks at ten thousand at most, and continues there', async (t) => {
  const { hooks, hook, id: accountId } = await subscriber([]);
  await insertEvents(sql, hook, 10_050);
  await sql`
    update events set type = 'quota.low' where id = (
      select id from events where account_id = ${accountId} and type = 'batch.done' order by created_at, id limit 1)`;
  const first = await hooks.events('&type=quota.low');
  t.strictSame(first.data, []);
  const next = await hooks.events(`&type=quota.low&cursor=${first.next_cursor}`);
  t.match(next, { data: [{ type: 'quota.low' }], next_cursor: null });
  await sql`delete from events where account_id = ${accountId}`;
});

t.test('events that a webhook missed are sent again since a time, with the same ids', async (t) => {
  const receiver = await receiverFor(t);
  const { key } = await account();
  const { make, patch, post, events } = createHooks(app, key);
  const { id } = await make(receiver.url, ['key.created']);
  const makeKey = (name: string) => call({ method: 'POST', url: '/api/v1/keys', key, body: { name } });
  const since = new Date(Date.now() - 1000).toISOString();
  const again = async (body: object = {}) => post(`/${id}/redeliveries`, { since, ...body });
  const idsOf = () => receiver.received.map((one) => one.id);
  await makeKey('first');
  await until(() => receiver.received.length === 1);
  await patch(id, { state: 'off' });
  await makeKey('second');
  t.equal((await again()).status, 409, 'not while it is off');
  await patch(id, { state: 'on' });
  const [second, first, own] = (await events('&type=key.created')).data;
  t.match(second!.deliveries, [], 'recorded while the webhook was off');
  await until(async () => (await events('&delivered=true')).data.length === 1);
  t.match(await again({ only_undelivered: true, since: second!.created_at }), {
    ...{ status: 202, json: { count: 1, next_since: null } },
  });
  await until(() => receiver.received.length === 2);
  t.strictSame(idsOf(), [first!.id, second!.id]);
  await until(async () => (await events('&delivered=true')).data.length === 2);

  t.match((await again({ types: ['quota.low'] })).json, { count: 0 });
  t.match((await again({ until: second!.created_at, since: first!.created_at })).json, { count: 1 });
  await until(() => receiver.received.length === 3);
  t.equal(idsOf().at(-1), first!.id, 'what was received is sent again');
  t.match((await again({ since: '2026-01-01T00:00:00Z' })).json, { count: 3 });
  await until(() => new Set(idsOf()).size === 3 && receiver.received.length >= 6);
  t.ok(idsOf().includes(own!.id), 'also what happened before there was a webhook');
  for (const body of [{ since: '2099-01-01T00:00:00Z' }, { since: 'x' }, { types: [] }, { until: since }])
    t.equal((await again(body)).status, 400, JSON.stringify(body));
  t.equal((await post(`/${first!.id}/redeliveries`, { since })).status, 404);
});

t.test('a redelivery looks at ten thousand events, and says where the next one continues', async (t) => {
  const { hooks, hook, id: accountId } = await subscriber([]);
  await insertEvents(sql, hook, 10_300, 1);
  await sql`update webhook_deliveries set state = 'failed' where webhook_id = ${hook}`;
  const states = () => sql<{ count: number }[]>`
    select count(*)::int from webhook_deliveries where webhook_id = ${hook} and state = 'waiting'`;
  let since: unknown = '2026-01-01T00:00:00Z';
  for (let calls = 0; since !== null && calls < 3; calls += 1)
    since = (await hooks.post(`/${hook}/redeliveries`, { since })).json.next_since;
  t.equal(since, null);
  t.equal((await states())[0]!.count, 10_300);
  await sql`delete from events where account_id = ${accountId}`;
});

t.test('an event is delivered exactly as it was recorded', async (t) => {
  const receiver = await receiverFor(t);
  const { key } = await account();
  await createHooks(app, key).make(receiver.url, ['key.created']);
  await call({ method: 'POST', url: '/api/v1/keys', key, body: { name: 'New' } });
  await until(() => receiver.received.length > 0);
  t.match(receiver.received[0]!.json, { type: 'key.created', data: { name: 'New' } });
});
