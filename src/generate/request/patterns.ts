/** Patterns of texts in requests, and what each one asks for: no caller should have to read an expression. */
import { FORMATS, namesOf } from '../../../workers/lists.ts';

/** One line without control characters, so that it fits into every output. */
export const LINE = '^[^\\p{Cc}\\p{Cs}]*$';
/** A name: such a line with at least one character that is not white space. */
export const NAME = '^[^\\p{Cc}\\p{Cs}]*[^\\s\\p{Cc}\\p{Cs}][^\\p{Cc}\\p{Cs}]*$';
/** A text without control characters. */
export const REFERENCE = '^[^\\p{Cc}]+$';

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
