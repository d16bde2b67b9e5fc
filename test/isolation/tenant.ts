/** An account that has much of everything. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import type { Database } from '../../src/db/database.ts';
import { insertScans } from '../../src/db/tables/scans/scans.ts';
import { createAccount, gtinOf } from '../servers/account.ts';
import { type Caller, createCaller, NDJSON } from '../servers/caller.ts';
import { ADMIN_TOKEN } from '../servers/testbed.ts';
import { scanRow } from '../support/scan.ts';

/** Links, items and codes. */
const MANY = 1000;
/** The tag of all codes of the first folder. */
export const TAG = 'all';
/** The header that browsers send with requests of a page of the same site. */
export const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };

const CODES_NAMED = 24;
const ADDRESS_CHARACTERS = 800;
const SCANS = 20_000;
const SCANS_AT_ONCE = 500;
const HISTORY = 50;
const LOGO_PX = 690;

/** Returns an address that is like no other one. */
const longAddress = (n: number | string, characters = ADDRESS_CHARACTERS): string =>
  `https://example.com/${n}/${randomBytes(6).toString('hex')}/`.padEnd(characters, 'x');

/** Returns a picture of noise, which no compression makes smaller. */
const largeLogo = async (): Promise<string> => {
  const raw = { width: LOGO_PX, height: LOGO_PX, channels: 3 } as const;
  const image = sharp(randomBytes(3 * LOGO_PX * LOGO_PX), { raw });
  return `data:image/png;base64,${(await image.png().toBuffer()).toString('base64')}`;
};

const whenDone = async ({ make }: Caller, path: string): Promise<void> => {
  const state = async () => (await make<{ readonly state: string }>('GET', path)).body.state;
  while (!['done', 'failed'].includes(await state())) await sleep(200);
};

const makeBatch = async (caller: Caller, query: string, count: number, more: object): Promise<string> => {
  const rows = Array.from({ length: count }, (_, n) =>
    JSON.stringify({ data: longAddress(n), width: 100, height: 100, ...more }),
  );
  const sent = { headers: NDJSON, body: rows.join('\n') };
  const { id } = (await caller.make('POST', `/api/v1/batches?${query}`, sent)).body;
  await whenDone(caller, `/api/v1/batches/${id}`);
  return id;
};

/** Makes items of a GTIN, and of its serial numbers. Returns the id of the first. */
const makeItems = async ({ make }: Caller, gtin: string, characters: number): Promise<string> => {
  const lines = Array.from(
    { length: MANY - 1 },
    (_, n) => `${gtin},S${n},gs1:pip,${longAddress(n, characters)},J`,
  );
  const body = ['gtin,serial,rel,href,title', `${gtin},,gs1:pip,${longAddress('all')},J`, ...lines].join(
    '\n',
  );
  await make('POST', '/api/v1/resolver/items/import', { headers: { 'content-type': 'text/csv' }, body });
  const list = await make<{ readonly data: readonly { readonly id: string }[] }>(
    ...(['GET', '/api/v1/resolver/items?limit=1'] as const),
  );
  return list.body.data[0]!.id;
};

const makeScans = async (sql: Database['sql'], slugs: readonly string[]): Promise<void> => {
  for (let from = 0; from < SCANS; from += SCANS_AT_ONCE) {
    const rows = Array.from({ length: SCANS_AT_ONCE }, (_, n) => {
      const at = new Date(Date.now() - 60_000 - 1000 * (from + n));
      return scanRow({ id: randomUUID(), at, slug: slugs[n % slugs.length]! });
    });
    await insertScans(sql, rows);
  }
};

/** The things of an account that calls name. */
export type Tenant = Awaited<ReturnType<typeof createTenant>>;

/** Begins an upload of a batch. Returns its id. */
export const beginUpload = async ({ make }: Caller): Promise<string> => {
  const begun = await make('POST', '/api/v1/batches', { headers: { ...NDJSON, 'upload-complete': '?0' } });
  return String(begun.headers.location).split('/').at(-1)!;
};

/**
 * Makes an account on the Pro plan and its things.
 *
 * @param n Distinguishes it from others.
 * @param hrefCharacters Length of the addresses of its items.
 */
export const createTenant = async (
  url: string,
  sql: Database['sql'],
  n: number,
  hrefCharacters = ADDRESS_CHARACTERS,
) => {
  const { key } = await createAccount(url, ADMIN_TOKEN, `tenant ${n}`);
  const caller = createCaller({ url, key });
  const { make } = caller;
  const made = async (path: string, body?: object): Promise<string> =>
    (await make('POST', `/api/v1/${path}`, body && { body })).body.id;
  const [gtin, ownGtin, image] = [gtinOf(n), gtinOf(1000 + n), await largeLogo()];
  const folder = await made('folders', { name: 'many' });
  const otherFolder = await made('folders', { name: 'others' });
  const binFolder = await made('folders', { name: 'bin' });
  const batch = await makeBatch(caller, `folder_id=${folder}`, MANY, { dynamic: true, tags: [TAG] });
  for (const id of [otherFolder, binFolder])
    await makeBatch(caller, `folder_id=${id}`, MANY / 4, { dynamic: true });
  const failedBatch = await makeBatch(caller, '', MANY, { width: -1 });
  const { body: list } = await make<{ readonly data: { readonly id: string; readonly slug: string }[] }>(
    ...(['GET', `/api/v1/folders/${folder}/codes?limit=100`] as const),
  );
  await makeScans(
    sql,
    list.data.map(({ slug }) => slug),
  );
  const item = await makeItems(caller, gtin, hrefCharacters);
  const ownLinks = [{ rel: 'gs1:pip', href: longAddress('own'), title: 'Juice' }];
  await made('resolver/items', { key: `(01)${ownGtin}`, links: ownLinks });
  const logoCode = await made('codes', { data: 'logo', image, width: 1000, height: 1000 });
  const plainCode = await made('codes', { data: 'plain' });
  const rule = { name: 'first', when: { visit: 'first' }, destination: longAddress('rule', 600) };
  const ruleSet = await made('rule-sets', { name: 'first', rules: [rule] });
  const { body: registered } = await make<{ readonly host: string }>('POST', '/api/v1/domains', {
    body: { host: `t${n}.tenant.example` },
  });
  const domain = registered.host;
  const preset = await made('presets', { name: 'logo', options: { image } });
  const profile = await made('print-profiles', { name: 'flyer', options: { format: 'pdf' } });
  const slug = list.data[0]!.slug;
  for (let i = 0; i < HISTORY; i += 1) {
    const links = [{ rel: 'gs1:pip', href: longAddress(i), title: 'Juice' }];
    await make('PATCH', `/api/v1/links/${slug}`, { body: { destination: longAddress(i) } });
    await make('PATCH', `/api/v1/resolver/items/${item}`, { body: { links } });
  }
  const rows = JSON.stringify({ slug, destination: longAddress('job') });
  const sent = await make('POST', '/api/v1/link-jobs', { headers: NDJSON, body: `${rows}\n` });
  const linkJob: string = sent.body.id;
  await whenDone(caller, `/api/v1/link-jobs/${linkJob}`);
  const [spareCode = '', ...codes] = list.data.slice(1, CODES_NAMED).map(({ id }) => id);
  await made('signing-secrets');
  const verification = await made(`folders/${otherFolder}/verifications`);
  const codesVerification = await made('code-verifications', { ids: codes });
  await whenDone(caller, `/api/v1/folders/${otherFolder}/verifications/${verification}`);
  await whenDone(caller, `/api/v1/code-verifications/${codesVerification}`);
  await make('PUT', '/api/v1/counters/serial', { body: { next: 1 } });
  const webhook = await made('webhooks', { url: 'https://127.0.0.1:8443/', events: ['quota.low'] });
  const delivery = await made(`webhooks/${webhook}/test`);
  const upload = await beginUpload(caller);
  const signedIn = await make('POST', '/dashboard/session', { headers: SAME_ORIGIN, body: { key } });
  const otherKey = await made('keys', { name: 'other', scopes: ['render'] });
  await caller.end();
  return {
    ...{ url, key, otherKey, upload, verification, codesVerification, webhook, delivery },
    /** The cookie of a session of the dashboard. */
    cookie: String(signedIn.headers['set-cookie']).split(';', 1)[0]!,
    /** A folder of dynamic codes with long addresses, which all have the tag, and one of a quarter of that. */
    ...{ folder, otherFolder },
    /** Such a folder that is deleted and restored. */
    binFolder,
    /** As many codes as fit into a kilobyte, which are deleted and restored, as is the single one. */
    ...{ codes, spareCode },
    /** A link of a code with a tag. */
    slug,
    /** The id of a code with a large logo, that of one that gets other designs, and a preset with the logo. */
    ...{ logoCode, plainCode, preset },
    profile,
    /** A rule set, and a link job that has ended. */
    ...{ ruleSet, linkJob },
    /** A host that is not proved. */
    domain,
    /** An item of the resolver, and the GTIN that it shares with many others. */
    ...{ item, gtin },
    /** Another GTIN, whose items are made one by one. */
    ownGtin,
    /** The batch of the first folder, and one whose rows all have errors. */
    ...{ batch, failedBatch },
  };
};
