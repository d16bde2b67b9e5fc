/** An account that has much of everything. */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import type { Database } from '../../../src/db/database.ts';
import { insertScans } from '../../../src/db/tables/scans/scans.ts';
import { createAccount } from '../../../test/servers/account.ts';
import { ADMIN_TOKEN } from '../../../test/servers/testbed.ts';
import { scanRow } from '../../../test/support/scan.ts';
import { type Caller, createCaller, type Method, type Sent } from './caller.ts';

/** The things of an account that calls name. */
export interface Tenant {
  readonly url: string;
  readonly key: string;
  /** The cookie of a session of the dashboard. */
  readonly cookie: string;
  /** A folder of `MANY` dynamic codes with long addresses, which all have the tag `TAG`, and one of a quarter of that. */
  readonly folder: string;
  readonly otherFolder: string;
  /** Such a folder that is deleted and restored. */
  readonly binFolder: string;
  /** As many as fit into a kilobyte, which are deleted and restored, as is the single one. */
  readonly codes: readonly string[];
  readonly spareCode: string;
  readonly slug: string;
  /** The id of a code with a large logo. */
  readonly logoCode: string;
  /** The id of a code that gets other designs. */
  readonly plainCode: string;
  /** An item of the resolver, and the GTIN that it shares with `MANY` others. */
  readonly item: string;
  readonly gtin: string;
  /** Another GTIN, whose items are made one by one. */
  readonly ownGtin: string;
  /** A preset with a large logo. */
  readonly preset: string;
  readonly batch: string;
  /** A batch whose rows all have errors. */
  readonly failedBatch: string;
  readonly verification: string;
  readonly codesVerification: string;
  readonly otherKey: string;
  readonly webhook: string;
  readonly delivery: string;
  readonly upload: string;
}

/** Links, items and codes. */
export const MANY = 1000;
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
const NDJSON = { 'content-type': 'application/x-ndjson' };

/** Returns an address of 800 characters that is like no other one. */
export const longAddress = (n: number | string): string =>
  `https://example.com/${n}/${randomBytes(6).toString('hex')}/`.padEnd(ADDRESS_CHARACTERS, 'x');

/** Returns a GTIN for examples. @param n Below 10,000. */
export const gtinOf = (n: number): string => {
  const digits = `095213${String(n).padStart(7, '0')}`;
  const sum = [...digits].reduce((all, digit, at) => all + Number(digit) * (at % 2 === 0 ? 3 : 1), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
};

/** Makes a call until free work, or a place, is there for it. @throws When it is refused for another reason. */
const patiently =
  (caller: Caller) =>
  async <T = { readonly id: string }>(method: Method, path: string, sent?: Sent) => {
    for (;;) {
      const answer = await caller.ask<T>(method, path, sent);
      if (answer.status < 400) return answer;
      if (answer.status !== 429 && answer.status !== 503)
        throw new Error(
          `${method} ${path} was answered with ${answer.status}: ${JSON.stringify(answer.body)}`,
        );
      await sleep(1000 * Number(answer.headers['retry-after'] ?? 1));
    }
  };

type Patiently = ReturnType<typeof patiently>;

/** Returns a picture of noise, which no compression makes smaller. */
const largeLogo = async (): Promise<string> => {
  const raw = { width: LOGO_PX, height: LOGO_PX, channels: 3 } as const;
  const png = await sharp(randomBytes(3 * LOGO_PX * LOGO_PX), { raw })
    .png()
    .toBuffer();
  return `data:image/png;base64,${png.toString('base64')}`;
};

const whenDone = async (ask: Patiently, path: string): Promise<void> => {
  for (;;) {
    const { body } = await ask<{ readonly state: string }>('GET', path);
    if (['done', 'failed'].includes(body.state)) return;
    await sleep(200);
  }
};

const makeBatch = async (ask: Patiently, query: string, rows: readonly object[]): Promise<string> => {
  const body = rows.map((row) => JSON.stringify(row)).join('\n');
  const made = await ask('POST', `/api/v1/batches?${query}`, { headers: NDJSON, body });
  await whenDone(ask, `/api/v1/batches/${made.body.id}`);
  return made.body.id;
};

const makeFolder = async (ask: Patiently, name: string): Promise<string> =>
  (await ask('POST', '/api/v1/folders', { body: { name } })).body.id;

const rowsOf = (count: number, more: object): readonly object[] =>
  Array.from({ length: count }, (_, n) => ({ data: longAddress(n), width: 100, height: 100, ...more }));

const makeItems = async (ask: Patiently, gtin: string): Promise<string> => {
  const lines = Array.from({ length: MANY }, (_, n) => `${gtin},S${n},gs1:pip,${longAddress(n)},Juice`);
  const body = ['gtin,serial,rel,href,title', `${gtin},,gs1:pip,${longAddress('all')},Juice`, ...lines].join(
    '\n',
  );
  // The item of the GTIN alone is one more than a bulk change takes.
  await ask('POST', '/api/v1/resolver/items/import', { headers: { 'content-type': 'text/csv' }, body });
  const { body: list } = await ask<{ readonly data: readonly { readonly id: string }[] }>(
    ...(['GET', '/api/v1/resolver/items?limit=2'] as const),
  );
  await ask('DELETE', `/api/v1/resolver/items/${list.data[1]!.id}`);
  return list.data[0]!.id;
};

const makeScans = async (sql: Database['sql'], slugs: readonly string[]): Promise<void> => {
  for (let from = 0; from < SCANS; from += SCANS_AT_ONCE) {
    const rows = Array.from({ length: SCANS_AT_ONCE }, (_, n) =>
      scanRow({
        id: randomUUID(),
        at: new Date(Date.now() - 60_000 - 1000 * (from + n)),
        slug: slugs[n % slugs.length]!,
      }),
    );
    await insertScans(sql, rows);
  }
};

/** Makes an account on the Pro plan and its things. @param n Distinguishes it from others. */
export const createTenant = async (url: string, sql: Database['sql'], n: number): Promise<Tenant> => {
  const { key } = await createAccount(url, ADMIN_TOKEN, `tenant ${n}`);
  const caller = createCaller({ url, key });
  const ask = patiently(caller);
  const [gtin, image] = [gtinOf(n), await largeLogo()];
  const [folder, otherFolder] = [await makeFolder(ask, 'many'), await makeFolder(ask, 'others')];
  const binFolder = await makeFolder(ask, 'bin');
  const batch = await makeBatch(ask, `folder_id=${folder}`, rowsOf(MANY, { dynamic: true, tags: [TAG] }));
  for (const id of [otherFolder, binFolder])
    await makeBatch(ask, `folder_id=${id}`, rowsOf(MANY / 4, { dynamic: true }));
  const failedBatch = await makeBatch(ask, '', rowsOf(MANY, { width: -1 }));
  const { body: list } = await ask<{
    readonly data: readonly { readonly id: string; readonly slug: string }[];
  }>(...(['GET', `/api/v1/folders/${folder}/codes?limit=100`] as const));
  await makeScans(
    sql,
    list.data.map(({ slug }) => slug),
  );
  const item = await makeItems(ask, gtin);
  const ownGtin = gtinOf(1000 + n);
  const ownLinks = [{ rel: 'gs1:pip', href: longAddress('own'), title: 'Juice' }];
  await ask('POST', '/api/v1/resolver/items', { body: { key: `(01)${ownGtin}`, links: ownLinks } });
  const save = { data: 'logo', image, width: 1000, height: 1000 };
  const logoCode = (await ask('POST', '/api/v1/codes', { body: save })).body.id;
  const plainCode = (await ask('POST', '/api/v1/codes', { body: { data: 'plain' } })).body.id;
  const preset = (await ask('POST', '/api/v1/presets', { body: { name: 'logo', options: { image } } })).body
    .id;
  const slug = list.data[0]!.slug;
  for (let i = 0; i < HISTORY; i += 1) {
    await ask('PATCH', `/api/v1/links/${slug}`, { body: { destination: longAddress(i) } });
    const links = [{ rel: 'gs1:pip', href: longAddress(i), title: 'Juice' }];
    await ask('PATCH', `/api/v1/resolver/items/${item}`, { body: { links } });
  }
  const [spareCode, ...codes] = list.data.slice(1, CODES_NAMED).map(({ id }) => id);
  await ask('POST', '/api/v1/signing-secrets');
  const verification = (await ask('POST', `/api/v1/folders/${otherFolder}/verifications`)).body.id;
  const ofCodes = await ask('POST', '/api/v1/code-verifications', { body: { ids: codes } });
  await whenDone(ask, `/api/v1/folders/${otherFolder}/verifications/${verification}`);
  await whenDone(ask, `/api/v1/code-verifications/${ofCodes.body.id}`);
  await ask('PUT', '/api/v1/counters/serial', { body: { next: 1 } });
  const hook = { url: 'https://127.0.0.1:8443/', events: ['quota.low'] };
  const webhook = (await ask('POST', '/api/v1/webhooks', { body: hook })).body.id;
  const delivery = (await ask('POST', `/api/v1/webhooks/${webhook}/test`)).body.id;
  const begun = await ask('POST', '/api/v1/batches', { headers: { ...NDJSON, 'upload-complete': '?0' } });
  const signedIn = await ask('POST', '/dashboard/session', { headers: SAME_ORIGIN, body: { key } });
  const otherKey = (await ask('POST', '/api/v1/keys', { body: { name: 'other', scopes: ['render'] } })).body
    .id;
  await caller.end();
  return {
    ...{
      url,
      key,
      folder,
      otherFolder,
      binFolder,
      codes,
      spareCode: spareCode!,
      slug,
      logoCode,
      plainCode,
      item,
      gtin,
      ownGtin,
      preset,
      batch,
      failedBatch,
    },
    ...{ verification, codesVerification: ofCodes.body.id, otherKey, webhook, delivery },
    cookie: String(signedIn.headers['set-cookie']).split(';', 1)[0]!,
    upload: String(begun.headers.location).split('/').at(-1)!,
  };
};
