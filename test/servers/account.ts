/** Sets up what loads need on a gateway: accounts with a huge quota, keys, short links, saved codes. */
import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { type Aim, type Need, plainAim, type SavedCode, TargetFault } from '../../bench/load/aim.ts';
import { LARGE_GRADIENT, PLAIN } from '../../bench/load/styles.ts';
import { isWellFormedKey } from '../../src/accounts/api-key.ts';

/** An account of a gateway, and the secret of its key. */
export interface Account {
  readonly id: string;
  readonly key: string;
}

const QUOTA = 1_000_000_000_000;
const LINKS = 100;
const URIS = 100;
const CODES = 100;
const LARGE_CODES = 32;
/** So many that 64 calls at a time are few for each. */
const ACCOUNTS = 32;
/** Width and height of the logo that `createLogo` draws. */
export const LOGO_PX = 96;

/** @throws {TargetFault} When the call cannot be made or is refused. */
const call = async <T>(
  method: 'GET' | 'POST' | 'DELETE',
  url: string,
  token: string,
  sent?: { readonly type: string; readonly body: string },
): Promise<T> => {
  const headers = { authorization: `Bearer ${token}`, ...(sent && { 'content-type': sent.type }) };
  const response = await fetch(url, { method, headers, body: sent?.body ?? null }).catch(
    ({ message, cause }: Error) => {
      throw new TargetFault(`${url} cannot be reached: ${(cause as Error | undefined)?.message ?? message}`);
    },
  );
  const text = await response.text();
  if (!response.ok)
    throw new TargetFault(`${method} ${url} answered ${response.status}: ${text.slice(0, 300)}`);
  try {
    return JSON.parse(text === '' ? 'null' : text) as T;
  } catch {
    throw new TargetFault(`${url} did not answer with JSON, so it is no gateway: ${text.slice(0, 300)}`);
  }
};

const post = <T>(url: string, token: string, body: unknown): Promise<T> =>
  call('POST', url, token, { type: 'application/json', body: JSON.stringify(body) });

/** Creates an account on the Pro plan with more units than any load uses, and a key for it. */
export const createAccount = async (
  url: string,
  adminToken: string,
  name: string,
  units: { readonly monthlyQuota?: number; readonly credits?: number } = { monthlyQuota: QUOTA },
): Promise<Account> => {
  const accounts = `${url}/admin/v1/accounts`;
  const body = { name, plan: 'pro', monthly_quota: units.monthlyQuota, credits: units.credits };
  const { id } = await post<{ id: string }>(accounts, adminToken, body);
  const { key } = await post<{ key: string }>(`${accounts}/${id}/keys`, adminToken, { name });
  if (!isWellFormedKey(key))
    throw new Error(`${url} made a key of the wrong form: ${String(key).length} characters`);
  return { id, key };
};

/** Makes short links as callers do, with bulk calls of dynamic codes. */
export const createLinks = async (url: string, key: string): Promise<string[]> => {
  const items = Array.from({ length: LINKS }, (_, n) => ({
    data: `https://example.com/${n}`,
    dynamic: true,
  }));
  const body = { folderName: 'bench links', items };
  const { results } = await post<{ results: { slug?: string }[] }>(`${url}/api/v1/qr/bulk`, key, body);
  const slugs = results.flatMap(({ slug }) => (slug === undefined ? [] : [slug]));
  if (slugs.length !== LINKS) throw new TargetFault(`only ${slugs.length} of ${LINKS} short links were made`);
  return slugs;
};

/** Saves codes in turn in the accounts of the keys. */
const createCodes = async (
  url: string,
  keys: readonly string[],
  count: number,
  style: object,
): Promise<SavedCode[]> => {
  const codes: SavedCode[] = [];
  const owners = keys.slice(0, count);
  for (const [at, key] of owners.entries()) {
    const items = Array.from({ length: Math.ceil((count - at) / owners.length) }, (_, n) => ({
      data: `https://example.com/saved/${at}.${n}`,
      ...style,
    }));
    const body = { folderName: 'bench codes', items };
    const { meta } = await post<{ meta: { folder_id: string } }>(`${url}/api/v1/qr/bulk`, key, body);
    const list = `${url}/api/v1/folders/${meta.folder_id}/codes?limit=${items.length}`;
    const { data } = await call<{ data: { id: string }[] }>('GET', list, key);
    codes.push(...data.map(({ id }) => ({ id, key })));
  }
  return codes;
};

/** Saves codes that are expensive to draw. */
export const createLargeCodes = (url: string, keys: readonly string[]): Promise<SavedCode[]> =>
  createCodes(url, keys, LARGE_CODES, LARGE_GRADIENT);

/** Returns a GTIN for examples, with its check digit: GS1 General Specifications, 7.9.1. @param n Below 100,000. */
export const gtinOf = (n: number): string => {
  const digits = `09521321${String(n).padStart(5, '0')}`;
  const sum = [...digits].reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 3 : 1), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
};

/** Makes items of the resolver. An account always gets the same GTINs, and another one most likely others. */
const createUris = async (url: string, key: string): Promise<string[]> => {
  const first = (crc32(key) % 1000) * URIS;
  const gtins = Array.from({ length: URIS }, (_, n) => gtinOf(first + n));
  const rows = gtins.map((gtin) => `(01)${gtin},gs1:pip,https://example.com/${gtin},Product\n`);
  const body = `key,rel,href,title\n${rows.join('')}`;
  await call('POST', `${url}/api/v1/resolver/items/import`, key, { type: 'text/csv', body });
  return gtins.map((gtin) => `/01/${gtin}`);
};

/** Draws a disc on a transparent background, as a data URI. */
export const createLogo = async (): Promise<string> => {
  const half = LOGO_PX / 2;
  const pixels = Array.from({ length: LOGO_PX ** 2 }, (_, at) => {
    const [x, y] = [(at % LOGO_PX) + 0.5 - half, Math.floor(at / LOGO_PX) + 0.5 - half];
    const covered = Math.min(1, Math.max(0, half - Math.hypot(x, y) + 0.5));
    return [0xe5, 0x48, 0x4d, Math.round(255 * covered)];
  });
  const raw = { width: LOGO_PX, height: LOGO_PX, channels: 4 } as const;
  const png = await sharp(Uint8Array.from(pixels.flat()), { raw }).png().toBuffer();
  return `data:image/png;base64,${png.toString('base64')}`;
};

/**
 * Makes what the recipes of a load need in the accounts of the keys. Most of it belongs to the first one.
 *
 * @param run A unique name.
 * @throws {TargetFault} When the server does not let it.
 */
export const createAim = async (
  url: string,
  keys: string | readonly string[],
  run: string,
  needs: readonly Need[] = ['links'],
): Promise<Aim> => {
  const all = [keys].flat() as readonly string[];
  const key = all[0]!;
  const has = (need: Need): boolean => needs.includes(need);
  return {
    ...plainAim(run, key),
    keys: all,
    slugs: has('links') ? await createLinks(url, key) : [],
    uris: has('uris') ? await createUris(url, key) : [],
    codes: has('codes') ? await createCodes(url, all, CODES, PLAIN) : [],
    largeCodes: has('large codes') ? await createLargeCodes(url, all) : [],
    secret: has('secret') ? await call('POST', `${url}/api/v1/signing-secrets`, key) : null,
    logo: await createLogo(),
  };
};

/** Deletes the signing secret of a load, because an account has at most two. */
export const removeSecret = async (url: string, { key, secret }: Aim): Promise<void> => {
  if (secret !== null) await call('DELETE', `${url}/api/v1/signing-secrets/${secret.id}`, key);
};

/** Makes accounts on a server of one's own, and in them what the recipes need. @param run A unique name. */
export const createOwnAim = async (
  url: string,
  adminToken: string,
  run: string,
  needs?: readonly Need[],
): Promise<Aim> => {
  const keys: string[] = [];
  for (let n = 0; n < (needs?.includes('accounts') ? ACCOUNTS : 1); n += 1)
    keys.push((await createAccount(url, adminToken, run)).key);
  return createAim(url, keys, run, needs);
};
