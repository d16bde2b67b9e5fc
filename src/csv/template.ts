/**
 * Templates: texts with names in braces, for example `https://example.com/{sku}/{serial:06}`. Runs in the gateway, the
 * CLI and browsers.
 */
import { ok, type Result, refused } from '../result.ts';

/** A placeholder for a value. With a width, the value is a number padded with leading zeros. */
export interface Placeholder {
  readonly name: string;
  readonly width: number | null;
}

/** A template: literal texts and placeholders. */
export interface Template {
  readonly parts: readonly (string | Placeholder)[];
  /** Whether values are percent-encoded, because it begins like an http or https URL. */
  readonly isUrl: boolean;
}

/** Maximum length of a template, in UTF-16 code units. */
export const TEMPLATE_MAX_LENGTH = 4296;
/** Maximum digits of a number, to stay below Number.MAX_SAFE_INTEGER. */
export const WIDTH_MAX = 15;
/** Maximum number of distinct names in a template. */
const NAMES_MAX = 50;

const PART = /\{\{|\}\}|\{([^{}]*)\}|[{}]|[^{}]+/g;
const PLACE = /^\s*([^:{}]{1,100}?)\s*(?::0(\d{1,2}))?$/;

const readPlace = (text: string): Result<Placeholder, string> => {
  const [, name, digits] = PLACE.exec(text) ?? [];
  if (name === undefined)
    return refused(`"{${text.slice(0, 40)}}" must be a name, or a name and a width, such as {serial:06}`);
  const width = digits === undefined ? null : Number(digits);
  if (width !== null && (width < 1 || width > WIDTH_MAX))
    return refused(`the width in "{${text}}" must be 01 to ${WIDTH_MAX}`);
  return ok({ name, width });
};

/** Names are allowed only in the path, the query or the fragment: RFC 3986, 3. */
const hasNameInHost = (parts: Template['parts']): boolean =>
  !/^https?:\/\/[^/?#]+[/?#]/i.test(typeof parts[0] === 'string' ? parts[0] : '') && parts.length > 1;

/** Parses a template, or says what is wrong with it. `{{` and `}}` are escaped braces. */
export const parseTemplate = (text: string): Result<Template, string> => {
  const parts: (string | Placeholder)[] = [];
  for (const [part, place] of text.matchAll(PART)) {
    if (part === '{' || part === '}')
      return refused(`has a single "${part}"; write "${part}${part}" for the character itself`);
    if (place === undefined) {
      const plain = part === '{{' || part === '}}' ? part[0]! : part;
      if (typeof parts.at(-1) === 'string') parts.push(`${parts.pop()}${plain}`);
      else parts.push(plain);
      continue;
    }
    const read = readPlace(place);
    if (!read.ok) return read;
    parts.push(read.value);
  }
  if (/^\s+https?:/i.test(text)) return refused('must not begin with white space');
  const template = { parts, isUrl: /^https?:/i.test(text) };
  if (namesOf(template).length > NAMES_MAX) return refused(`must have at most ${NAMES_MAX} different names`);
  return template.isUrl && hasNameInHost(parts)
    ? refused('must give its host as text: names may only follow it')
    : ok(template);
};

/** Returns the distinct names of a template. */
export const namesOf = ({ parts }: Pick<Template, 'parts'>): readonly string[] => [
  ...new Set(parts.flatMap((part) => (typeof part === 'string' ? [] : [part.name]))),
];

/** Percent-encodes all but unreserved characters: RFC 3986, 2.3; RFC 6570, 3.2.2. */
const encode = (value: string): string =>
  encodeURIComponent(value).replace(
    /[!'()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  );

const writeValue = (value: string, { name, width }: Placeholder, isUrl: boolean): Result<string, string> => {
  if (value === '') return refused(`{${name}} has no value here`);
  // Browsers resolve them as dot segments, even percent-encoded (WHATWG URL, 4.1).
  if (isUrl && /^\.{1,2}$/.test(value)) return refused(`{${name}} must not be "${value}" in a URL`);
  if (width === null) {
    if (/\p{Cs}/u.test(value)) return refused(`{${name}} has half of a surrogate pair here`);
    return ok(isUrl ? encode(value) : value);
  }
  if (!/^\d+$/.test(value)) return refused(`{${name}:0${width}} takes only digits here`);
  return value.length > width
    ? refused(`${value.slice(0, 40)} has more digits than {${name}:0${width}} takes`)
    : ok(value.padStart(width, '0'));
};

/**
 * Fills in a template, or says which value is missing or does not fit.
 *
 * @param textOf `undefined`: there is none.
 * @param maxLength A text that becomes longer is not filled in to its end: the caller must refuse it.
 */
export const fillTemplate = (
  { parts, isUrl }: Template,
  textOf: (name: string) => string | undefined,
  maxLength: number,
): Result<string, string> => {
  let text = '';
  for (const part of parts) {
    if (text.length > maxLength) break;
    if (typeof part === 'string') {
      text += part;
      continue;
    }
    const written = writeValue(textOf(part.name) ?? '', part, isUrl);
    if (!written.ok) return written;
    text += written.value;
  }
  return ok(text);
};
