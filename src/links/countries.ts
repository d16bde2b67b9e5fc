/** Finds the place of an address in a MaxMind database, `GEOIP_FILE`. */
import { readFile, stat } from 'node:fs/promises';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { type CityResponse, Reader } from 'maxmind';
import type { Log } from '../log.ts';

/** A file of countries has about 10 MB, one of cities 60 MB. It is held in memory. */
const FILE_MAX_BYTES = 300_000_000;
/** Records of the file that are kept decoded: one for each country, and its cities in files that have them. */
const RECORDS_KEPT = 1000;
/** How often the file is looked at. It changes twice a week. */
const LOOK_MS = 60_000;

/** Where an address is. '' is not known; only files of cities have regions and cities. */
export interface Place {
  /** ISO 3166-1, two letters in upper case. */
  readonly country: string;
  /** ISO 3166-2, such as `DE-BY`. */
  readonly region: string;
  /** Its English name. */
  readonly city: string;
}

const NOWHERE: Place = { country: '', region: '', city: '' };

/** Looks addresses up. They are used for nothing else and never stored. */
export interface Countries {
  placeOf(address: string): Place;
  /** Returns two letters in upper case (ISO 3166-1), or '' when the country of the address is not known. */
  countryOf(address: string): string;
  /** Rereads the file if it was replaced. Throws, and keeps the earlier one, when the new one cannot be read. */
  refresh(): Promise<void>;
  close(): void;
}

/** Of a country file it has the fields that such a file has. */
type Found = Partial<CityResponse>;

const load = (bytes: Buffer): Reader<CityResponse> =>
  new Reader<CityResponse>(bytes, { cache: new LRUCache<string | number, object>({ max: RECORDS_KEPT }) });

/** The address in the form that a file knows; '' for none. A file with 32-bit addresses has no IPv6. */
const addressFor = ({ metadata }: Reader<CityResponse>, address: string): string => {
  if (!ipaddr.isValid(address)) return '';
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv6' && metadata.ipVersion === 4 ? '' : parsed.toString();
};

const toPlace = ({ country, registered_country, subdivisions, city }: Found): Place => {
  const code = country?.iso_code ?? registered_country?.iso_code ?? '';
  if (!/^[A-Z]{2}$/.test(code)) return NOWHERE;
  const part = subdivisions?.[0]?.iso_code ?? '';
  return {
    country: code,
    region: country?.iso_code !== undefined && /^[A-Z0-9]{1,3}$/.test(part) ? `${code}-${part}` : '',
    city: city?.names?.en ?? '',
  };
};

const find = (reader: Reader<CityResponse>, address: string): Place => {
  const known = addressFor(reader, address);
  if (known === '') return NOWHERE;
  try {
    return toPlace(reader.get(known) ?? {});
  } catch {
    // A broken record is like a missing one: a scan is never lost for its country.
    return NOWHERE;
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
  if (path === null) {
    return { placeOf: () => NOWHERE, countryOf: () => '', refresh: async () => {}, close: () => {} };
  }
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
    placeOf: (address) => find(held.reader, address),
    countryOf: (address) => find(held.reader, address).country,
    refresh,
    close: () => clearInterval(timer),
  };
};
