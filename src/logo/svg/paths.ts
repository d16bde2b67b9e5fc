import { SaxesParser } from 'saxes';
import type { LogoFigure, LogoStroke, LogoVector } from '../../../workers/protocol.ts';

/** A transform as SVG writes it: (x, y) becomes (ax + cy + e, bx + dy + f). */
type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** Returns the transform that applies `inner` first. */
const multiply = (outer: Matrix, inner: Matrix): Matrix => {
  const [a, b, c, d, e, f] = outer;
  const [g, h, i, j, k, l] = inner;
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f];
};

/** Returns by how much a transform enlarges all lengths alike; `null` when it does not. */
const scaleOf = ([a, b, c, d]: Matrix): number | null => {
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
const transformPath = (data: string, [a, b, c, d, e, f]: Matrix): string | null => {
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
};

/** Returns the numbers of the cubic curve that is the same as a quadratic one. */
const cubic = (x: number, y: number, [qx, qy, toX, toY]: readonly number[]): number[] => [
  x + (2 / 3) * (qx! - x),
  y + (2 / 3) * (qy! - y),
  toX! + (2 / 3) * (qx! - toX!),
  toY! + (2 / 3) * (qy! - toY!),
  toX!,
  toY!,
];

/** The longest side of a logo in units of its paths: with two decimals they are a thousandth of a module. */
const SIDE = 1024;
const FIGURES_MAX = 500;
/** Longest tree that is read, and greatest length of its paths together. */
const TREE_MAX_CHARACTERS = 256 * 1024;
const PATHS_MAX_CHARACTERS = 64 * 1024;

type Attributes = Readonly<Record<string, string>>;

const COLOR = /^#[0-9a-f]{6}$/;
const MATRIX = /^matrix\(([^()]*)\)$/;
const KNOWN: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['svg', new Set(['xmlns', 'width', 'height', 'viewBox'])],
  ['g', new Set(['id', 'transform'])],
  ['defs', new Set()],
  [
    'path',
    new Set(
      'id transform d fill fill-rule fill-opacity stroke stroke-opacity stroke-width stroke-linecap stroke-linejoin stroke-miterlimit'.split(
        ' ',
      ),
    ),
  ],
]);

/** Thrown to leave a drawing that is more than plain paths. */
class Unfit extends Error {}

const fit = <T>(value: T | null | undefined | false): T => {
  if (value === null || value === undefined || value === false) throw new Unfit();
  return value;
};

const colorOf = (color: string, opacity = '1'): string => {
  const alpha = Math.round(Number(opacity) * 255);
  fit(COLOR.test(color) && alpha >= 0 && alpha <= 255);
  return alpha === 255 ? color : color + alpha.toString(16).padStart(2, '0');
};

const matrixOf = (transform: string | undefined): Matrix => {
  if (transform === undefined) return [1, 0, 0, 1, 0, 0];
  const numbers = fit(MATRIX.exec(transform))[1]!
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  fit(numbers.length === 6 && numbers.every(Number.isFinite));
  return numbers as unknown as Matrix;
};

const oneOf = <T extends string>(value: string, ...values: readonly T[]): T =>
  fit(values.find((each) => each === value));

const strokeOf = (attributes: Attributes, matrix: Matrix): LogoStroke => {
  // Under any other transform the pen would be no circle.
  const scale = fit(scaleOf(matrix));
  const width = Number(attributes['stroke-width'] ?? 1) * scale;
  const miterLimit = Number(attributes['stroke-miterlimit'] ?? 4);
  fit(width > 0 && Number.isFinite(width) && miterLimit >= 1 && Number.isFinite(miterLimit));
  return {
    width: Number(width.toFixed(3)),
    cap: oneOf(attributes['stroke-linecap'] ?? 'butt', 'butt', 'round', 'square'),
    join: oneOf(attributes['stroke-linejoin'] ?? 'miter', 'miter', 'round', 'bevel'),
    miterLimit: Number(miterLimit.toFixed(3)),
  };
};

const figuresOf = (attributes: Attributes, matrix: Matrix): LogoFigure[] => {
  const { fill = '#000000', stroke = 'none', d = '' } = attributes;
  const path = fit(transformPath(d, matrix));
  const rule = oneOf(attributes['fill-rule'] ?? 'nonzero', 'nonzero', 'evenodd');
  const filled = fill === 'none' ? [] : [{ path, rule, color: colorOf(fill, attributes['fill-opacity']) }];
  if (stroke === 'none') return filled;
  const color = colorOf(stroke, attributes['stroke-opacity']);
  return [...filled, { path, rule, color, stroke: strokeOf(attributes, matrix) }];
};

/** Returns the width, the height and the matrix from the units of a view box to those of the paths. */
const rootOf = ({ viewBox = '' }: Attributes) => {
  const [x, y, width, height] = viewBox.split(/[\s,]+/).map(Number) as [number, number, number, number];
  fit([x, y, width, height].every(Number.isFinite) && width > 0 && height > 0);
  const scale = SIDE / Math.max(width, height);
  const matrix: Matrix = [scale, 0, 0, scale, -x * scale, -y * scale];
  return { matrix, width: width * scale, height: height * scale };
};

const read = (tree: string): LogoVector => {
  const parser = new SaxesParser({ position: false });
  const figures: LogoFigure[] = [];
  const matrices: Matrix[] = [];
  let size = { width: 0, height: 0 };
  let characters = 0;
  parser.on('opentag', (tag) => {
    const { name } = tag;
    // Without namespaces, attributes are texts.
    const attributes = tag.attributes as Attributes;
    const known = fit(KNOWN.get(name));
    fit(Object.keys(attributes).every((attribute) => known.has(attribute)));
    const outer = matrices.at(-1);
    if (outer === undefined) {
      fit(name === 'svg');
      const { matrix, ...sides } = rootOf(attributes);
      size = sides;
      matrices.push(matrix);
      return;
    }
    fit(name !== 'svg');
    const matrix = multiply(outer, matrixOf(attributes.transform));
    matrices.push(matrix);
    if (name !== 'path') return;
    for (const figure of figuresOf(attributes, matrix)) {
      figures.push(figure);
      characters += figure.path.length;
    }
    fit(figures.length <= FIGURES_MAX && characters <= PATHS_MAX_CHARACTERS);
  });
  parser.on('closetag', () => void matrices.pop());
  parser.on('error', () => fit(null));
  parser.write(tree).close();
  return { ...size, figures };
};

/**
 * Returns a drawing as plain paths from the simplified tree that resvg writes of it, or `null` when it is more than
 * that: gradients, patterns, clips, masks, filters, dashes, bitmaps, or groups with an opacity; or when it is too long.
 * It takes only what it knows, and writes numbers and colours anew.
 */
export const vectorOf = (tree: string): LogoVector | null => {
  if (tree.length > TREE_MAX_CHARACTERS) return null;
  try {
    const vector = read(tree);
    return vector.figures.length === 0 ? null : vector;
  } catch (error) {
    if (error instanceof Unfit) return null;
    throw error;
  }
};
