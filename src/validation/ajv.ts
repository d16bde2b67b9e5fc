/** How requests are validated, over HTTP and in files. */
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Fault } from '../../workers/protocol.ts';
import { ANY_UUID } from '../texts.ts';
import { COLOR_FORMAT, IMAGE_FORMAT, PATTERN_RULES, parseColor } from './formats.ts';

/** What the beginning or the end of a span must be. */
export const MOMENT_RULE =
  'must be a date such as 2026-11-01, or a date and time such as 2026-11-01T09:00:00Z, from 2000 to 2100';

/** Messages for formats, because their names do not say what a caller must write. */
const FORMAT_RULES: Readonly<Record<string, string>> = {
  [COLOR_FORMAT]: 'must be a CSS colour, for example #1a2b3c, rebeccapurple or rgb(26 43 60)',
  [IMAGE_FORMAT]: 'must be an http(s) URL or a base64 data:image/... URI of a png, jpeg, webp, gif or svg',
  uuid: 'must be a UUID',
  // Only moments of queries, which may be date-times too, have this format.
  date: MOMENT_RULE,
  'date-time': 'must be a date and time as in RFC 3339, for example 2026-11-01T09:00:00Z',
};

/**
 * Creates the validator of requests. It takes values as they are, sets defaults, and reports the first violation.
 *
 * @param isImageSource Whether a text names a logo.
 */
export const createAjv = (isImageSource: (text: string) => boolean): Ajv2020 => {
  const ajv = new Ajv2020({
    // A hostile body must not cause a long list of errors, or a format check of a text that is too long anyway.
    allErrors: false,
    removeAdditional: false,
    coerceTypes: false,
    useDefaults: true,
    strict: true,
    // Compiling the meta-schema takes longer than most of ours; a test checks the document against it.
    validateSchema: false,
    // Counts UTF-16 units, because counting code points would read all of a two-megabyte logo. The counts differ only
    // for texts that are too long for a code anyway.
    unicode: false,
    // Without this, each start would log that the option above is deprecated. No other option has its effect.
    logger: false,
    keywords: ['example'],
  });
  addFormats.default(ajv, ['date', 'date-time']);
  const { validate } = ajv.formats['date-time'] as { validate(text: string): boolean };
  // RFC 3339 has leap seconds, dates of JavaScript do not.
  ajv.addFormat('date-time', (text: string) => validate(text) && !Number.isNaN(Date.parse(text)));
  ajv.addFormat('uuid', ANY_UUID);
  ajv.addFormat(COLOR_FORMAT, (text: string) => parseColor(text) !== null);
  ajv.addFormat(IMAGE_FORMAT, isImageSource);
  return ajv;
};

/** What Ajv reports about a violation. */
export type ValidationError = Pick<ErrorObject, 'instancePath' | 'keyword' | 'params' | 'message'>;

const unescapePointer = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** Returns the name of the offending field: `/items/3` and a property become `items.3.property`. */
const fieldOf = (error: ValidationError): string => {
  const path = error.instancePath.split('/').slice(1).map(unescapePointer);
  const property = error.params.additionalProperty ?? error.params.missingProperty;
  if (typeof property === 'string') path.push(property);
  // The answer has the caller's own field name, so it is cut to one line of bounded length.
  return path.join('.').replace(/\p{C}/gu, '?').slice(0, 200);
};

type LengthKeyword = 'minItems' | 'maxItems' | 'minLength' | 'maxLength';

const boundOf = (keyword: LengthKeyword, limit: number): string => {
  if (keyword.startsWith('min') && limit === 1) return 'must not be empty';
  const what = keyword.endsWith('Items') ? 'items' : 'characters';
  return `must have at ${keyword.startsWith('min') ? 'least' : 'most'} ${limit} ${what}`;
};

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

const typeOf = ({ params }: ValidationError): string => TYPE_NAMES[String(params.type)] ?? 'of another type';

/** Returns what is wrong, for people. It continues a sentence that begins with the field. */
const messageOf = (error: ValidationError): string => {
  const { keyword, params } = error;
  switch (keyword) {
    case 'additionalProperties':
      return 'is not a known field';
    case 'required':
      return 'is required';
    case 'minItems':
    case 'maxItems':
    case 'minLength':
    case 'maxLength':
      return boundOf(keyword, Number(params.limit));
    case 'minimum':
      return `must be at least ${params.limit}`;
    case 'maximum':
      return `must be at most ${params.limit}`;
    case 'maxProperties':
      return `must have at most ${params.limit} fields`;
    case 'minProperties':
      return 'send at least one field';
    case 'uniqueItems':
      return 'must not have the same item twice';
    case 'type':
      return `must be ${typeOf(error)}`;
    case 'const':
      return `must be ${params.allowedValue}`;
    case 'enum':
      return `must be one of ${(params.allowedValues as readonly unknown[]).join(', ')}`;
    case 'format':
      return FORMAT_RULES[String(params.format)] ?? 'is not valid';
    case 'pattern':
      return PATTERN_RULES[String(params.pattern)] ?? 'is not valid';
    default:
      return 'is not valid';
  }
};

/**
 * Returns the first thing that is wrong, from the errors of one validation. For a value of no allowed type the fault
 * lists the allowed types; for any other it says what is wrong with the value.
 *
 * @param errors What Ajv left; it must not be empty.
 */
export const faultOf = (errors: readonly ValidationError[]): Fault => {
  const first = errors[0]!;
  const choice = errors.find(({ keyword }) => keyword === 'anyOf');
  if (choice === undefined || choice.instancePath !== first.instancePath)
    return { field: fieldOf(first), message: messageOf(first) };
  const isOfType = (error: ValidationError) =>
    error !== choice && (error.keyword !== 'type' || error.instancePath !== choice.instancePath);
  const close = errors.find(isOfType);
  if (close !== undefined) return { field: fieldOf(close), message: messageOf(close) };
  const types = errors.filter((error) => error !== choice).map(typeOf);
  return { field: fieldOf(choice), message: `must be ${[...new Set(types)].join(' or ')}` };
};
