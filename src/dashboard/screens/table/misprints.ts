/** Cells that were probably meant as addresses of web pages, among others that are: `htps://…`, `https//…`, `www.…`. */
import { parseUrl, trimUrl } from '../../../texts.ts';
import type { BatchPreview } from '../../api/shapes.ts';

/** A cell that looks misprinted, by its row in the file, and the address that was probably meant. */
export interface Misprint {
  readonly file_row: number;
  readonly column: number;
  readonly meant: string;
}

/** `http` or `https` with its letters mixed up, doubled or left out, or with one that is wrong. */
const SCHEME = /^(?:[htps]{3,7}|[a-z]ttps?|h[a-z]tps?|ht[a-z]ps?|htt[a-z]s?|http[a-z])$/i;

/** What somebody may have typed for a scheme, and all after it. Few spaces, so that a long cell is read once. */
const BEGINNING = /^([a-z]{3,8})(?:\s{0,3}[:;.,]{0,2}\s{0,3}[/\\]{1,4}:?|\s{0,3}[:;])\s{0,3}(\S.*)$/is;

const RIGHT_BEGINNING = /^https?:\/\/(?=[^\s/\\:])/i;

/** A host without a scheme: one with `www`, or words with points between them. */
const BARE = /^(?:www\.\S|(?:[a-z\d-]{1,63}\.){1,9}[a-z]{2,63}(?=[/?#:]|$))/i;

const isAddress = (text: string): boolean => RIGHT_BEGINNING.test(text) && !/\s/.test(text);

/** Returns the scheme and the rest of what was probably meant; `null`: the text is something else. */
const splitOf = (text: string): readonly [scheme: string, rest: string] | null => {
  const [right] = RIGHT_BEGINNING.exec(text) ?? [];
  if (right !== undefined) return [right, text.slice(right.length)];
  const [, scheme = '', rest = ''] = BEGINNING.exec(text) ?? [];
  if (SCHEME.test(scheme)) return [/s/i.test(scheme) ? 'https://' : 'http://', rest];
  return BARE.test(text) ? ['https://', text] : null;
};

/** Returns the address that a misprinted one was probably meant to be; `null`: it is right, or no address at all. */
export const addressMeant = (cell: string): string | null => {
  const text = trimUrl(cell);
  const split = splitOf(text);
  if (split === null) return null;
  const [scheme, rest] = split;
  const path = rest.search(/[/?#]|$/);
  const host = rest.slice(0, path).replace(/\s+/g, '');
  const meant = `${scheme}${host}${rest.slice(path).replace(/\s+/g, '%20')}`;
  return meant === text || parseUrl(meant) === null ? null : meant;
};

/** A column is one of addresses from this share of its cells on that are not empty. */
const ADDRESSES_SHARE = 0.5;

/** Returns whether the cells of a column are addresses, and which of them look misprinted. */
export const readAddresses = (
  { rows, file_rows: fileRows }: Pick<BatchPreview, 'rows' | 'file_rows'>,
  column: number,
): { readonly areMost: boolean; readonly misprints: readonly Misprint[] } => {
  const cells = rows.map((row) => trimUrl(row[column] ?? ''));
  const right = cells.filter(isAddress).length;
  const areMost = right > 0 && right >= ADDRESSES_SHARE * cells.filter((cell) => cell !== '').length;
  if (!areMost) return { areMost, misprints: [] };
  const misprints = cells.flatMap((cell, at) => {
    const meant = addressMeant(cell);
    return meant === null ? [] : [{ file_row: fileRows[at] ?? 0, column, meant }];
  });
  return { areMost, misprints };
};
