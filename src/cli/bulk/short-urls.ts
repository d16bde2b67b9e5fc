import type { Api } from '../api.ts';

/**
 * Returns what the gateway's short links begin with; `null` when the key may not ask, or the gateway does not answer.
 */
export const askBase = async (api: Api, slug: string): Promise<string | null> => {
  const link = await api
    .call<{ short_url: string }>({ method: 'GET', path: `/api/v1/links/${slug}` })
    .catch(() => null);
  return link?.short_url.endsWith(slug) ? link.short_url.slice(0, -slug.length) : null;
};

/**
 * Makes a function from slugs to short URLs. It asks the gateway about the first slug, because only the gateway knows
 * the base of short links. A key without the scope `manage` may not ask; then the gateway's own address is assumed.
 *
 * @param onUnknown Called when the base is assumed.
 */
export const createShortUrls = (api: Api, onUnknown: () => void): ((slug: string) => Promise<string>) => {
  const ask = async (slug: string): Promise<string> => {
    const base = await askBase(api, slug);
    if (base !== null) return base;
    onUnknown();
    return `${api.url}/l/`;
  };
  let base: Promise<string> | undefined;
  return async (slug) => {
    base ??= ask(slug);
    return (await base) + slug;
  };
};
