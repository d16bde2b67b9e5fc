/** Which domain new short links are on: that of the call, of its preset, of its folder, or of its account. */
import t from 'tap';
import { until, WITHIN_A_SECOND } from '../servers/until.ts';
import { newClient } from '../support/app/client.ts';
import { startDomains } from './place.ts';

const { here, prove, register, withDomain, link } = await startDomains(t);

const DATA = 'https://example.com/a';
const hostsOf = (codes: readonly object[]): unknown =>
  codes.map((code) => (code as { readonly domain: string | null }).domain);

t.test('the call comes first, then the preset, the folder and the account', async (t) => {
  const { client, host: ofAccount } = await withDomain();
  const hosts: string[] = [];
  for (let i = 0; i < 3; i += 1) {
    const host = await register(client);
    await prove(client, host);
    hosts.push(host);
  }
  const [ofFolder, ofPreset, ofCall] = hosts as [string, string, string];
  const folder = (await client.post('/folders', { name: 'Campaign' })).json.id;
  const preset = (await client.post('/presets', { name: 'House', options: {} })).json.id;
  const dynamic = { data: DATA, dynamic: true };
  const save = async (more: object, headers: Readonly<Record<string, string>> = {}) =>
    (await client.post('/codes', { ...dynamic, ...more }, headers)).json.domain;
  const named = { 'tessera-preset': 'House' };

  t.equal(await save({}), null);
  t.match((await client.patch(`/domains/${ofAccount}`, { is_default: true })).status, 200);
  t.equal(await save({}), ofAccount);
  t.match((await client.patch(`/folders/${folder}`, { domain: ofFolder.toUpperCase() })).json, {
    domain: ofFolder,
  });
  t.equal(await save({ folder_id: folder }), ofFolder);
  t.equal(await save({ folder_name: 'Campaign' }), ofFolder, 'by its name, too');
  t.equal(await save({ folder_name: 'Other' }), ofAccount);
  t.match((await client.patch(`/presets/${preset}`, { domain: ofPreset })).json, { domain: ofPreset });
  await until(async () => (await save({ folder_id: folder }, named)) === ofPreset, WITHIN_A_SECOND);
  t.equal(await save({ folder_id: folder }, { ...named, 'tessera-domain': ofCall }), ofCall);
  t.equal(await save({ folder_id: folder }, { ...named, 'tessera-domain': 'shared' }), null);

  const bulk = async (headers: Readonly<Record<string, string>> = {}) => {
    const { json } = await client.post(
      '/qr/bulk',
      { items: [dynamic, { data: 'static' }], folderId: folder },
      headers,
    );
    const { data } = (await client.get(`/folders/${folder}/codes?limit=100`)).json;
    t.ok(json.results.every(({ success }) => success));
    return hostsOf(data.slice(-2));
  };
  t.strictSame(new Set((await bulk()) as string[]), new Set([ofFolder, null]));
  t.strictSame(new Set((await bulk(named)) as string[]), new Set([ofPreset, null]));

  await client.patch(`/folders/${folder}`, { domain: null });
  t.equal(await save({ folder_id: folder }), ofAccount);
  t.equal((await client.del(`/domains/${ofPreset}`)).status, 204);
  t.equal((await client.get(`/presets/${preset}`)).json.domain, null, 'what is deleted is named no more');
  await until(async () => (await save({}, named)) === ofAccount, WITHIN_A_SECOND);
});

t.test('a folder and a preset name domains of their account alone, and no others are used', async (t) => {
  const { client } = await withDomain();
  const other = await withDomain();
  const folder = (await client.post('/folders', { name: 'Campaign' })).json.id;
  for (const domain of [other.host, 'none.example', 'shared', ''])
    t.match(
      await client.patch(`/folders/${folder}`, { domain }),
      { status: 400, text: /domain: must be/ },
      domain,
    );
  t.equal((await client.post('/presets', { name: 'A', options: {}, domain: other.host })).status, 400);
  const pending = await register(client);
  t.equal((await client.patch(`/folders/${folder}`, { domain: pending })).status, 200);
  t.match(await client.post('/codes', { data: DATA, dynamic: true, folder_id: folder }), {
    status: 400,
    text: /not proved/,
  });
  t.equal((await client.post('/codes', { data: 'static', folder_id: folder })).status, 201);
});

t.test('a code is graded with the short URL of its domain', async (t) => {
  const client = await newClient(here, { plan: 'pro' });
  const short = 'ab.example';
  t.equal((await client.post('/domains', { host: short })).status, 201);
  await prove(client, short);
  const long = `${'long-name-'.repeat(6)}x.brand.example`;
  t.equal((await client.post('/domains', { host: long })).status, 201);
  await prove(client, long);
  const items = [{ data: DATA, dynamic: true }];
  const modulesOn = async (host: string) => {
    const { json } = await client.post('/qr/bulk/check', { items }, { 'tessera-domain': host });
    const [check] = json.results as never as readonly { readonly symbol: { readonly modules: number } }[];
    return check!.symbol.modules;
  };
  t.ok((await modulesOn(short)) < (await modulesOn(long)), 'a shorter host makes a smaller symbol');
  t.equal((await link(client, short)).status, 201);
});
