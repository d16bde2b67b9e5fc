import type { Inks } from '../../protocol.ts';
import { inkOf, type Rgba } from '../colors.ts';
import { drawPath, formatNumber } from '../path.ts';

/** Writes numbers with spaces between them. */
export const formatNumbers = (values: readonly number[]): string =>
  values.map((value) => formatNumber(value, 5)).join(' ');

/** Writes bytes as hexadecimal digits, in lines that every reader takes. */
export const hexLines = (bytes: Buffer): string =>
  (bytes.toString('hex').match(/.{1,240}/g) ?? []).join('\n');

/** What the prolog calls the setting of a colour, by its number of components. */
const OPERATORS: Readonly<Record<number, string>> = { 1: 'g', 3: 'r', 4: 'k' };

/** Sets the colour of what is drawn next. */
export const colorCommand = (color: Rgba, inks: Inks): string => {
  const ink = inkOf(color, inks);
  return `${formatNumbers(ink)} ${OPERATORS[ink.length]}`;
};

/** The length of a side is the code of its character less this. */
const ZERO = 80;
/** The printable characters of ASCII. */
const [FIRST, LAST] = [33, 126];

/** An outline while it is read: `sides` alternate between across and down as long as it is not `null`. */
interface Outline {
  readonly startX: number;
  readonly startY: number;
  sides: number[] | null;
  commands: string;
}

/** Writes path data by the prolog. An outline of whole modules is a string, a third as long as its numbers. */
export function pathCommands(path: string): string {
  const outlines: Outline[] = [];
  let [atX, atY] = [0, 0];
  const add = (values: readonly number[], command: string): void => {
    outlines.at(-1)!.commands += `${formatNumbers(values)} ${command}\n`;
  };
  drawPath(path, {
    move: (x, y) => {
      const isWhole = Number.isInteger(x) && Number.isInteger(y);
      outlines.push({ startX: x, startY: y, sides: isWhole ? [] : null, commands: '' });
      add([x, y], 'm');
      [atX, atY] = [x, y];
    },
    line: (x, y) => {
      const outline = outlines.at(-1)!;
      outline.sides = withSide(outline.sides, x - atX, y - atY);
      add([x, y], 'l');
      [atX, atY] = [x, y];
    },
    curve: (...points) => {
      outlines.at(-1)!.sides = null;
      add(points, 'c');
      [atX, atY] = [points[4], points[5]];
    },
    close: () => {
      outlines.at(-1)!.commands += 'h\n';
    },
  });
  return outlines.map(written).join('');
}

function withSide(sides: number[] | null, dx: number, dy: number): number[] | null {
  if (sides === null) return null;
  const [along, across] = sides.length % 2 === 0 ? [dx, dy] : [dy, dx];
  const code = ZERO + along;
  return across === 0 && Number.isInteger(along) && code >= FIRST && code <= LAST ? [...sides, along] : null;
}

function written({ startX, startY, sides, commands }: Outline): string {
  if (sides === null) return commands;
  const text = String.fromCharCode(...sides.map((side) => ZERO + side)).replace(/[()\\]/g, '\\$&');
  return `${startX} ${startY}(${text})p\n`;
}
