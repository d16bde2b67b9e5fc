import type { Api } from '../api.ts';

/**
 * Makes a function from slugs to short URLs. The gateway is asked for the first one, as only it knows under which
 * address the links are reached; a key without the scope `manage` may not ask, and then it is the gateway's own.
 *
 * @param onUnknown Told when it had to be assumed.
 */
export const createShortUrls = (api: Api, onUnknown: () => void): ((slug: string) => Promise<string>) => {
  const ask = async (slug: string): Promise<string> => {
    const link = await api
      .call<{ short_url: string }>({ method: 'GET', path: `/api/v1/links/${slug}` })
      .catch(() => null);
    if (link?.short_url.endsWith(slug)) return link.short_url.slice(0, -slug.length);
    onUnknown();
    return `${api.url}/l/`;
  };
  let base: Promise<string> | undefined;
  return async (slug) => {
    base ??= ask(slug);
    return (await base) + slug;
  };
};
