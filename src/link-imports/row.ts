/** Reads one link of a file: its values as services and people write them become those of a link here. */
import { TAGS_MAX, toCodeName, toFolderName, toTag } from '../db/tables/names.ts';
import { ok, type Result, refused } from '../result.ts';
import { parseUrl, trimUrl } from '../texts.ts';
import { isWithin } from '../validation/json.ts';
import { PASSWORD, type SourceField, type SourceForm } from './sources.ts';

/** A link as a file has it. What only an account can tell is not checked: whose the domain is, which slugs are free. */
export interface MovedLink {
  /** What follows its domain and a slash: the slug, or a path that ends with it. */
  readonly slug: string;
  /** The host of its short URL, in lower case; `null`: the file does not say it. */
  readonly domain: string | null;
  /** The slug that it was made with here; `null`: it is from elsewhere. */
  readonly firstSlug: string | null;
  /** Further slugs of its domain that lead to it. */
  readonly otherSlugs: readonly string[];
  readonly destination: string;
  readonly name: string | null;
  readonly tags: readonly string[];
  readonly externalId: string | null;
  readonly folder: string | null;
  /** Times in ISO 8601. */
  readonly activeFrom: string | null;
  readonly activeUntil: string | null;
  readonly beforeDestination: string | null;
  readonly afterDestination: string | null;
  /**
   * What of a visit it passes on and what decides about visits, as the API has it and unchecked; `null`: nothing of its own.
   * A rule set is its name, or its name with its rules.
   */
  readonly forward: unknown;
  readonly rules: unknown;
  readonly ruleSet: unknown;
  readonly visitLimit: unknown;
  readonly password: unknown;
  /** What is stored of its password, as an export of ours may have it. */
  readonly passwordHash: string | null;
  readonly createdAt: string | null;
  /** Scans that were counted before it moved. */
  readonly scans: number;
  /** What the link has and this file does not: `password`. */
  readonly notInFile: readonly string[];
}

/** What is wrong with a row. The message continues a sentence that begins with the field. */
export interface MovedFault {
  readonly field: string;
  readonly message: string;
}

/** Thrown inside this file, so that each value is read in one expression. */
class ValueFault extends Error {
  readonly fault: MovedFault;

  constructor(field: string, message: string) {
    super(`${field}: ${message}`);
    this.fault = { field, message };
  }
}

/** The values of a row: texts of cells, or values of JSON. `undefined` and '' are none. */
export interface RowValues {
  /** Returns the first value that the row has for a field. */
  of(field: SourceField): unknown;
  /** Returns the value under a bare name. */
  under(name: string): unknown;
}

const isNone = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** A number may be an id, a slug or a year in JSON. */
const textIn = (field: string, value: unknown): string | null => {
  if (isNone(value)) return null;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') throw new ValueFault(field, 'must be a text');
  return value;
};

/** Titles of pages have line breaks and tabs, which no name here has. */
const lineIn = (field: string, value: unknown): string | null =>
  textIn(field, value)?.replace(/\s+/gu, ' ').trim() ?? null;

const TEXT_MAX = 200;

const lineWithin = (
  field: string,
  value: unknown,
  read: (text: string) => Result<string, string>,
): string | null => {
  const line = lineIn(field, value);
  if (line === null) return null;
  const checked = read(line);
  if (!checked.ok) throw new ValueFault(field, checked.fault);
  return checked.value;
};

const toExternalId = (text: string): Result<string, string> =>
  [...text].length <= TEXT_MAX && !/\p{Cc}/u.test(text) && text.isWellFormed()
    ? ok(text)
    : refused(`must have at most ${TEXT_MAX} characters and no control characters`);

const TIME = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)\s*(Z|UTC|[+-]\d\d:?\d\d)?)?$/i;
const FIRST_MS = Date.UTC(1970);
const LAST_MS = Date.UTC(9999);

/** The parser takes the 30th of February for one of March. */
const isDay = (day: string): boolean => new Date(`${day}T00:00Z`).toISOString().startsWith(day);

/** A time without a zone is one of UTC. Of seconds since 1970 there are ten digits since 2001. */
const timeIn = (field: string, value: unknown): string | null => {
  const written = textIn(field, value)?.trim();
  if (written === undefined) return null;
  const [, day, time = '00:00', zone = 'Z'] = TIME.exec(written) ?? [];
  const offset = /^(Z|UTC)$/i.test(zone) ? 'Z' : zone.replace(/^([+-]\d\d):?/, '$1:');
  const ms = /^\d{10}$/.test(written) ? 1000 * Number(written) : Date.parse(`${day}T${time}${offset}`);
  if (!(ms >= FIRST_MS && ms < LAST_MS && (day === undefined || isDay(day))))
    throw new ValueFault(field, 'must be a time such as 2026-01-31T09:00:00Z, in the years 1970 to 9998');
  return new Date(ms).toISOString();
};

const countIn = (field: string, value: unknown): number => {
  const written = textIn(field, value)?.trim();
  if (written === undefined) return 0;
  const count = Number(written);
  if (!/^\d+$/.test(written) || !Number.isSafeInteger(count))
    throw new ValueFault(field, 'must be a whole number that is not negative');
  return count;
};

/** No list or object of a link has more brackets, commas, colons and strings. */
const CELL_TOKENS_MAX = 10_000;

/** @throws {SyntaxError} Also for JSON that is too large for a cell. */
const parseCell = (text: string): unknown => {
  if (!isWithin(text, CELL_TOKENS_MAX)) throw new SyntaxError('too many values');
  return JSON.parse(text);
};

/** A list is one of JSON, a text with separators, or JSON in a cell. Services give tags as objects with names. */
const listIn = (field: string, value: unknown, between: RegExp): readonly string[] => {
  if (isNone(value)) return [];
  if (typeof value === 'string' && value.trimStart().startsWith('[')) {
    try {
      return listIn(field, parseCell(value), between);
    } catch (error) {
      if (error instanceof ValueFault) throw error;
      throw new ValueFault(field, 'must be a list of JSON, or texts with separators');
    }
  }
  const each = Array.isArray(value) ? value : String(textIn(field, value)).split(between);
  return each.flatMap((one) => {
    const named = typeof one === 'object' && one !== null && 'name' in one ? one.name : one;
    return lineIn(field, named) || [];
  });
};

/** In a cell it is digits. What is none is left to the check of the field. */
const limitIn = (field: string, value: unknown): unknown => {
  const written = typeof value === 'number' ? value : textIn(field, value)?.trim();
  return typeof written === 'string' && /^\d{1,15}$/.test(written) ? Number(written) : (written ?? null);
};

/** In a cell it is JSON. */
const jsonIn = (field: string, value: unknown): unknown => {
  if (isNone(value)) return null;
  if (typeof value !== 'string') return value;
  try {
    return parseCell(value);
  } catch {
    throw new ValueFault(field, 'must be JSON');
  }
};

/** A text is the name of a set, unless it begins as JSON does. */
const ruleSetIn = (field: string, value: unknown): unknown =>
  typeof value === 'string' && !/^\s*[{"]/.test(value) ? lineIn(field, value) || null : jsonIn(field, value);

const tagsIn = (value: unknown, between: RegExp): readonly string[] => {
  const tags = new Set<string>();
  for (const written of listIn('tags', value, between)) {
    const tag = toTag(written);
    if (!tag.ok) throw new ValueFault('tags', tag.fault);
    tags.add(tag.value);
  }
  if (tags.size > TAGS_MAX) throw new ValueFault('tags', `must have at most ${TAGS_MAX} items`);
  return [...tags];
};

/** Returns the domain and the slug of a short URL, which may lack its scheme: `bit.ly/abc`. */
const shortUrlIn = (value: unknown): { domain: string; slug: string } | null => {
  const [first] = Array.isArray(value) ? value : [value];
  const written = textIn('short_url', first);
  if (written === null) return null;
  const text = trimUrl(written);
  const url = parseUrl(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  const slug = url === null ? '' : url.pathname.replace(/^\/+|\/+$/g, '');
  if (url === null || slug === '') throw new ValueFault('short_url', 'must be a short URL with a slug');
  return { domain: url.host, slug: decodeSlug(slug) };
};

/** Services percent-encode what their slugs have beside ASCII. */
const decodeSlug = (slug: string): string => {
  try {
    return decodeURIComponent(slug);
  } catch {
    return slug;
  }
};

/** Whether a row has a value that says more than that there is nothing. */
export const isOn = (value: unknown): boolean =>
  !isNone(value) &&
  value !== false &&
  !/^(false|0|no|null|\[\]|\{\})$/i.test(String(value)) &&
  !(typeof value === 'object' && Object.keys(value as object).length === 0);

/** Returns the first thing that the link does and the row does not say; `null`: nothing. */
const findBeyond = ({ beyond }: SourceForm, values: RowValues): MovedFault | null => {
  const isSaid = !isNone(values.of('password')) || !isNone(values.of('password_hash'));
  for (const [name, what] of Object.entries(beyond))
    if (isOn(values.under(name)) && !(what === PASSWORD && isSaid))
      return {
        field: name,
        message: `says that the link has ${what}; send dropped=accept to move it without`,
      };
  return null;
};

const readValues = (form: SourceForm, values: RowValues): MovedLink => {
  const short = shortUrlIn(values.of('short_url'));
  const slug = textIn('slug', values.of('slug'))?.trim() ?? short?.slug;
  if (slug === undefined) throw new ValueFault('slug', 'is missing');
  const destination = textIn('destination', values.of('destination'));
  if (destination === null) throw new ValueFault('destination', 'is missing');
  const [activeFrom, activeUntil] = [
    timeIn('active_from', values.of('active_from')),
    timeIn('active_until', values.of('active_until')),
  ];
  if (activeFrom !== null && activeUntil !== null && activeFrom >= activeUntil)
    throw new ValueFault('active_until', 'must be after active_from');
  return {
    slug: slug.replace(/^\/+/, ''),
    domain: textIn('domain', values.of('domain'))?.trim().toLowerCase() ?? short?.domain ?? null,
    firstSlug: textIn('first_slug', values.of('first_slug')),
    otherSlugs: listIn('other_slugs', values.of('other_slugs'), /[;\s]+/),
    destination,
    name: lineWithin('name', values.of('name'), toCodeName),
    tags: tagsIn(values.of('tags'), form.tagsBetween),
    externalId: lineWithin('external_id', values.of('external_id'), toExternalId),
    folder: lineWithin('folder', values.of('folder'), toFolderName),
    activeFrom,
    activeUntil,
    beforeDestination: textIn('before_destination', values.of('before_destination')),
    afterDestination: textIn('after_destination', values.of('after_destination')),
    forward: jsonIn('forward', values.of('forward')),
    rules: jsonIn('rules', values.of('rules')),
    ruleSet: ruleSetIn('rule_set', values.of('rule_set')),
    visitLimit: limitIn('visit_limit', values.of('visit_limit')),
    password: textIn('password', values.of('password')),
    passwordHash: textIn('password_hash', values.of('password_hash')),
    createdAt: timeIn('created_at', values.of('created_at')),
    scans: countIn('scans', values.of('scans')),
    notInFile: listIn('not_in_file', values.of('not_in_file'), form.tagsBetween),
  };
};

/**
 * Reads a link.
 *
 * @param isDropAccepted Whether a link that does more than lead to one address may move without the rest.
 */
export const readMovedLink = (
  form: SourceForm,
  values: RowValues,
  isDropAccepted: boolean,
): Result<MovedLink, MovedFault> => {
  const beyond = isDropAccepted ? null : findBeyond(form, values);
  if (beyond !== null) return refused(beyond);
  try {
    return ok(readValues(form, values));
  } catch (error) {
    if (error instanceof ValueFault) return refused(error.fault);
    throw error;
  }
};
