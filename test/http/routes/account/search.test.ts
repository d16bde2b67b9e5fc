/** Text search of folders and codes, and the scans of all links of an account. */
import t from 'tap';
import { until } from '../../../servers/until.ts';
import type { ScanNumbers } from '../../../support/app/answer-body.ts';
import { sharedApp } from '../../../support/app/app.ts';
import { newClient } from '../../../support/app/client.ts';
import { PHONE_BROWSER } from '../../../support/browser/phone-browser.ts';
import { fieldsOf } from '../../../support/fields-of.ts';

const gateway = await sharedApp();

const newAccount = async () => {
  const client = await newClient(gateway);
  const search = async (list: 'folders' | 'codes', search: string) =>
    (await client.get(`/${list}?${new URLSearchParams({ search, limit: '100' })}`)).json.data;
  return { ...client, search };
};

t.test('codes are found by the current and earlier custom slugs of their links', async (t) => {
  const { bulk, get, patch, search } = await newAccount();
  const { folderId } = await bulk(['https://example.com/a', 'https://example.com/b'], 'Menus');
  const [a, b] = (await get(`/folders/${folderId}/codes`)).json.data;
  const own = `Menu-${a!.slug}`;
  for (const slug of [`old-${a!.slug}`, own]) await patch(`/links/${a!.slug}`, { slug });
  await patch(`/links/${b!.slug}`, { slug: `wine-${b!.slug}` });
  const found = async (text: string) => (await search('codes', text)).map(({ id }) => id);
  t.strictSame(await found(own.toUpperCase()), [a!.id]);
  t.strictSame(await found(`old-${a!.slug}`), [a!.id], 'printed codes may still have the earlier slug');
  t.strictSame(await found('wine-'), [b!.id]);
  t.strictSame(await found(`old-${a!.slug} Menu`), [], 'a match does not span two slugs');
  const claimed = { slug: `old-${a!.slug}` };
  await patch(`/links/${own}`, claimed);
  t.strictSame(await found('Menu-'), [a!.id], 'a slug that is used again is found once');
});

t.test('folders are found by a part of their name', async (t) => {
  const { get, post, search } = await newAccount();
  const names = ['Spring 2026', 'spring 100%', 'Autumn_2026', 'Back\\slash', 'Caf\u00e9', '<img src=x>'];
  for (const name of names) await post('/folders', { name });
  const found = async (text: string) => fieldsOf(await search('folders', text), 'name');
  t.strictSame(await found('SPRING'), ['spring 100%', 'Spring 2026']);
  t.strictSame(await found('%'), ['spring 100%'], 'wildcards match themselves');
  t.strictSame(await found('_'), ['Autumn_2026']);
  t.strictSame(await found('\\'), ['Back\\slash']);
  t.strictSame(await found('fe\u0301'), ['Caf\u00e9'], 'in composed or decomposed form');
  t.strictSame(await found('<img'), ['<img src=x>']);
  t.strictSame(await found('winter'), []);
  t.strictSame(await found("'; drop table folders; --"), []);
  t.equal((await found('')).length, names.length);
  t.equal((await get(`/folders?search=${'x'.repeat(201)}`)).status, 400);

  const { json: first } = await get('/folders?search=2026&limit=1');
  const { json: second } = await get(`/folders?search=2026&limit=1&cursor=${first.next_cursor}`);
  t.strictSame(
    [first.data[0]!.name, second.data[0]!.name, second.next_cursor],
    ['Autumn_2026', 'Spring 2026', null],
  );
});

t.test('the scans of an account are the sum over its links', async (t) => {
  const { get, bulk, del } = await newAccount();
  const { folderId: folder } = await bulk(['https://example.com/1', 'https://example.com/2'], 'One');
  await bulk(['https://example.com/3', 'plain'], 'Two');
  const codes = (await get('/codes')).json.data;
  const links = codes.flatMap(({ slug }) => slug ?? []);
  const scan = (slug: string, agent: string) =>
    gateway.call({ url: `/l/${slug}`, headers: { 'user-agent': agent } });
  for (const slug of links) await scan(slug, PHONE_BROWSER);
  await scan(links[0]!, PHONE_BROWSER);
  await scan(links[1]!, 'Googlebot/2.1 (+http://www.google.com/bot.html)');
  await scan(links[2]!, 'WhatsApp/2.23.20.0');
  const other = await newAccount();
  await other.bulk(['https://example.com/'], 'Other');
  await scan((await other.get('/codes')).json.data[0]!.slug, PHONE_BROWSER);

  const seen = async () => (await get('/scans')).json.totals;
  const total = ({ people, bots, previews }: ScanNumbers) => people + bots + previews;
  await until(async () => total(await seen()) >= 6);
  const { json } = await get('/scans');
  const keys = ['from', 'to', 'interval', 'time_zone', 'totals', 'series', 'complete_since'];
  t.strictSame(Object.keys(json), keys);
  t.strictSame(json.totals, { people: 4, bots: 1, previews: 1, unique_visitors: 3 });
  t.equal(json.series.length, 31);

  for (const query of ['', '?interval=hour', '?interval=month&time_zone=Europe/Berlin']) {
    const all = (await get(`/scans${query}`)).json;
    const each = [];
    for (const slug of links) each.push((await get(`/links/${slug}/scans${query}`)).json);
    for (const [i, point] of all.series.entries()) {
      t.equal(point.start, each[0]!.series[i]!.start);
      for (const count of ['people', 'bots', 'previews', 'unique_visitors'] as const) {
        t.equal(
          point[count],
          each.reduce((sum, one) => sum + one.series[i]![count], 0),
        );
      }
    }
  }
  t.equal((await get('/scans?interval=week')).status, 400);
  t.equal((await get('/scans?to=2020-01-01T00:00:00Z&from=2026-01-01T00:00:00Z')).status, 400);

  await del(`/folders/${folder}`);
  t.equal(total(await seen()), 6, 'those of links that are deleted later stay');
  t.equal((await other.get('/scans')).json.totals.bots, 0);
});
