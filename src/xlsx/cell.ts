/** The text of a cell. */
import { ok, type Result, refused } from '../result.ts';
import { toIsoDate } from './dates.ts';
import { type Texts, withoutEscapes } from './strings.ts';

/** A cell as stored in the sheet (ECMA-376, 18.3.1.4). */
export interface SheetCell {
  /** The type of the value: `s`, `str`, `inlineStr`, `b`, `e`, `d` or `n`. */
  readonly type: string;
  readonly style: number;
  /** The text of its value; `null`: it has none. */
  readonly value: string | null;
  readonly hasFormula: boolean;
}

/** What cells refer to. */
export interface CellContext {
  readonly texts: Texts;
  /** For each style, whether it shows numbers as dates. */
  readonly dates: readonly boolean[];
  readonly is1904: boolean;
}

/** Leaves whole numbers unchanged. Others lose the digits that are artefacts of binary fractions. */
const numberText = (text: string): string => {
  if (/^-?\d{1,15}$/.test(text)) return text;
  const number = Number(text);
  return Number.isFinite(number) && text.trim() !== '' ? String(number) : text;
};

/**
 * Returns the text of a cell (dates as ISO 8601, `true` or `false`, a formula's last result), or why it has none.
 */
export const textOf = (
  { type, style, value, hasFormula }: SheetCell,
  { texts, dates, is1904 }: CellContext,
): Result<string, string> => {
  if (value === null)
    return hasFormula
      ? refused('has a formula without its result; open the file in a spreadsheet and save it')
      : ok('');
  if (type === 'e') return refused(`has the error ${value.slice(0, 20)} of its formula`);
  if (type === 's') {
    const shared = texts.at(Number(value));
    return shared === undefined ? refused('refers to a text that the file does not have') : ok(shared);
  }
  if (type === 'b') return ok(value.trim() === '1' || value.trim() === 'true' ? 'true' : 'false');
  if (type !== 'n') return ok(withoutEscapes(value));
  const date = dates[style] && value.trim() !== '' ? toIsoDate(Number(value), is1904) : null;
  return ok(date ?? numberText(value));
};
