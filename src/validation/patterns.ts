/**
 * Formats and patterns of texts in requests, and what each pattern asks for: no caller should have to read an
 * expression.
 */
import { FORMATS, namesOf } from '../../workers/lists.ts';

/** Name of the JSON Schema format that `parseColor` checks. */
export const COLOR_FORMAT = 'css-color';
/** Name of the JSON Schema format that `checkSyntax` of the logo source checks. */
export const IMAGE_FORMAT = 'logo-source';

/** Control characters (Cc) and unpaired surrogates (Cs). Not all readers of the OpenAPI document know such names. */
const CONTROLS = '\\u0000-\\u001f\\u007f-\\u009f';
const UNPRINTABLE = `${CONTROLS}\\ud800-\\udfff`;

/** One line without control characters, so that it fits into every output. */
export const LINE = `^[^${UNPRINTABLE}]*$`;
/** A name: such a line with at least one character that is not white space. */
export const NAME = `^[^${UNPRINTABLE}]*[^\\s${UNPRINTABLE}][^${UNPRINTABLE}]*$`;
/** A text without control characters. */
export const REFERENCE = `^[^${CONTROLS}]+$`;

export const COUNTER_NAME = '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$';

const format = namesOf(FORMATS).join('|');
/** File formats with commas. */
export const FORMAT_LIST = `^(?:${format})(?:,(?:${format})){0,4}$`;

/** What each pattern asks for; continues a sentence that begins with the field. */
export const PATTERN_RULES: Readonly<Record<string, string>> = {
  [LINE]: 'must be one line without control characters',
  [NAME]: 'must be one line with at least one visible character',
  [REFERENCE]: 'must have no control characters',
  [COUNTER_NAME]:
    'must be 1 to 64 letters of A to Z, digits, ".", "_" and "-", of which the first is a letter or a digit',
  [FORMAT_LIST]: `must be a list with commas of ${namesOf(FORMATS).join(', ')}, at most five`,
};
