/** For how long browsers may repeat the redirect of a short link without asking. */
import t from 'tap';
import { until, WITHIN_A_SECOND } from '../../servers/until.ts';
import { type Call, sharedApp, sharedPeer, type TestApp } from '../../support/app/app.ts';
import { newClient } from '../../support/app/client.ts';
import { PHONE_BROWSER } from '../../support/browser/phone-browser.ts';

const ALIVE = 'https://example.com/alive';
const AGE_S = 3600;
const KEPT = `private, max-age=${AGE_S}`;

const here = await sharedApp();
const there = await sharedPeer();

const visit = async (slug: string, method: Call['method'] = 'GET', app: TestApp = here) => {
  const { headers } = await app.call({
    method,
    url: `/l/${slug}`,
    headers: { 'user-agent': PHONE_BROWSER },
  });
  return headers['cache-control'];
};

/** An account whose links may be kept for an hour, on both gateways. */
const start = async () => {
  const client = await newClient(here);
  const link = async (): Promise<string> =>
    (await client.post('/codes', { data: ALIVE, dynamic: true })).json.slug;
  const setAge = (seconds: unknown) => client.patch('/account', { redirect_max_age_s: seconds });
  const plain = await link();
  const becomes = (value: string) =>
    until(async () => {
      const kept = await Promise.all([visit(plain), visit(plain, 'GET', there)]);
      return kept.every((each) => each === value);
    }, WITHIN_A_SECOND);
  return { ...client, link, setAge, plain, becomes };
};

t.test('a redirect is kept only while its account says so, on every gateway within a second', async (t) => {
  const { get, setAge, plain, becomes } = await start();
  t.match(await get('/account'), { json: { redirect_max_age_s: 0 } });
  t.strictSame(await Promise.all([visit(plain), visit(plain, 'GET', there)]), ['no-store', 'no-store']);
  t.match(await setAge(AGE_S), { status: 200, json: { redirect_max_age_s: AGE_S } });
  await becomes(KEPT);
  t.equal(await visit(plain, 'HEAD'), KEPT);
  t.match(await setAge(0), { json: { redirect_max_age_s: 0 } });
  await becomes('no-store');
});

t.test('what depends on the visitor, or leads nowhere, is never kept', async (t) => {
  const { patch, link, setAge, plain, becomes } = await start();
  await setAge(AGE_S);
  await becomes(KEPT);
  const changed = async (change: object): Promise<string> => {
    const slug = await link();
    t.equal((await patch(`/links/${slug}`, change)).status, 200);
    return slug;
  };
  const rules = [{ name: 'phones', when: { device: ['android'] }, destination: 'https://example.com/app' }];
  const past = new Date(Date.now() - 60_000).toISOString();
  const slugs = [
    await changed({ rules }),
    await changed({ visit_limit: 5 }),
    await changed({ password: 'open sesame' }),
    await changed({ active_until: past }),
    'never1made',
  ];
  for (const slug of slugs) t.equal(await visit(slug), 'no-store', slug);
  t.equal((await patch('/account', { dead_link_url: 'https://example.com/over' })).status, 200);
  t.equal(await visit(slugs[3]!), 'no-store', 'the address of dead links');
  t.equal(await visit(plain), KEPT);
});

t.test('a redirect is kept no longer than until the start or the end of its link', async (t) => {
  const { patch, link, setAge, becomes } = await start();
  await setAge(AGE_S);
  await becomes(KEPT);
  const at = (seconds: number) => new Date(Date.now() + 1000 * seconds).toISOString();
  const ageOf = async (change: object): Promise<number> => {
    const slug = await link();
    t.equal((await patch(`/links/${slug}`, change)).status, 200);
    return Number(/^private, max-age=(\d+)$/.exec((await visit(slug)) as string)?.[1]);
  };
  const ends = await ageOf({ active_until: at(600) });
  t.ok(ends > 300 && ends < 600, `ends: ${ends}`);
  const begins = await ageOf({ active_from: at(500), before_destination: 'https://example.com/soon' });
  t.ok(begins > 200 && begins < 500, `begins: ${begins}`);
  t.equal(await ageOf({ active_until: at(7 * AGE_S) }), AGE_S);
  const over = { active_until: at(-5), after_destination: 'https://example.com/over' };
  t.equal(await ageOf(over), AGE_S, 'after its end nothing changes any more');
  const slug = await link();
  await patch(`/links/${slug}`, { active_until: at(0.8) });
  t.equal(await visit(slug), 'no-store', 'less than a second is not kept');
});

t.test('another account, and a time out of bounds, change nothing', async (t) => {
  const [mine, other] = [await start(), await start()];
  await mine.setAge(AGE_S);
  await mine.becomes(KEPT);
  t.equal(await visit(other.plain), 'no-store');
  for (const wrong of [-1, 86_401, 1.5, '60', null]) {
    const { status, json } = await mine.setAge(wrong);
    t.match([status, json.details], [400, /redirect_max_age_s/], String(wrong));
  }
  t.equal(await visit(mine.plain), KEPT);
  t.equal((await mine.setAge(86_400)).status, 200);
  await mine.becomes('private, max-age=86400');
});
