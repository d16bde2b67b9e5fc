/** The base of short links. All links of a gateway share it, and only the gateway knows it. */
import { createReaders } from '../../reading/readers.ts';
import type { Api } from '../api.ts';
import { commandError } from '../fault.ts';

/** Returns the part of a text before a slug; `null` when it does not end with the slug. */
const baseOf = (text: string | null | undefined, slug: string): string | null =>
  text?.endsWith(slug) ? text.slice(0, -slug.length) : null;

/** Asks the gateway. Returns `null` when the key may not ask, or the gateway does not answer. */
const askBase = async (api: Api, slug: string): Promise<string | null> => {
  const asked = api.call<{ short_url: string }>({ method: 'GET', path: `/api/v1/links/${slug}` });
  const link = await asked.catch(() => null);
  return baseOf(link?.short_url, slug);
};

/**
 * Reads the base from the picture of a dynamic code.
 *
 * @throws {CliFault} when it cannot be read.
 */
export const readBase = async (slug: string, png: Uint8Array): Promise<string> => {
  const readers = await createReaders({ threads: 1, share: () => 1 }, { error: () => {} });
  try {
    const { sights } = await readers.read(png);
    const base = sights.map(({ text }) => baseOf(text, slug)).find((found) => found !== null);
    if (base !== undefined) return base;
    throw commandError(
      'the short links of the gateway are not known: its pictures cannot be read, and the key may not read links. Give a key with the scope manage, and run the same command again',
    );
  } finally {
    await readers.close();
  }
};

/**
 * Makes a function from slugs to short URLs. A key without the scope `manage` may not ask the gateway for their base.
 *
 * @param findBase Returns the base when the gateway does not, given the first slug and what is known of its code.
 */
export const createShortUrls = <Known>(
  api: Api,
  findBase: (slug: string, known: Known) => Promise<string>,
) => {
  let base: Promise<string> | undefined;
  return async (slug: string, known: Known): Promise<string> => {
    base ??= askBase(api, slug).then((told) => told ?? findBase(slug, known));
    return (await base) + slug;
  };
};
