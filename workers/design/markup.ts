const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escapeText = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character]!);

type Attributes = Readonly<Record<string, string | number | null>>;

/** Returns a document or an inner document, as `writeElement` does. */
export const svgElement = (attributes: Attributes, ...children: readonly string[]): string =>
  writeElement('svg', { xmlns: 'http://www.w3.org/2000/svg', ...attributes }, ...children);

/** Returns an element that shows a PNG. */
export const imageElement = (png: Uint8Array, attributes: Attributes): string =>
  writeElement('image', {
    ...attributes,
    href: `data:image/png;base64,${Buffer.from(png).toString('base64')}`,
  });

/**
 * Writes one element as markup. Attribute values are escaped here and nowhere else. `children` must be elements
 * made by this function. An attribute whose value is `null` is left out.
 */
export const writeElement = (
  name: string,
  attributes: Attributes,
  ...children: readonly string[]
): string => {
  let opening = `<${name}`;
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null) opening += ` ${key}="${escapeText(String(value))}"`;
  }
  return children.length === 0 ? `${opening}/>` : `${opening}>${children.join('')}</${name}>`;
};

/** Radii of a box's corners in pixels, clockwise from the top left. */
export type Radii = readonly [topLeft: number, topRight: number, bottomRight: number, bottomLeft: number];

const SHARP: Radii = [0, 0, 0, 0];

/** Lengths are kept in whole units, so that boxes that touch share their edge exactly. See `snap` and `reachOf`. */
const UNITS_PER_PX = 16_000;
const roundTo = (units: number, step: number): number => Math.round(units / step) * step;

/** Coordinates are whole thousandths of a pixel. */
const THOUSANDTH = UNITS_PER_PX / 1000;
const snap = (px: number): number => roundTo(px * UNITS_PER_PX, THOUSANDTH);

/** Writes a number for path data or an attribute: with at most three decimals and no leading zero. */
export const formatPx = (px: number): string => formatUnits(snap(px));

const formatUnits = (units: number): string => {
  const text = String(units / UNITS_PER_PX);
  if (text.startsWith('0.')) return text.slice(1);
  return text.startsWith('-0.') ? `-${text.slice(2)}` : text;
};

/** Writes a number after another one. A minus sign needs no separator. */
const writeSpaced = (units: number): string => (units < 0 ? '' : ' ') + formatUnits(units);

/** Distance of the control points of a quarter circle of radius 1 from its ends: the usual cubic, 0.03 % off. */
const QUARTER_REACH = 0.5522847498;

/**
 * How far the control points of a quarter circle are from its ends. On whole pixels the distance is rounded up to
 * 128ths, so that all coordinates are exact in binary and resvg draws a figure the same in every place. resvg rounds
 * arcs, and control points at other fractions, differently from place to place, by up to a sixteenth of a pixel's
 * coverage.
 */
const BINARY_STEP = UNITS_PER_PX / 128;
const reachOf = (radius: number): number => {
  const reach = radius * UNITS_PER_PX * QUARTER_REACH;
  return Number.isInteger(2 * radius)
    ? Math.ceil(reach / BINARY_STEP) * BINARY_STEP
    : roundTo(reach, THOUSANDTH);
};

const corner = (radius: number, fromX: number, fromY: number, toX: number, toY: number) => ({
  radius,
  from: [snap(fromX), snap(fromY)] as const,
  to: [snap(toX), snap(toY)] as const,
});

/**
 * Returns one closed box with round corners as SVG path data. Every figure of a symbol is made of such boxes: a module,
 * a disc (radii of half the side), a finder pattern's ring (a box in a box).
 *
 * The data begins with an absolute move, so that strings can be joined. It runs clockwise. With a negative width, which
 * needs four equal radii, it starts at the right, runs the other way and so cuts a hole (fill-rule nonzero).
 */
export const boxPath = (x: number, y: number, width: number, height: number, radii: Radii = SHARP): string =>
  moveTo(x + Math.sign(width) * radii[0], y) + outline(x, y, width, height, radii);

/** Returns an absolute move, as path data. */
export const moveTo = (x: number, y: number): string => `M${formatPx(x)}${writeSpaced(snap(y))}`;

/** Returns path data of a box after the move to the end of its top left corner. It is relative. */
export const outline = (x: number, y: number, width: number, height: number, radii: Radii): string => {
  const way = Math.sign(width);
  const [right, bottom] = [x + width, y + height];
  const [topLeft, topRight, bottomRight, bottomLeft] = radii;
  const corners = [
    corner(topRight, right - way * topRight, y, right, y + topRight),
    corner(bottomRight, right, bottom - bottomRight, right - way * bottomRight, bottom),
    corner(bottomLeft, x + way * bottomLeft, bottom, x, bottom - bottomLeft),
    corner(topLeft, x, y + topLeft, x + way * topLeft, y),
  ];

  let [atX, atY] = corners[3]!.to;
  let data = '';
  let afterArc = false;
  for (const [i, { radius, from, to }] of corners.entries()) {
    if (i === 3 && radius === 0) break; // closing the path draws this side
    const line = lineTo(from[0] - atX, from[1] - atY);
    const isSmooth = afterArc && line === '' && corners[i - 1]!.radius === radius;
    afterArc = radius > 0;
    data += line;
    if (afterArc) data += quarter(to[0] - from[0], to[1] - from[1], reachOf(radius), i % 2 === 0, isSmooth);
    [atX, atY] = to;
  }
  return `${data}z`;
};

const lineTo = (dx: number, dy: number): string =>
  (dx === 0 ? '' : `h${formatUnits(dx)}`) + (dy === 0 ? '' : `v${formatUnits(dy)}`);

/**
 * Writes a quarter circle over (`dx`, `dy`) that leaves along one axis and arrives along the other. When it continues
 * another quarter of its size smoothly, its first control point mirrors the last one of that quarter and is left
 * out.
 */
const quarter = (
  dx: number,
  dy: number,
  reach: number,
  setsOutAlongX: boolean,
  isSmooth: boolean,
): string => {
  const [reachX, reachY] = [Math.sign(dx) * reach, Math.sign(dy) * reach];
  const start = setsOutAlongX ? [reachX, 0] : [0, reachY];
  const rest = setsOutAlongX ? [dx, dy - reachY, dx, dy] : [dx - reachX, dy, dx, dy];
  const [first, ...others] = isSmooth ? rest : [...start, ...rest];
  return (isSmooth ? 's' : 'c') + formatUnits(first!) + others.map(writeSpaced).join('');
};
