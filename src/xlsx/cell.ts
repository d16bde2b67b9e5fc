/** The text of a cell. */
import { ok, type Result, refused } from '../result.ts';
import type { CellFormat } from './formats.ts';
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
  /** Returns the format of a style. */
  formatOf(style: number): CellFormat;
}

/**
 * Returns the text of a cell: what its format shows, but dates and times in ISO 8601, `true` or `false`, and a formula's
 * last result; or why it has none.
 */
export const textOf = (
  { type, style, value, hasFormula }: SheetCell,
  { texts, formatOf }: CellContext,
): Result<string, string> => {
  if (value === null)
    return hasFormula
      ? refused('has a formula without its result; open the file in a spreadsheet and save it')
      : ok('');
  if (type === 'e') return refused(`has the error ${value.slice(0, 20)} of its formula`);
  if (type === 's') {
    const place = value.trim();
    if (place === '') return ok('');
    const shared = /^\d+$/.test(place) ? texts.at(Number(place)) : undefined;
    if (shared === undefined) return refused('refers to a text that the file does not have');
    return formatOf(style).showText(shared);
  }
  if (type === 'b') return ok(value.trim() === '1' || value.trim() === 'true' ? 'true' : 'false');
  if (type === 'd') return ok(value);
  return type === 'n' ? formatOf(style).showNumber(value) : formatOf(style).showText(withoutEscapes(value));
};
