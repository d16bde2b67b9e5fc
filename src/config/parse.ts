/** Parsers for the texts of variables. Each returns the value, or what is wrong with the text. */
import { Resolver } from 'node:dns';
import { isIP } from 'node:net';
import { parseRedisUrl } from '../redis/url.ts';
import { ok, type Result, refused } from '../result.ts';
import { parseUrl } from '../texts.ts';

/** Returns the value, or what is wrong with the text. */
export type Parse<T> = (text: string) => Result<T, string>;

/** Parses a whole number from `min` to `max`. */
export const integer =
  (min: number, max: number): Parse<number> =>
  (text) => {
    const value = /^-?\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? ok(value) : refused(`must be a whole number from ${min} to ${max}`);
  };

/** Parses the word, or what `parse` takes. */
export const wordOr =
  <W extends string, T>(word: W, parse: Parse<T>): Parse<W | T> =>
  (text) => {
    if (text === word) return ok(word);
    const parsed = parse(text);
    return parsed.ok ? parsed : refused(`${parsed.fault}, or ${word}`);
  };

/** Parses one of the words. */
export const oneOf =
  <T extends string>(...values: readonly T[]): Parse<T> =>
  (text) => {
    const value = values.find((candidate) => candidate === text);
    return value === undefined ? refused(`must be one of ${values.join(', ')}`) : ok(value);
  };

/** Parses `true` or `false`. */
export const flag: Parse<boolean> = (text) => {
  const parsed = oneOf('true', 'false')(text);
  return parsed.ok ? ok(parsed.value === 'true') : parsed;
};

/** Parses a URL with one of the protocols, and returns it unchanged. */
export const url =
  (...protocols: readonly string[]): Parse<string> =>
  (text) => {
    const fault = refused(`must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`);
    if (!protocols.some((protocol) => text.startsWith(`${protocol}//`))) return fault;
    // Postgres accepts several hosts separated by commas; `URL` would refuse the ports between them.
    return text.length > 2000 || /\s/.test(text) ? fault : ok(text);
  };

/** Parses the address of ClickHouse, which names a database and nothing else, and returns it unchanged. */
export const clickHouseUrl: Parse<string> = (text) => {
  const fault = refused('must be an http or https URL whose path is the name of a database');
  if (!/^https?:\/\//.test(text) || text.length > 2000 || !URL.canParse(text)) return fault;
  const { pathname, search, hash } = new URL(text);
  return /^\/[A-Za-z_]\w*$/.test(pathname) && search + hash === '' ? ok(text) : fault;
};

/** Parses an address of Redis in one of its forms, and returns it unchanged. */
export const redisUrl: Parse<string> = (text) => {
  try {
    parseRedisUrl(text);
    return ok(text);
  } catch (error) {
    return refused(
      error instanceof URIError ? 'must write % in a name or password as %25' : (error as Error).message,
    );
  }
};

/**
 * Parses an absolute http or https URL without credentials, query or fragment. Returns it as the WHATWG URL standard
 * writes it, without trailing slashes.
 */
export const publicUrl: Parse<string> = (text) => {
  const url = parseUrl(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    return refused('must be an absolute http or https URL');
  if (url.username || url.password) return refused('must have no user name or password');
  // Empty ones are in `href` alone.
  return /[?#]/.test(url.href) ? refused('must have no query or fragment') : ok(url.href.replace(/\/+$/, ''));
};

/** A folder, or a bucket with a key prefix that has no slash at either end. */
type WrittenStore = { readonly folder: string } | { readonly bucket: string; readonly prefix: string };

const S3_FORM =
  /^s3:\/\/(?<bucket>[a-z\d][a-z\d.-]{1,61}[a-z\d])(?:\/(?<prefix>[\w-][\w.-]*(?:\/[\w-][\w.-]*)*)?)?\/?$/;

/** Parses the path of a folder, or the address of a bucket of S3. Other addresses are refused. */
export const store: Parse<WrittenStore> = (text) => {
  if (text.length > 1000) return refused('must have at most 1000 characters');
  if (!/^[a-z][a-z\d+.-]*:/i.test(text)) return ok({ folder: text });
  const { bucket, prefix = '' } = S3_FORM.exec(text)?.groups ?? {};
  return bucket === undefined
    ? refused(
        'must be the path of a folder, or s3://bucket/prefix with a prefix of letters, digits, "-", "_", "." and slashes',
      )
    : ok({ bucket, prefix });
};

/** Parses text that matches the pattern; `rule` says what is wrong with other text. */
export const text =
  (pattern: RegExp, rule: string): Parse<string> =>
  (value) =>
    pattern.test(value) ? ok(value) : refused(rule);

const NAMED_SUBNETS = ['loopback', 'linklocal', 'uniquelocal'];

/** Whether it is an address or a subnet with its prefix length. `/0` is refused: it means everyone, as `true` does. */
const isSubnet = (text: string): boolean => {
  const [address = '', bits = '32', ...rest] = text.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0 || !/^[1-9]\d{0,2}$/.test(bits)) return false;
  return Number(bits) <= (family === 4 ? 32 : 128);
};

/** Parses which proxies are trusted, into the form that Fastify takes: all, none, or a list. */
export const trustedProxies: Parse<boolean | string> = (written) => {
  if (written === 'true' || written === 'false') return ok(written === 'true');
  const wrong = written
    .split(',')
    .map((part) => part.trim())
    .find((part) => !NAMED_SUBNETS.includes(part) && !isSubnet(part));
  if (wrong === undefined) return ok(written);
  return refused(
    `must be false, true, or addresses, subnets and the words ${NAMED_SUBNETS.join(', ')} separated by commas; "${wrong.slice(0, 50)}" is none of these`,
  );
};

/** Parses addresses of name servers, with or without a port, as `Resolver.setServers` of Node takes them. */
export const nameServers: Parse<readonly string[]> = (text) => {
  const servers = text.split(',').map((part) => part.trim());
  try {
    new Resolver().setServers(servers);
    return ok(servers);
  } catch {
    return refused('must be addresses of name servers separated by commas, such as 1.1.1.1 or [::1]:53');
  }
};

const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/;

const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text.trim());
  } catch {
    return null;
  }
};

/**
 * Parses `name=value` pairs between commas; values are percent-encoded where they have to be. A fault reveals none
 * of them.
 */
export const otlpHeaders: Parse<Readonly<Record<string, string>>> = (text) => {
  const pairs = text.split(',').map((pair): readonly [string, string | null] => {
    const at = pair.indexOf('=');
    return [pair.slice(0, Math.max(at, 0)).trim().toLowerCase(), decoded(pair.slice(at + 1))];
  });
  const isRight = pairs.every(
    ([name, value]) => HEADER_NAME.test(name) && value !== null && /^[\x20-\x7e]{1,4000}$/.test(value),
  );
  return isRight
    ? ok(Object.fromEntries(pairs) as Record<string, string>)
    : refused('must be name=value pairs between commas, with values that are percent-encoded');
};

/** Parses a share from 0 to 1. */
export const share: Parse<number> = (text) => {
  const value = /^\d{1,2}(\.\d{1,10})?$/.test(text) ? Number(text) : Number.NaN;
  return value <= 1 ? ok(value) : refused('must be a number from 0 to 1');
};

/**
 * One variable: how it is read, and what docs/configuration.md says about it. `F` is `null` for one that may be unset,
 * and then its value is `null`.
 */
export interface Variable<T, F extends string | null = string | null> {
  readonly parse: Parse<T>;
  /** Parsed like a value that the operator wrote; `null` means unset. */
  readonly fallback: F;
  readonly example: string;
  readonly meaning: string;
}

/** Makes the row of a variable. @param example Needed where there is no fallback. */
export const defineVariable = <T, F extends string | null>(
  fallback: F,
  parse: Parse<T>,
  meaning: string,
  example = fallback ?? '',
): Variable<T, F> => ({ parse, fallback, example, meaning });
