/** Patterns of texts in requests, and what each one asks for: no caller should have to read an expression. */
import { FORMATS, namesOf } from '../../../workers/lists.ts';

/** Control characters (Cc) and unpaired surrogates (Cs). Not all that read the OpenAPI document know such names. */
const CONTROLS = '\\u0000-\\u001f\\u007f-\\u009f';
const UNPRINTABLE = `${CONTROLS}\\ud800-\\udfff`;

/** One line without control characters, so that it fits into every output. */
export const LINE = `^[^${UNPRINTABLE}]*$`;
/** A name: such a line with at least one character that is not white space. */
export const NAME = `^[^${UNPRINTABLE}]*[^\\s${UNPRINTABLE}][^${UNPRINTABLE}]*$`;
/** A text without control characters. */
export const REFERENCE = `^[^${CONTROLS}]+$`;

const format = namesOf(FORMATS).join('|');
/** File formats with commas. */
export const FORMAT_LIST = `^(?:${format})(?:,(?:${format})){0,4}$`;

/** What each pattern asks for; continues a sentence that begins with the field. */
export const PATTERN_RULES: Readonly<Record<string, string>> = {
  [LINE]: 'must be one line without control characters',
  [NAME]: 'must be one line with at least one visible character',
  [REFERENCE]: 'must have no control characters',
  [FORMAT_LIST]: `must be a list with commas of ${namesOf(FORMATS).join(', ')}, at most five`,
};
