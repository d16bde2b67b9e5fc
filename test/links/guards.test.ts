/** Rules, rule sets, limits and passwords of short links, from the point of view of accounts and visitors. */
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { until } from '../servers/until.ts';
import { sharedApp } from '../support/app/app.ts';
import { newClient, RANDOM_ID } from '../support/app/client.ts';

const app = await sharedApp();
const HOME = 'https://example.com/home';
const ANDROID =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36';
const DESKTOP = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const PAGE = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' };

const rule = (name: string, when: object, destination = `https://example.com/${name}`) => ({
  name,
  when,
  destination,
});
const APP = rule('app', { device: ['android'] });

/** An account with links to `HOME`. */
const withLinks = async (count = 1) => {
  const client = await newClient(app, { monthlyQuota: 10_000 });
  const { results } = await client.bulk(Array.from({ length: count }, () => HOME));
  return { ...client, slugs: results.map(({ slug }) => slug!), slug: results[0]!.slug! };
};

const visit = async (slug: string, headers: Readonly<Record<string, string>> = {}, query = '') => {
  const url = `/l/${slug}${query}`;
  return app.call({ url, headers: { 'user-agent': DESKTOP, ...headers } });
};
const ledTo = async (...visited: Parameters<typeof visit>) => (await visit(...visited)).headers.location;

t.test(
  'the first rule that fits leads a visit, writes its name into the scan, and is gone with null',
  async (t) => {
    const { get, patch, slug } = await withLinks();
    const rules = [rule('swiss', { country: ['CH'], language: ['de'] }), APP];
    const changed = await patch(`/links/${slug}`, { rules });
    t.strictSame(changed.json.rules, rules);
    t.equal((await get(`/links/${slug}`)).json.etag, changed.json.etag, 'the version stays when it is read');
    t.equal(await ledTo(slug), HOME);
    t.equal(
      await ledTo(slug, { 'cf-ipcountry': 'CH', 'accept-language': 'de-CH,de;q=0.9' }),
      rules[0]!.destination,
    );
    t.equal(await ledTo(slug, { 'cf-ipcountry': 'CH', 'accept-language': 'fr' }), HOME);
    t.equal(await ledTo(slug, { 'user-agent': ANDROID }), APP.destination);
    const byRule = async () => (await get(`/links/${slug}/scans`)).json.breakdowns.rule;
    await until(async () => (await get(`/links/${slug}`)).json.scan_count === 4);
    t.strictSame(await byRule(), [
      { value: 'app', people: 1, bots: 0, previews: 0 },
      { value: 'swiss', people: 1, bots: 0, previews: 0 },
      { value: null, people: 2, bots: 0, previews: 0 },
    ]);
    t.match((await get(`/scans/raw?slug=${slug}&format=csv`)).text, /,app\r\n/);
    await patch(`/links/${slug}`, { rules: null });
    t.equal(await ledTo(slug, { 'user-agent': ANDROID }), HOME);
    const { data } = (await get(`/links/${slug}/history`)).json;
    t.strictSame(
      data.map((entry) => entry.rules),
      [null, rules, null],
    );
  },
);

t.test('rules that can never hold or lead where links cannot are refused by their field', async (t) => {
  const { patch, slug } = await withLinks();
  const refused = async (rules: readonly object[], field: RegExp) => {
    const { status, json } = await patch(`/links/${slug}`, { rules });
    t.equal(status, 400, JSON.stringify(rules));
    t.match(json.details, field);
  };
  await refused([APP, APP], /^rules\.1\.name: /);
  for (const destination of [
    'javascript:alert(1)',
    '//evil.example',
    'https://a@b.example',
    'https://a.example/\r\nx: y',
  ])
    await refused([rule('a', { visit: 'first' }, destination)], /^rules\.0\.destination: /);
  await refused([rule('a', { time: { zone: 'Mars/Base', from: '10:00' } })], /^rules\.0\.when\.time\.zone: /);
  await refused(
    [rule('a', { time: { zone: 'UTC', from: '10:00', until: '10:00' } })],
    /^rules\.0\.when\.time\.until: /,
  );
  const date = { from: '2026-01-02T00:00:00Z', until: '2026-01-01T00:00:00Z' };
  await refused([rule('a', { date })], /^rules\.0\.when\.date\.until: /);
  for (const when of [
    {},
    { date: { from: '2016-12-31T23:59:60Z' } },
    { device: [] },
    { moon: ['full'] },
    { share_percent: 0 },
    { share_percent: 100 },
    { country: ['de'] },
  ])
    await refused([rule('a', when)], /^rules\.0\.when/);
  await refused([rule('a\tb', { visit: 'first' })], /^rules\.0\.name: /);
  await refused(
    Array.from({ length: 21 }, (_, n) => rule(`r${n}`, { visit: 'first' })),
    /^rules: /,
  );
  const long = 'x'.repeat(8000);
  await refused(
    ['a', 'b', 'c'].map((name) => rule(name, { visit: 'first' }, `https://example.com/${long}`)),
    /^rules: /,
  );
});

t.test('only the first of two visits on a day is a first one, and HEAD is none', async (t) => {
  const { patch, slug } = await withLinks();
  const first = rule('new', { visit: 'first' });
  await patch(`/links/${slug}`, { rules: [first] });
  await app.call({ method: 'HEAD', url: `/l/${slug}`, headers: { 'user-agent': DESKTOP } });
  t.equal(await ledTo(slug), first.destination);
  t.equal(await ledTo(slug), HOME);
  t.equal(await ledTo(slug, { 'user-agent': ANDROID }), first.destination, 'another visitor');
});

t.test('the query of a visit is compared decoded', async (t) => {
  const { patch, slug } = await withLinks();
  const poster = rule('poster', { query: { utm_source: ['ä b'] } });
  await patch(`/links/${slug}`, { rules: [poster] });
  t.equal(await ledTo(slug, {}, '?utm_source=%C3%A4+b'), poster.destination);
  t.equal(await ledTo(slug, {}, '/?x=1&utm_source=c&utm_source=%C3%A4%20b'), poster.destination);
  t.equal(await ledTo(slug, {}, '?utm_source=a'), HOME);
  t.equal(await ledTo(slug), HOME);
});

t.test('an explanation says which rule leads a visit, and why earlier ones do not', async (t) => {
  const { patch, post, slug } = await withLinks();
  await patch(`/links/${slug}`, {
    rules: [rule('swiss', { country: ['CH'] }), APP, rule('last', { visit: 'first' })],
  });
  const { json } = await post(`/links/${slug}/explain`, { country: 'DE', user_agent: ANDROID });
  t.strictSame(json, {
    outcome: 'rule',
    destination: APP.destination,
    rule: 'app',
    needs_password: false,
    tried: [
      { rule: 'swiss', fires: false, condition: 'country', found: 'DE' },
      { rule: 'app', fires: true, condition: null, found: null },
    ],
  });
  const later = await post(`/links/${slug}/explain`, { visit: 'later' });
  t.match(later.json, { outcome: 'none', destination: HOME, rule: null, tried: { length: 3 } });
  await patch(`/links/${slug}`, { active_until: '2030-01-01T00:00:00Z', password: 'open sesame' });
  t.match((await post(`/links/${slug}/explain`, {})).json, { outcome: 'rule', needs_password: true });
  const after = await post(`/links/${slug}/explain`, { at: '2031-01-01T00:00:00Z' });
  t.match(after.json, { outcome: 'after_end', destination: null, needs_password: false });
  t.equal((await post(`/links/${slug}/explain`, { moon: 'full' })).status, 400);
  const timed = rule('timed', { time: { zone: 'Europe/Berlin', until: '00:01' } });
  await patch(`/links/${slug}`, { rules: [timed], active_until: null });
  const leap = await post(`/links/${slug}/explain`, { at: '2016-12-31T23:59:60Z' });
  t.match(leap, { status: 400, json: { details: /^at: must be a date and time/ } });
  const early = await post(`/links/${slug}/explain`, { at: '1960-02-29T12:00:00Z' });
  t.match(early.json, { tried: [{ found: 'mon 13:00' }] });
});

t.test(
  'a rule set leads the visits of all its links, after their own rules, and is changed and undone for all',
  async (t) => {
    const { get, post, patch, del, slugs } = await withLinks(3);
    const [one = '', two = '', three = ''] = slugs;
    const { json: set, status } = await post('/rule-sets', { name: ' Apps ', rules: [APP] });
    t.match({ status, set }, { status: 201, set: { name: 'Apps', links: 0, rules: [APP] } });
    const given = await patch('/links', { slugs, change: { rule_set_id: set.id } });
    t.match(given.json, { changed: 3 });
    await patch(`/links/${three}`, { rules: [rule('own', { device: ['android'] })] });
    const all = () => Promise.all(slugs.map((slug) => ledTo(slug, { 'user-agent': ANDROID })));
    t.strictSame(await all(), [APP.destination, APP.destination, 'https://example.com/own']);

    const play = rule('play', { device: ['android'] });
    const path = `/rule-sets/${set.id}`;
    const dry = await patch(`${path}?dry_run=true`, { rules: [play] });
    t.match(dry.json, { links: 3, rules: [play] });
    t.match((await patch(`${path}?dry_run=true`, { rules: [rule('x', {})] })).status, 400);
    t.equal((await get(path)).json.etag, set.etag, 'a dry run changes nothing');
    t.equal((await patch(path, { rules: [play] }, { 'if-match': '"other"' })).status, 412);
    await patch(path, { rules: [play] }, { 'if-match': set.etag });
    t.strictSame(await all(), [play.destination, play.destination, 'https://example.com/own']);
    const { data } = (await get(`${path}/history`)).json;
    t.match(data, [{ rules: [play] }, { rules: [APP] }]);
    await patch(path, { rules: data[1]!.rules });
    t.equal(await ledTo(one, { 'user-agent': ANDROID }), APP.destination);

    t.match(await del(path), { status: 409, json: { error: 'Still in use' } });
    const undone = await post(`/links/changes/${given.json.change_id}/undo`);
    t.match(undone.json, { changed: 3 });
    t.equal(await ledTo(two, { 'user-agent': ANDROID }), HOME);
    t.equal((await del(path)).status, 204);
    t.equal((await get(path)).status, 404);
    const again = await post(`/links/changes/${undone.json.change_id}/undo`);
    t.equal(again.status, 200, 'the deleted set is left out');
    t.equal((await get(`/links/${one}`)).json.rule_set_id, null);
  },
);

t.test('names of rule sets are unique in the account', async (t) => {
  const { post, patch } = await withLinks();
  await post('/rule-sets', { name: 'A', rules: [APP] });
  t.equal((await post('/rule-sets', { name: 'A', rules: [APP] })).status, 409);
  const { json } = await post('/rule-sets', { name: 'B', rules: [APP] });
  t.equal((await patch(`/rule-sets/${json.id}`, { name: 'A' })).status, 409);
  t.equal((await patch(`/rule-sets/${json.id}`, { name: 'B' })).status, 200);
});

t.test('another account sees, uses, explains and changes none of it', async (t) => {
  const mine = await withLinks();
  const { json: set } = await mine.post('/rule-sets', { name: 'Mine', rules: [APP] });
  const other = await withLinks();
  const path = `/rule-sets/${set.id}`;
  for (const call of [
    () => other.get(path),
    () => other.get(`${path}/history`),
    () => other.patch(path, { name: 'Theirs' }),
    () => other.patch(`${path}?dry_run=true`, { name: 'Theirs' }),
    () => other.del(path),
    () => other.post(`/links/${mine.slug}/explain`, {}),
  ])
    t.equal((await call()).status, 404);
  t.strictSame((await other.get('/rule-sets')).json.data, []);
  for (const id of [set.id, RANDOM_ID]) {
    t.match(await other.patch(`/links/${other.slug}`, { rule_set_id: id }), {
      status: 400,
      json: { details: 'rule_set_id: there is no such rule set' },
    });
    const many = await other.patch('/links', { slugs: other.slugs, change: { rule_set_id: id } });
    t.match(many, { status: 400, json: { details: 'change.rule_set_id: there is no such rule set' } });
  }
  t.equal((await mine.get(path)).json.links, 0);
});

t.test('a link with a limit leads exactly so many people, and then as after its end', async (t) => {
  const { get, patch, slug } = await withLinks();
  await patch(`/links/${slug}`, { visit_limit: 7, after_destination: 'https://example.com/over' });
  const led: unknown[] = [];
  for (let n = 0; n < 14; n += 1) {
    led.push(await ledTo(slug));
    await ledTo(slug, { 'user-agent': 'curl/8.0' });
    // Over several reads of the count and writes of scans.
    await sleep(200);
  }
  t.strictSame(led, [...Array(7).fill(HOME), ...Array(7).fill('https://example.com/over')]);
  await until(async () => (await get(`/links/${slug}`)).json.scan_count === 14);
  await patch(`/links/${slug}`, { visit_limit: 20, after_destination: null });
  t.equal(await ledTo(slug), HOME, 'a higher limit opens it again');
  await patch(`/links/${slug}`, { visit_limit: 3 });
  t.equal((await visit(slug)).status, 404);
});

t.test('a password opens a link to those who have it, without scripts, and is never shown', async (t) => {
  const { get, patch, slug } = await withLinks();
  const changed = await patch(`/links/${slug}`, { password: 'open sesame', rules: [APP] });
  t.match(changed.json, { has_password: true });
  for (const { text } of [changed, await get(`/links/${slug}`), await get(`/links/${slug}/history`)])
    t.notMatch(text, /sesame|scrypt|password_hash/);
  const locked = await visit(slug);
  t.match(locked, { status: 403, json: { error: 'Password required' } });
  t.equal(locked.headers.location, undefined);
  t.equal((await app.call({ method: 'HEAD', url: `/l/${slug}` })).headers.location, undefined);
  const page = await visit(slug, PAGE);
  t.match(page.text, /<form method="post">/);
  t.notMatch(page.text, /<script/);
  const send = (body: string, headers = {}) =>
    app.call({
      method: 'POST',
      url: `/l/${slug}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': DESKTOP, ...headers },
      body,
    });
  t.match(await send('password=open+sesame'), { status: 303, headers: { location: HOME } });
  const byRule = await send('password=open%20sesame', { 'user-agent': ANDROID });
  t.match(byRule, { status: 303, headers: { location: APP.destination } });
  t.equal(
    (await app.call({ method: 'POST', url: `/l/${slug}`, body: { password: 'open sesame' } })).status,
    415,
  );
  for (const wrong of ['', 'password=', 'password=Open+sesame', 'password=a&password=open+sesame', 'x=1'])
    t.equal((await send(wrong)).status, 403, wrong);
  t.match((await send('password=guess')).status, 429);
  t.equal(
    (await send('password=open+sesame')).status,
    429,
    'the right one waits too, or it could be guessed',
  );
  await until(async () => (await get(`/links/${slug}`)).json.scan_count === 2);
  const etag = (await get(`/links/${slug}`)).json.etag;
  const again = await patch(`/links/${slug}`, { password: 'another one' });
  t.not(again.json.etag, etag);
  await patch(`/links/${slug}`, { password: null });
  t.equal(await ledTo(slug), HOME);
});
