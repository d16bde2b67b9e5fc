/**
 * Measures the payloads with `zint` and `libqrencode` (Debian: `apt-get install zint qrencode`) and prints the table of
 * `figures.json`. Run it by hand, since the tests need neither:
 *
 *     node --require=./test/support/loader/typescript.cjs test/support/encoders/measure.ts > test/support/encoders/figures.json
 *
 * Both are asked for the smallest symbol at level L. Text that JIS X 0208 holds is given to `qrencode` as Shift JIS,
 * and any other as UTF-8. `zint` takes UTF-8; for other characters outside ASCII it adds the designator of UTF-8,
 * without which it would write Latin-1.
 */
import { execFileSync } from 'node:child_process';
import { shiftJisOf } from '../../../workers/symbol/kanji.ts';
import { PAYLOADS } from './payloads.ts';
import { readSymbol, type SymbolContent } from './read-symbol.ts';

const isAscii = (text: string): boolean => Buffer.byteLength(text) === text.length;

/** Returns the text in Shift JIS, or `null` when it has other characters. */
function toShiftJis(text: string): Buffer | null {
  const bytes: number[] = [];
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    const value = unit < 0x80 ? unit : shiftJisOf(unit);
    if (value === 0) return null;
    if (value > 0xff) bytes.push(value >>> 8);
    bytes.push(value & 0xff);
  }
  return Buffer.from(bytes);
}

function byQrencode(text: string): SymbolContent {
  const shiftJis = isAscii(text) ? null : toShiftJis(text);
  const options = ['-t', 'ASCII', '-m', '0', '-l', 'L', '-o', '-', ...(shiftJis === null ? [] : ['-k'])];
  const drawn = execFileSync('qrencode', options, {
    input: shiftJis ?? Buffer.from(text),
    encoding: 'latin1',
  });
  const rows = drawn.split('\n').filter((row) => row !== '');
  const modules = rows.flatMap((row) => Array.from(rows, (_, column) => (row[2 * column] === '#' ? 1 : 0)));
  return readSymbol(Uint8Array.from(modules), rows.length);
}

function byZint(text: string): SymbolContent {
  const eci = isAscii(text) || toShiftJis(text) !== null ? [] : ['--eci=26'];
  const options = ['-b', 'QRCODE', '--secure=1', '--dump', ...eci, '-d', text];
  const rows = execFileSync('zint', options, { encoding: 'latin1' }).trim().split('\n');
  const modules = rows.flatMap((row) => {
    const bits = [...row.replaceAll(' ', '')].map((digit) =>
      Number.parseInt(digit, 16).toString(2).padStart(4, '0'),
    );
    return [...bits.join('')].slice(0, rows.length).map(Number);
  });
  return readSymbol(Uint8Array.from(modules), rows.length);
}

const figuresOf = ({ version, bits, eci }: SymbolContent) => ({ version, bits, eci: eci !== null });
const figures = PAYLOADS.map(({ kind, text }) => ({
  kind,
  zint: figuresOf(byZint(text)),
  qrencode: figuresOf(byQrencode(text)),
}));
console.log(JSON.stringify(figures, null, 2));
