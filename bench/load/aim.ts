/** The target of a load: everything that a recipe needs to build a request. */

/** What recipes need on an account before the first request. */
export const NEEDS = ['accounts', 'codes', 'large codes', 'links', 'secret', 'uris'] as const;
/** `accounts`: several of them, because one may make only a few such calls at a time. */
export type Need = (typeof NEEDS)[number];

/** A saved code, and the key of the account that has it. */
export interface SavedCode {
  readonly id: string;
  readonly key: string;
}

/** What the recipes of a load find on the server. What none of them needs is empty. */
export interface Aim {
  /** Of the account that makes the calls. */
  readonly key: string;
  /** Of all accounts, which take turns at calls of which one account may make only a few at a time. */
  readonly keys: readonly string[];
  /** Slugs of existing short links. */
  readonly slugs: readonly string[];
  /** Paths of Digital Link URIs that the resolver knows. */
  readonly uris: readonly string[];
  readonly codes: readonly SavedCode[];
  /** Saved codes that are expensive to draw. */
  readonly largeCodes: readonly SavedCode[];
  /** Signs the addresses of pictures. */
  readonly secret: { readonly id: string; readonly secret: string } | null;
  /** A small PNG as a data URI. */
  readonly logo: string;
  /** Calls with a key carry this as `Tessera-Load-Test`; absent: they carry none. */
  readonly loadTest?: string;
  /** The headers of visits of links; absent: none. */
  readonly visitor?: Readonly<Record<string, string>>;
  /** Part of each content that makes it unique to this load. URL-safe. */
  readonly run: string;
}

/** Returns an aim for recipes that need nothing on the account. */
export const plainAim = (run: string, key = ''): Aim => ({
  key,
  keys: [key],
  slugs: [],
  uris: [],
  codes: [],
  largeCodes: [],
  secret: null,
  logo: '',
  run,
});

/** A server that cannot get the load. The message says why, and what to do. */
export class TargetFault extends Error {}

/** One request of a load. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Returns a content of 60 characters, like a link in a campaign. Within a load only `serial` varies. */
export const contentOf = (run: string, serial: number | string): string =>
  `https://example.com/spring-2026/?run=${run}&item=${serial}`.padEnd(60, '-');
