/** Sets up what loads need on a gateway: an account with a huge quota, a key, short links. */
import sharp from 'sharp';
import type { Aim } from '../../bench/load/aim.ts';
import { LARGE_GRADIENT } from '../../bench/load/styles.ts';
import { isWellFormedKey } from '../../src/accounts/api-key.ts';

/** An account of a gateway, and the secret of its key. */
export interface Account {
  readonly id: string;
  readonly key: string;
}

const QUOTA = 1_000_000_000_000;
const LINKS = 100;
const LARGE_CODES = 20;
/** Width and height of the logo that `createLogo` draws. */
export const LOGO_PX = 96;

const post = async <T>(url: string, token: string, body: unknown): Promise<T> => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST ${url} answered ${response.status}: ${text.slice(0, 300)}`);
  return JSON.parse(text) as T;
};

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
  if (slugs.length !== LINKS) throw new Error(`only ${slugs.length} of ${LINKS} short links were made`);
  return slugs;
};

/** Saves codes that are expensive to draw. @returns Their ids. */
export const createLargeCodes = async (url: string, key: string): Promise<string[]> => {
  const items = Array.from({ length: LARGE_CODES }, (_, n) => ({
    data: `https://example.com/large/${n}`,
    ...LARGE_GRADIENT,
  }));
  const body = { folderName: 'bench large codes', items };
  const { meta } = await post<{ meta: { folder_id: string } }>(`${url}/api/v1/qr/bulk`, key, body);
  const saved = await fetch(`${url}/api/v1/folders/${meta.folder_id}/codes?limit=${LARGE_CODES}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  if (!saved.ok) throw new Error(`listing the saved codes was answered with ${saved.status}`);
  const { data } = (await saved.json()) as { data: { id: string }[] };
  return data.map(({ id }) => id);
};

/** Draws a disc on a transparent background, as a data URI. */
export const createLogo = async (): Promise<string> => {
  const half = LOGO_PX / 2;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${LOGO_PX}" height="${LOGO_PX}"><circle cx="${half}" cy="${half}" r="${half}" fill="#e5484d"/></svg>`;
  const png = await sharp(Buffer.from(svg)).png().toBuffer();
  return `data:image/png;base64,${png.toString('base64')}`;
};

/** Makes the targets of loads: short links and a logo. `run` is a unique name. */
export const createAim = async (url: string, key: string, run: string): Promise<Aim> => ({
  key,
  slugs: await createLinks(url, key),
  codes: [],
  logo: await createLogo(),
  run,
});
