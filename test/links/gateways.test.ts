/** Two gateways on one database: edits of one are followed by both, and a limit holds over both. */
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { ndjson } from '../batches/support.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { until, WITHIN_A_SECOND } from '../servers/until.ts';
import { startApp, type TestApp } from '../support/app/app.ts';
import { newClient } from '../support/app/client.ts';
import { realDatabaseUrl } from '../support/database/database.ts';
import { startReceiver } from '../webhooks/receiver.ts';

const env = {
  DATABASE_URL: await realDatabaseUrl(),
  BATCH_STORE: await temporaryFolder(t),
  WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
};
const [here, there] = [await startApp(t, env), await startApp(t, env)];
const GATEWAYS: readonly TestApp[] = [here, there];

const HOME = 'https://example.com/home';
const VISITOR = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

const visit = async ({ call }: TestApp, slug: string) =>
  (await call({ url: `/l/${slug}?b=2`, headers: { 'user-agent': VISITOR } })).headers.location;

/** An account with links to `HOME`, which both gateways have in memory. */
const withLinks = async (count = 1) => {
  const client = await newClient(here, { monthlyQuota: 10_000 });
  const { results } = await client.bulk(Array.from({ length: count }, () => HOME));
  const slugs = results.map(({ slug }) => slug!);
  for (const gateway of GATEWAYS) for (const slug of slugs) await visit(gateway, slug);
  return { ...client, slugs, slug: slugs[0]! };
};

/** Waits until visits of both gateways come to an address, and notes how long that took. */
const bothCome = async (
  t: Test,
  what: string,
  slugs: readonly string[],
  address: (slug: string) => string,
) => {
  const startedMs = performance.now();
  for (const gateway of GATEWAYS)
    for (const slug of slugs)
      await until(async () => (await visit(gateway, slug)) === address(slug), WITHIN_A_SECOND);
  const tookMs = performance.now() - startedMs;
  t.comment(`${what}: at both gateways after ${tookMs.toFixed(0)} ms`);
};

t.test('both gateways follow an edit of a rule, a rule set, a link and the account', async (t) => {
  const { patch, post, slug } = await withLinks();
  const rule = (name: string) => ({
    name,
    when: { device: ['desktop'] },
    destination: `https://example.com/${name}`,
  });
  const comes = (what: string, address: string) => bothCome(t, what, [slug], () => address);
  await patch('/account', { forward: { query: 'keep-own' } });
  await comes('forward of the account', `${HOME}?b=2`);
  await patch('/account', { forward: null });
  await patch(`/links/${slug}`, { forward: { utm: { source: 'poster' } } });
  await comes('forward of a link', `${HOME}?utm_source=poster`);
  await patch(`/links/${slug}`, { forward: {}, rules: [rule('own')] });
  await comes('a rule', 'https://example.com/own');
  const { json: set } = await post('/rule-sets', { name: 'Shared', rules: [rule('shared')] });
  await patch(`/links/${slug}`, { rules: null, rule_set_id: set.id });
  await comes('the rule set of a link', 'https://example.com/shared');
  await patch(`/rule-sets/${set.id}`, { rules: [rule('changed')] });
  await comes('the rules of a set', 'https://example.com/changed');
});

t.test('both gateways follow a link job when it has ended', async (t) => {
  const { get, post, slugs } = await withLinks(20);
  const next = (slug: string): string => `https://example.com/next/${slug}`;
  const rows = slugs.map((slug) => ({ slug, destination: next(slug) }));
  const sent = await post('/link-jobs', ndjson(rows), { 'content-type': 'application/x-ndjson' });
  t.equal(sent.status, 202);
  const show = async () => (await get(`/link-jobs/${sent.json.id}`)).json;
  await until(async () => (await show()).finished_at !== null, { pauseMs: 5 });
  await bothCome(t, 'a link job of 20 rows', slugs, next);
  t.match(await show(), { state: 'done', changed: 20 });
});

t.test('a limit holds over two gateways up to the documented lag, and its end is told once', async (t) => {
  const receiver = await startReceiver();
  t.teardown(receiver.close);
  const { get, patch, post, slug } = await withLinks();
  const before = GATEWAYS.length;
  await post('/webhooks', { url: receiver.url, events: ['link.limit_reached'] });
  const [limit, over] = [before + 12, 'https://example.com/over'];
  await patch(`/links/${slug}`, { visit_limit: limit, after_destination: over });
  await until(async () => (await get(`/links/${slug}`)).json.scan_count === before);
  // A count that is read while the visits above are being written has them only the next time.
  await sleep(2500);

  const isLed = async (gateway: TestApp): Promise<boolean> => (await visit(gateway, slug)) === HOME;
  let led = before;
  for (let n = 0; n < 8; n += 1) if (await isLed(here)) led += 1;
  t.equal(led, before + 8);
  await until(async () => (await get(`/links/${slug}`)).json.scan_count === led);
  // The other gateway reads the count at most a second later.
  await sleep(2500);
  for (let n = 0; n < 8; n += 1) if (await isLed(there)) led += 1;
  t.equal(led, limit, 'what one gateway has led counts at the other after the lag');
  await until(async () => !(await isLed(here)), WITHIN_A_SECOND);
  t.equal(await isLed(there), false);

  await until(() => receiver.of('link.limit_reached').length > 0);
  await patch(`/links/${slug}`, { visit_limit: limit + 40 });
  const people = async (): Promise<number> => (await get(`/links/${slug}`)).json.scan_count;
  await until(async () => (await isLed(here)) && (await isLed(there)), WITHIN_A_SECOND);
  const burst = Array.from({ length: 200 }, (_, n) => isLed(GATEWAYS[n % 2]!));
  const ledAtOnce = (await Promise.all(burst)).filter((each) => each).length;
  t.ok(ledAtOnce <= 80, `${ledAtOnce} people: no gateway leads more than the limit`);
  await until(async () => (await people()) >= limit + 40);
  await until(() => receiver.of('link.limit_reached').length > 1);
  await sleep(1500);
  t.strictSame(
    receiver.of('link.limit_reached').map(({ json }) => json.data.visit_limit),
    [limit, limit + 40],
  );
});
