/** A transform as SVG writes it: (x, y) becomes (ax + cy + e, bx + dy + f). */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** Returns the transform that applies `inner` first. */
export const multiply = (outer: Matrix, inner: Matrix): Matrix => {
  const [a, b, c, d, e, f] = outer;
  const [g, h, i, j, k, l] = inner;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
};

/** Returns by how much a transform enlarges all lengths alike; `null` when it does not. */
export const scaleOf = ([a, b, c, d]: Matrix): number | null => {
  const [along, across] = [Math.hypot(a, b), Math.hypot(c, d)];
  const isSquare = Math.abs(a * c + b * d) <= 1e-3 * along * across;
  return isSquare && Math.abs(along - across) <= 1e-3 * along ? along : null;
};

const COMMAND = /([MLQCZ])([^A-Za-z]*)/g;
const LENGTHS: Readonly<Record<string, number>> = { M: 2, L: 2, Q: 4, C: 6, Z: 0 };
const ALL = /^\s*(?:[MLQCZ](?:\s+-?[\d.]+(?:e-?\d+)?)*\s*)+$/;

const text = (value: number): string => String(Number(value.toFixed(2)));

/**
 * Returns path data of absolute `M L Q C Z` as `M L C z` after a transform, with two decimals; `null` when it is
 * anything else, or beyond any picture.
 */
export function transformPath(data: string, [a, b, c, d, e, f]: Matrix): string | null {
  if (!ALL.test(data)) return null;
  let path = '';
  let [atX, atY] = [0, 0];
  for (const [, letter, rest] of data.matchAll(COMMAND)) {
    const numbers = (rest!.match(/\S+/g) ?? []).map(Number);
    if (numbers.length !== LENGTHS[letter!]) return null;
    if (letter === 'Z') {
      path += 'z';
      continue;
    }
    const points = letter === 'Q' ? cubic(atX, atY, numbers) : numbers;
    [atX, atY] = points.slice(-2) as [number, number];
    const placed = points.map((_, i) => {
      const [x, y] = i % 2 === 0 ? [points[i]!, points[i + 1]!] : [points[i - 1]!, points[i]!];
      return i % 2 === 0 ? a * x + c * y + e : b * x + d * y + f;
    });
    if (placed.some((value) => !(Math.abs(value) < 1e6))) return null;
    path += (letter === 'Q' ? 'C' : letter) + placed.map(text).join(' ');
  }
  return path;
}

/** Returns the numbers of the cubic curve that is the same as a quadratic one. */
const cubic = (x: number, y: number, [qx, qy, toX, toY]: readonly number[]): number[] => [
  x + (2 / 3) * (qx! - x),
  y + (2 / 3) * (qy! - y),
  toX! + (2 / 3) * (qx! - toX!),
  toY! + (2 / 3) * (qy! - toY!),
  toX!,
  toY!,
];
