/** Builds the resolver, with the bounds of its memory. */
import type { Database } from '../db/database.ts';
import { findEntry } from '../db/tables/resolver/entries.ts';
import { isOwnUrl } from '../links/own-address.ts';
import type { Log } from '../log.ts';
import { type Result, refused } from '../result.ts';
import { PRIMARY_KEYS } from './key.ts';
import { createLookup, type ItemLookup } from './lookup.ts';

/** As for short links. */
const LOOKUP = {
  maxLoads: 200,
  loadTimeoutMs: 2000,
  refreshTimeoutMs: 250,
  retryMs: 1000,
  freshMs: 60_000,
  unknownMs: 10_000,
  freshWithoutNewsMs: 900,
  staleMs: 24 * 3_600_000,
};

/** Opens the memory of items. Sends the database no query before the first request. @param max Entries. */
export const openItems = ({ sql, changes }: Database, max: number, log: Log): ItemLookup =>
  createLookup({ ...LOOKUP, max, load: (path) => findEntry(sql, path), changes }, log);

const OF_ITEM = new RegExp(`^/(?:${PRIMARY_KEYS.join('|')})/`);

/** Names in braces, which other services fill in: they would reach consumers as they stand. A GUID in braces is none. */
const PLACEHOLDER = /(?:\{|%7B)(?![\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\b)[\w.: -]+(?:\}|%7D)/i;

/** What the routes of items use. */
export interface Resolver {
  /** What stands before the paths of URIs, without a slash at its end. */
  root(): string;
  /** Returns a target as the WHATWG URL standard writes it, or what is wrong with it. */
  checkHref(href: string): Result<string, string>;
  /** Items that an account may have. */
  readonly itemsMax: number;
  /** `null`: the resolver is off, and no URI is answered. */
  readonly lookup: ItemLookup | null;
}

/**
 * Makes the rules of items.
 *
 * @param checkDestination The rules of short links, which hold for targets too.
 */
export const createResolver = (
  root: () => string,
  checkDestination: (url: string) => Result<string, string>,
  lookup: ItemLookup | null,
  itemsMax: number,
): Resolver => ({
  root,
  lookup,
  itemsMax,
  checkHref(href) {
    const [placeholder] = PLACEHOLDER.exec(href) ?? [];
    if (placeholder !== undefined)
      return refused(
        `must not contain the placeholder ${placeholder.slice(0, 60)}: nothing is filled in, so write the address in full`,
      );
    const checked = checkDestination(href);
    if (!checked.ok || !isOwnUrl(new URL(checked.value), root(), OF_ITEM)) return checked;
    return refused('must not be a URI of our own resolver');
  },
});
