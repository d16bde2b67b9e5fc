/** Finds the preset that a call names. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Sql } from '../db/client.ts';
import type { Database } from '../db/database.ts';
import { getPresetImage } from '../db/tables/logos.ts';
import { toFolderName } from '../db/tables/names.ts';
import { findPreset, type Preset, type PresetReference } from '../db/tables/presets.ts';
import { AppError } from '../errors.ts';
import type { PictureOptions } from '../generate/request/picture-options.ts';
import type { Log } from '../log.ts';
import { createOutageCache } from '../outage-cache/outage-cache.ts';
import { ANY_UUID } from '../texts.ts';

/** A preset that a call is drawn by. */
export interface NamedPreset {
  /** Its options as they were sent, with their logo. They are shared, so nobody may change them. */
  readonly options: PictureOptions;
  /** The same for the same options and domain, and for no others: SHA-256, hexadecimal. */
  readonly fingerprint: string;
  /** The host of the own domain of short links that are made with it; `null`: it names none. */
  readonly domain: string | null;
}

/** The cached part of a preset. */
interface Known {
  readonly accountId: string;
  readonly options: PictureOptions;
  readonly imageSha256: Buffer | null;
  readonly fingerprint: string;
  readonly domain: string | null;
}

/** Changes are announced to the cache. While announcements may be missed, an entry is fresh for less than a second. */
const CACHE = {
  what: 'presets',
  max: 2000,
  freshMs: 60_000,
  unknownMs: 900,
  freshWithoutNewsMs: 900,
  staleMs: 600_000,
  maxLoads: 1000,
  loadTimeoutMs: 1000,
  refreshTimeoutMs: 1000,
  retryMs: 500,
  whileFailing: 'spare',
} as const;

/** Logos of presets that were used most recently. */
const IMAGES_MAX_CHARACTERS = 32 * 1024 * 1024;

/** Returns what a text refers to; `null`: nothing can have this name. */
const toReference = (text: string): PresetReference | null => {
  const name = toFolderName(text);
  if (!name.ok) return null;
  const id = ANY_UUID.test(name.value) ? name.value : null;
  return { id, name: name.value, orDefault: name.value === 'default' };
};

const fingerprintOf = ({ options, imageSha256, domain }: Preset): string =>
  createHash('sha256')
    .update(JSON.stringify([options, imageSha256?.toString('hex'), ...(domain === null ? [] : [domain])]))
    .digest('hex');

const unavailableError = (cause: unknown): AppError =>
  new AppError('unavailable', 'Presets cannot be looked up at the moment; try again.', {
    retryAfterS: 1,
    cause,
  });

/** A key has the account, a space and the name. */
const ACCOUNT_CHARACTERS = 36;

/** Creates the look-up. Every gateway sees a change within a second. */
export const createPresetLookup = ({ sql, changes }: Pick<Database, 'sql' | 'changes'>, log: Log) => {
  const load = async (key: string): Promise<Known | null> => {
    const accountId = key.slice(0, ACCOUNT_CHARACTERS);
    const reference = toReference(key.slice(ACCOUNT_CHARACTERS + 1));
    const found = reference === null ? null : await findPreset(sql, accountId, reference);
    if (found === null) return null;
    const { options, imageSha256, domain } = found;
    return { accountId, options, imageSha256, domain, fingerprint: fingerprintOf(found) };
  };
  const cache = createOutageCache<Known>({ ...CACHE, load, isLive: () => changes.live }, log);
  changes.subscribe((change) => {
    if (change.kind === 'everything') cache.outdateAll();
    else if (change.kind === 'preset') cache.drop(({ accountId }) => accountId === change.id);
  });

  const images = new LRUCache<string, string, { accountId: string; sha256: Buffer }>({
    maxSize: IMAGES_MAX_CHARACTERS,
    sizeCalculation: (image) => image.length,
    ignoreFetchAbort: true,
    fetchMethod: async (_key, _stale, { context: { accountId, sha256 } }) =>
      (await getPresetImage(sql, accountId, sha256)) ?? undefined,
  });

  const keyOf = (accountId: string, sha256: Buffer): string => `${accountId} ${sha256.toString('hex')}`;

  const imageOf = (accountId: string, sha256: Buffer): Promise<string | undefined> =>
    images.fetch(keyOf(accountId, sha256), { context: { accountId, sha256 } });

  /** Returns a preset with its logo; `undefined`: the logo is gone, because the preset was changed at this moment. */
  const withImage = async ({ accountId, options, imageSha256, fingerprint, domain }: Known) => {
    if (imageSha256 === null) return { options, fingerprint, domain };
    const image = await imageOf(accountId, imageSha256);
    return image === undefined ? undefined : { options: { ...options, image }, fingerprint, domain };
  };

  const find = async (accountId: string, name: string): Promise<NamedPreset | null> => {
    const key = `${accountId} ${name}`;
    const known = await cache.get(key);
    const whole = known === null ? null : await withImage(known);
    if (whole !== undefined) return whole;
    cache.outdate(key);
    const changed = await cache.get(key);
    const again = changed === null ? null : await withImage(changed);
    if (again === undefined) throw new Error('the logo of a preset is gone');
    return again;
  };

  return {
    /** Returns the logo of a preset, or `undefined` when it is gone. */
    imageOf,
    /** Does the same within a transaction. */
    async imageIn(tx: Sql, accountId: string, sha256: Buffer): Promise<string | undefined> {
      const key = keyOf(accountId, sha256);
      const image = images.get(key) ?? (await getPresetImage(tx, accountId, sha256)) ?? undefined;
      images.set(key, image);
      return image;
    },

    /**
     * Returns the preset of the account, or `null` when it has none like this.
     *
     * @param text An id, a name, or `default` for the default of the account.
     * @throws {AppError} 503 when the database is unavailable and must be asked.
     */
    async find(accountId: string, text: string): Promise<NamedPreset | null> {
      const reference = toReference(text);
      if (reference === null) return null;
      try {
        return await find(accountId, reference.name);
      } catch (cause) {
        throw unavailableError(cause);
      }
    },
  };
};

/** Finds presets. */
export type PresetLookup = ReturnType<typeof createPresetLookup>;
