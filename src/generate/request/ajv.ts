/** How requests are validated, over HTTP and in files. */
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { ANY_UUID } from '../../uuid.ts';
import { parseColor } from './color.ts';
import { COLOR_FORMAT, IMAGE_FORMAT } from './picture-options.ts';

/** Messages for formats, because their names do not say what a caller must write. */
const FORMAT_RULES: Readonly<Record<string, string>> = {
  [COLOR_FORMAT]: 'must be a CSS colour, for example #1a2b3c, rebeccapurple or rgb(26 43 60)',
  [IMAGE_FORMAT]: 'must be an http(s) URL or a base64 data:image/... URI of a png, jpeg, webp, gif or svg',
  uuid: 'must be a UUID',
  date: 'must be a date, or a date and time, as in RFC 3339',
  'date-time': 'must be a date and time as in RFC 3339',
};

/**
 * Creates the validator of requests. It takes values as they are, sets defaults, and reports the first violation.
 *
 * @param isImageSource Whether a text names a logo.
 */
export const createAjv = (isImageSource: (text: string) => boolean): Ajv2020 => {
  const ajv = new Ajv2020({
    // Only the first offending field is reported, and a hostile body must not cost a long list.
    allErrors: false,
    removeAdditional: false,
    coerceTypes: false,
    useDefaults: true,
    strict: true,
    // Counts UTF-16 units, because counting code points would read all of a two-megabyte logo. The counts differ only
    // for texts that are too long for a code anyway.
    unicode: false,
    // Without this, each start would log that the option above is deprecated. No other option has its effect.
    logger: false,
    keywords: ['example'],
  });
  addFormats.default(ajv, ['date', 'date-time']);
  ajv.addFormat('uuid', ANY_UUID);
  ajv.addFormat(COLOR_FORMAT, (text: string) => parseColor(text) !== null);
  ajv.addFormat(IMAGE_FORMAT, isImageSource);
  return ajv;
};

/** What Ajv tells of a violation. */
export type ValidationError = Pick<ErrorObject, 'instancePath' | 'keyword' | 'params' | 'message'>;

const unescapePointer = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** Returns the name of the offending field: `/items/3` and a property become `items.3.property`. */
export const fieldOf = (error: ValidationError): string => {
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

/** Returns what is wrong, for people. */
export const messageOf = (error: ValidationError): string => {
  switch (error.keyword) {
    case 'additionalProperties':
      return 'is not a known field';
    case 'required':
      return 'is required';
    case 'minItems':
    case 'maxItems':
    case 'minLength':
    case 'maxLength':
      return boundOf(error.keyword, Number(error.params.limit));
    case 'enum':
      return `must be one of ${(error.params.allowedValues as readonly unknown[]).join(', ')}`;
    case 'format':
      return FORMAT_RULES[String(error.params.format)] ?? error.message ?? 'is not valid';
    default:
      return error.message ?? 'is not valid';
  }
};
