/** Finds the country of an address in a MaxMind database, `GEOIP_FILE`. */
import { readFile, stat } from 'node:fs/promises';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { type CountryResponse, Reader } from 'maxmind';
import type { Log } from '../log.ts';

/** A file of countries has about 10 MB, one of cities 60 MB. It is held in memory. */
const FILE_MAX_BYTES = 300_000_000;
/** Records of the file that are kept decoded: one for each country, and its cities in files that have them. */
const RECORDS_KEPT = 1000;
/** How often the file is looked at. It changes twice a week. */
const LOOK_MS = 60_000;

/** Looks addresses up. They are used for nothing else and never stored. */
export interface Countries {
  /** Returns two letters in upper case (ISO 3166-1), or '' when the country of the address is not known. */
  countryOf(address: string): string;
  /** Rereads the file if it was replaced. Throws, and keeps the earlier one, when the new one cannot be read. */
  refresh(): Promise<void>;
  close(): void;
}

const load = (bytes: Buffer): Reader<CountryResponse> =>
  new Reader<CountryResponse>(bytes, { cache: new LRUCache<string | number, object>({ max: RECORDS_KEPT }) });

/** The address in the form that a file knows; '' for none. A file with 32-bit addresses has no IPv6. */
const addressFor = ({ metadata }: Reader<CountryResponse>, address: string): string => {
  if (!ipaddr.isValid(address)) return '';
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv6' && metadata.ipVersion === 4 ? '' : parsed.toString();
};

const find = (reader: Reader<CountryResponse>, address: string): string => {
  const known = addressFor(reader, address);
  if (known === '') return '';
  try {
    const found = reader.get(known);
    const code = found?.country?.iso_code ?? found?.registered_country?.iso_code ?? '';
    return /^[A-Z]{2}$/.test(code) ? code : '';
  } catch {
    // A broken record is like a missing one: a scan is never lost for its country.
    return '';
  }
};

const versionOf = async (path: string): Promise<string> => {
  const { size, mtimeMs, ino } = await stat(path);
  if (size > FILE_MAX_BYTES) throw new Error(`it has ${size} bytes, more than ${FILE_MAX_BYTES}`);
  return `${size} ${mtimeMs} ${ino}`;
};

/**
 * Opens the file, and rereads it within a minute after it was replaced. If a replacement cannot be read, that is logged
 * and the earlier file stays in use. Without a path no country is known.
 *
 * @throws {Error} For the operator, when the file cannot be read at the start.
 */
export const openCountries = async (path: string | null, log: Log): Promise<Countries> => {
  if (path === null) return { countryOf: () => '', refresh: async () => {}, close: () => {} };
  const read = async () => {
    const version = await versionOf(path);
    return { version, reader: load(await readFile(path)) };
  };
  let held = await read().catch((cause: Error) => {
    throw new Error(`GEOIP_FILE: ${path} is not a MaxMind database that can be read: ${cause.message}`, {
      cause,
    });
  });
  let seen = held.version;

  const refresh = async (): Promise<void> => {
    const version = await versionOf(path);
    if (version === seen) return;
    seen = version;
    held = await read();
    log.info({ path }, 'new GEOIP_FILE loaded');
  };
  const timer = setInterval(() => {
    refresh().catch((err: unknown) => {
      log.warn({ err, path }, 'new GEOIP_FILE cannot be read; keeping the previous one');
    });
  }, LOOK_MS).unref();

  return {
    countryOf: (address) => find(held.reader, address),
    refresh,
    close: () => clearInterval(timer),
  };
};
