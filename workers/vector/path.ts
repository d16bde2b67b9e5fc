/** The paths of logos: read, and written as SVG within a picture or as a document of its own. */
import { writeElement } from '../design/markup.ts';
import type { LogoFigure, LogoVector } from '../protocol.ts';

/** Draws a path with absolute coordinates. */
interface Pen {
  move(x: number, y: number): void;
  line(x: number, y: number): void;
  curve(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void;
  close(): void;
}

const COMMAND = /([A-Za-z])([^A-Za-z]*)/g;
const NUMBER = /-?(?:\d+\.?\d*|\.\d+)/g;

/**
 * Draws path data with a pen. It reads what this service writes: `M L C` with absolute, `m l h v c s` with relative
 * coordinates, one set of them for each command, and `z`.
 *
 * @throws {Error} Other commands are a bug.
 */
export const drawPath = (path: string, pen: Pen): void => {
  let [x, y, startX, startY, reachX, reachY] = [0, 0, 0, 0, 0, 0];
  const move = (toX: number, toY: number): void => {
    [x, y, startX, startY] = [toX, toY, toX, toY];
    pen.move(x, y);
  };
  const line = (toX: number, toY: number): void => {
    [x, y] = [toX, toY];
    pen.line(x, y);
  };
  const curve = (x1: number, y1: number, x2: number, y2: number, toX: number, toY: number): void => {
    pen.curve(x1, y1, x2, y2, toX, toY);
    // A smooth curve continues from the mirrored control point.
    [x, y, reachX, reachY] = [toX, toY, toX - x2, toY - y2];
  };
  const draw: Readonly<Record<string, (n: readonly number[]) => void>> = {
    M: ([a, b]) => move(a!, b!),
    m: ([a, b]) => move(x + a!, y + b!),
    L: ([a, b]) => line(a!, b!),
    l: ([a, b]) => line(x + a!, y + b!),
    h: ([a]) => line(x + a!, y),
    v: ([a]) => line(x, y + a!),
    C: ([a, b, c, d, e, f]) => curve(a!, b!, c!, d!, e!, f!),
    c: ([a, b, c, d, e, f]) => curve(x + a!, y + b!, x + c!, y + d!, x + e!, y + f!),
    s: ([a, b, c, d]) => curve(x + reachX, y + reachY, x + a!, y + b!, x + c!, y + d!),
    z: () => {
      [x, y] = [startX, startY];
      pen.close();
    },
  };
  for (const [, letter, numbers] of path.matchAll(COMMAND)) {
    const command = draw[letter!];
    if (command === undefined) throw new Error(`a path has the unknown command ${letter}`);
    command((numbers!.match(NUMBER) ?? []).map(Number));
  }
};

/** Writes a number with at most `decimals` digits after the point, and never with an exponent. */
export const formatNumber = (value: number, decimals = 4): string => {
  if (Number.isSafeInteger(value)) return String(value);
  const text = String(Number(value.toFixed(decimals)));
  if (text.includes('e')) return value.toFixed(decimals).replace(/\.?0+$/, '');
  return text === '-0' ? '0' : text.replace(/^(-?)0\./, '$1.');
};

/** Returns one path of a logo as an element. */
export const figureElement = ({ path, color, rule, stroke }: LogoFigure): string => {
  const opacity = color.length === 9 ? formatNumber(Number.parseInt(color.slice(7), 16) / 255) : null;
  const rgb = color.slice(0, 7);
  if (stroke === undefined) {
    return writeElement('path', {
      fill: rgb,
      'fill-opacity': opacity,
      'fill-rule': rule === 'evenodd' ? rule : null,
      d: path,
    });
  }
  return writeElement('path', {
    fill: 'none',
    stroke: rgb,
    'stroke-opacity': opacity,
    'stroke-width': stroke.width,
    'stroke-linecap': stroke.cap,
    'stroke-linejoin': stroke.join,
    'stroke-miterlimit': stroke.miterLimit,
    d: path,
  });
};

/** Returns the paths of a logo as a separate document. @param natural The size from which the logo is scaled. */
export const writeLogo = (
  { width, height, figures }: LogoVector,
  natural: { readonly widthPx: number; readonly heightPx: number },
): string =>
  writeElement(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width: natural.widthPx,
      height: natural.heightPx,
      viewBox: `0 0 ${formatNumber(width)} ${formatNumber(height)}`,
    },
    ...figures.map(figureElement),
  );
