/** A printer of ZPL II, written from Zebra's "ZPL II Programming Guide". It takes only commands that it can draw. */
import type { GrayPage } from '../pictures/print.ts';
import { blank, drawBits, numberIn, type Place, type PrintedLabel } from './label.ts';

const MOST = 32_000;

/** Reads the hexadecimal digits of a graphic, with the alternative compression of `~DG`. */
export const readRows = (data: string, bytesPerRow: number, bytes: number): Uint8Array => {
  const length = 2 * bytesPerRow;
  const rows: string[] = [];
  let row = '';
  let count = 0;
  const add = (digits: string): void => {
    row += digits;
    count = 0;
    if (row.length > length) throw new Error('a row is too long');
    if (row.length < length) return;
    rows.push(row);
    row = '';
  };
  for (const letter of data.replace(/[\r\n]/g, '')) {
    if (/[G-Y]/.test(letter)) count += letter.charCodeAt(0) - 'F'.charCodeAt(0);
    else if (/[g-z]/.test(letter)) count += 20 * (letter.charCodeAt(0) - 'f'.charCodeAt(0));
    else if (/[0-9A-F]/.test(letter)) add(letter.repeat(Math.max(count, 1)));
    else if (count > 0) throw new Error(`a count before ${letter}`);
    else if (letter === ',') add('0'.repeat(length - row.length));
    else if (letter === '!') add('F'.repeat(length - row.length));
    else if (letter === ':' && row === '' && rows.length > 0) add(rows.at(-1)!);
    else throw new Error(`${letter} in a graphic`);
  }
  if (row !== '' || count > 0 || rows.length * bytesPerRow !== bytes)
    throw new Error(`${rows.length} rows of ${bytesPerRow} bytes are not ${bytes}`);
  return Uint8Array.from(Buffer.from(rows.join(''), 'hex'));
};

interface Format {
  readonly width: number | null;
  readonly length: number | null;
  readonly copies: number;
  readonly at: { readonly x: number; readonly y: number } | null;
  readonly graphics: readonly (Place & { readonly bits: Uint8Array })[];
}

const EMPTY: Format = { width: null, length: null, copies: 1, at: null, graphics: [] };

const readGraphic = (format: Format, data: string): Format => {
  const [, kind, sent, whole, perRow, digits] = /^(.),(\d+),(\d+),(\d+),(.*)$/s.exec(data) ?? [];
  if (kind !== 'A' || sent !== whole || format.at === null) throw new Error(`^GF${data.slice(0, 40)}`);
  const [bytes, bytesPerRow] = [numberIn(whole, 1, 2 ** 31), numberIn(perRow, 1, MOST)];
  const bits = readRows(digits!, bytesPerRow, bytes);
  const place = { ...format.at, width: 8 * bytesPerRow, height: bytes / bytesPerRow };
  return { ...format, graphics: [...format.graphics, { ...place, bits }] };
};

/** What each command does within a label. */
const COMMANDS: Readonly<Record<string, (format: Format, data: string) => Format>> = {
  LH: (format, data) => {
    if (data !== '0,0') throw new Error(`^LH${data}`);
    return format;
  },
  PW: (format, data) => ({ ...format, width: numberIn(data, 2, MOST) }),
  LL: (format, data) => ({ ...format, length: numberIn(data, 1, MOST) }),
  FO: (format, data) => {
    const [x, y, ...more] = data.split(',');
    if (more.length > 0 || format.at !== null) throw new Error(`^FO${data}`);
    return { ...format, at: { x: numberIn(x, 0, MOST), y: numberIn(y, 0, MOST) } };
  },
  GF: readGraphic,
  FS: (format, data) => {
    if (data !== '') throw new Error(`^FS${data}`);
    return { ...format, at: null };
  },
  PQ: (format, data) => ({ ...format, copies: numberIn(data, 1, 99_999_999) }),
};

const print = ({ width, length, copies, graphics }: Format): PrintedLabel => {
  if (width === null || length === null) throw new Error('a label without ^PW and ^LL');
  const page: GrayPage = blank(width, length);
  for (const { bits, ...place } of graphics) drawBits(page, place, bits);
  return { ...page, copies, graphics };
};

/** Prints labels. @throws {Error} At the first command that is unknown or wrong. */
export const printZpl = (bytes: Uint8Array): readonly PrintedLabel[] => {
  const labels: PrintedLabel[] = [];
  let format: Format | null = null;
  const [before, ...commands] = Buffer.from(bytes).toString('latin1').split('^');
  if (before !== '') throw new Error('a word before the first command');
  for (const command of commands) {
    const [name, data] = [command.slice(0, 2), command.slice(2).trimEnd()];
    if (command.includes('~')) throw new Error(`~ in ^${name}`);
    if (name === 'XA' && format === null && data === '') format = EMPTY;
    else if (format === null) throw new Error(`^${name} between labels`);
    else if (name === 'XZ' && data === '') {
      labels.push(print(format));
      format = null;
    } else {
      const run = COMMANDS[name];
      if (run === undefined) throw new Error(`^${name} is unknown`);
      format = run(format, data);
    }
  }
  if (format !== null) throw new Error('a label without its end');
  return labels;
};
