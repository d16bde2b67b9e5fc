/** Where short links are: on the domain that all accounts share, or at the place of an own one. */

/** Returns the host of a place; `null`: the shared domain. */
export const hostAt = (place: string | null): string | null =>
  place === null ? null : place.split('/', 1)[0]!;

/** Returns the address of a short link at a place, as codes encode it. */
export const shortUrlAt = (place: string, slug: string): string => `https://${place}/${slug}`;

/** Returns the address of a short link. @param place That of an own domain; `null`: the shared domain. */
export type ShortUrl = (slug: string, place: string | null) => string;
