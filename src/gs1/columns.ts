/** Columns of files that have the value of one AI, and the values as people and spreadsheets write them. */
import { ok, type Result, refused } from '../result.ts';
import { findDigitProblem } from './check-digits.ts';
import { type Identifier, identifierOf } from './dictionary.ts';
import { findValueProblem } from './values.ts';

/** The AIs that have a name as columns. Any other AI is a column by its digits in brackets, `(3103)`. */
export const GS1_COLUMNS = {
  gtin: '01',
  serial: '21',
  lot: '10',
  expiry: '17',
  best_before: '15',
  sell_by: '16',
  production_date: '11',
  packaging_date: '13',
  variant: '22',
  sscc: '00',
  gln: '414',
  count: '37',
  variable_count: '30',
  grai: '8003',
  giai: '8004',
} as const satisfies Readonly<Record<string, string>>;

/** Greatest length of the value of an AI: GS1 General Specifications, 3.2. */
export const VALUE_MAX_LENGTH = 90;

const BY_NAME: ReadonlyMap<string, string> = new Map(Object.entries(GS1_COLUMNS));

/** Returns the AI that a column has the values of; `undefined`: of none. */
export const aiOfColumn = (name: string): string | undefined => {
  const ai = BY_NAME.get(name) ?? /^\((\d{2,4})\)$/.exec(name)?.[1];
  return ai !== undefined && identifierOf(ai) !== undefined ? ai : undefined;
};

/** Numbers that are written shorter than their AI has them: GS1 General Specifications, 3.3.2. */
const GTIN_DIGITS: readonly number[] = [8, 12, 13, 14];

/** The length of an AI's values, if they are digits only and of fixed length. */
const digitsOf = ({ components: [first, ...others], min, max }: Identifier): number | null =>
  first !== undefined && first.charset === 'N' && others.length === 0 && min === max ? max : null;

/** Whether a value of the AI is a key with a check digit, which no other text looks like. */
const isKey = (identifier: Identifier): boolean =>
  digitsOf(identifier) !== null && identifier.components[0]!.checks.includes(findDigitProblem);

const isDate = ({ ai }: Identifier): boolean => /^1[1-7]$/.test(ai);

/**
 * Outside this range, two-digit years mean other years, as long as the present year is at most 2049 (GS1 General
 * Specifications, 7.12).
 */
const YEARS = { first: 2000, last: 2074 } as const;

const readDate = (text: string): Result<string, string> => {
  if (/^\d*$/.test(text) || /^\d+[.,]0+$|e/i.test(text)) return ok(text);
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? [];
  if (year === undefined) return refused('is not a date: write it as 271231 or 2027-12-31');
  return Number(year) < YEARS.first || Number(year) > YEARS.last
    ? refused(`a year is ${YEARS.first} to ${YEARS.last} here, because GS1 writes two digits of it`)
    : ok(`${year.slice(2)}${month}${day}`);
};

/** Says that a spreadsheet has removed zeros, and what to write when the check digit, if there is one, agrees. */
const tellEaten = (text: string, identifier: Identifier, digits: number): string => {
  const wanted = text.padStart(digits, '0');
  const told = `has ${text.length} digits: a spreadsheet has probably removed leading zeros`;
  return findValueProblem(identifier, wanted.padStart(identifier.max, '0')) === null
    ? `${told}; write ${wanted}, and give the column the format "Text"`
    : `${told}, but ${wanted} would be wrong, too; compare it with the source`;
};

const findEaten = (text: string, identifier: Identifier, forms: readonly number[]): string | null => {
  if (/^\d+(?:[.,]\d+)?e\+?\d+$/i.test(text))
    return `${text} is a number that a spreadsheet has shortened, and its digits are lost; give the column the format "Text", and write all digits`;
  const [, whole] = /^(\d+)[.,]0+$/.exec(text) ?? [];
  if (whole !== undefined) {
    const digits = forms.find((each) => each >= whole.length);
    const advice = digits === undefined ? 'its digits' : whole.padStart(digits, '0');
    return `a spreadsheet has turned it into the decimal number ${text}; write ${advice}, and give the column the format "Text"`;
  }
  const digits = forms.find((each) => each > text.length);
  const isEaten = /^\d+$/.test(text) && digits !== undefined && !forms.includes(text.length);
  return isEaten ? tellEaten(text, identifier, digits) : null;
};

/**
 * Reads a cell of a column: the value as its AI has it, or what is wrong with it. A GTIN of 8, 12 or 13 digits is filled
 * up to 14, and a date may be `2027-12-31`. What a spreadsheet has damaged is refused, never repaired.
 */
export const readColumnValue = (ai: string, cell: string): Result<string, string> => {
  const identifier = identifierOf(ai)!;
  const text = cell.trim();
  const digits = digitsOf(identifier);
  const read = isDate(identifier) ? readDate(text) : ok(text);
  if (!read.ok) return read;
  if (digits === null) {
    if (/^\d(?:[.,]\d+)?E\+\d{2,}$/.test(text)) return refused(findEaten(text, identifier, [])!);
  } else {
    const eaten = findEaten(read.value, identifier, ai === '01' ? GTIN_DIGITS : [digits]);
    if (eaten !== null) return refused(eaten);
  }
  const value =
    ai === '01' && GTIN_DIGITS.includes(read.value.length) ? read.value.padStart(14, '0') : read.value;
  const problem = findValueProblem(identifier, value);
  return problem === null ? ok(value) : refused(problem.message);
};

/** Whether values of a column are read as GS1 data even where nothing else asks for that. */
export const isKeyColumn = (ai: string): boolean => isKey(identifierOf(ai)!);

/** What is wrong with a row that has no value in a column whose values must be unique. */
export const UNIQUE_MISSING = 'is required: its values must be unique';

/** Returns a value of such a column in the form in which it is compared; `null`: there is none. */
export const toUniqueValue = (column: string, written: unknown): string | null => {
  const text = typeof written === 'string' ? written.trim().normalize('NFC') : '';
  if (text === '') return null;
  const ai = aiOfColumn(column);
  const read = ai === undefined ? null : readColumnValue(ai, text);
  return read?.ok ? read.value : text;
};
