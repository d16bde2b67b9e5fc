/** EPS files of scenes. EPS has no transparency, so translucent colours are blended before they are written. */
import { deflateSync } from 'node:zlib';
import type { Box } from '../design/gradient.ts';
import { PT_PER_MM } from '../print/dots.ts';
import type { Inks, Logo, LogoFigure, LogoVector, Page } from '../protocol.ts';
import {
  alphaOf,
  blendOver,
  type ColorSpace,
  componentsOf,
  DEVICES,
  inkOf,
  isOverprinted,
  pixelsOf,
  type Rgba,
  rgbaOf,
  spaceOf,
  spotOf,
  strokeState,
} from './colors.ts';
import { colorOf, flatten, type Opaque, type OpaqueShape, underSymbol } from './flatten.ts';
import { drawPath, formatNumber } from './path.ts';
import { type Plate, platesOf } from './plates.ts';
import { type Frame, inFrame, type Scene, spreadOf } from './scene.ts';
import { type Shading, spaceOfShading } from './shading.ts';

/** Writes numbers with spaces between them. */
const formatNumbers = (values: readonly number[]): string =>
  values.map((value) => formatNumber(value, 5)).join(' ');

/** Writes bytes as hexadecimal digits, in lines that every reader takes. */
const hexLines = (bytes: Buffer): string => (bytes.toString('hex').match(/.{1,240}/g) ?? []).join('\n');

/** What the prolog calls the setting of a colour, by its number of components. */
const OPERATORS: Readonly<Record<number, string>> = { 1: 'g', 3: 'r', 4: 'k' };

/** Sets the colour of what is drawn next. */
const colorCommand = (color: Rgba, inks: Inks): string => {
  const ink = inkOf(color, inks);
  const spot = spotOf(color, inks);
  if (spot !== null) return inkCommand(spot.name, ink);
  return `${formatNumbers(ink)} ${OPERATORS[ink.length]}`;
};

/**
 * Sets an ink of its own, in full (PostScript Language Reference, 4.8.4). Its name has no characters that end a string.
 *
 * @param instead The components that stand for it where there is no such ink.
 */
const inkCommand = (name: string, instead: readonly number[]): string => {
  const [space, nothing] = DEVICES[instead.length]!;
  // Each component, from nothing to the whole by the amount of ink, which stays on the stack for the next one.
  const components = instead.map(
    (part, i) =>
      `${i === instead.length - 1 ? '' : 'dup '}${formatNumbers([part - nothing])} mul ${nothing} add`,
  );
  return `[/Separation(${name})/${space}{${components.join(' exch ')}}]setcolorspace 1 setcolor`;
};

/** Black that prints over others, which of CMYK no program does. */
const BLACK_OVER = '[/Separation/Black/DeviceCMYK{0 exch 0 exch 0 exch}]setcolorspace 1 setcolor';

/** Sets a colour that prints over what is below. */
const overCommand = (color: Rgba, inks: Inks): string =>
  `true setoverprint ${spotOf(color, inks) === null ? BLACK_OVER : colorCommand(color, inks)}`;

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
const pathCommands = (path: string): string => {
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
};

const withSide = (sides: number[] | null, dx: number, dy: number): number[] | null => {
  if (sides === null) return null;
  const [along, across] = sides.length % 2 === 0 ? [dx, dy] : [dy, dx];
  const code = ZERO + along;
  return across === 0 && Number.isInteger(along) && code >= FIRST && code <= LAST ? [...sides, along] : null;
};

const written = ({ startX, startY, sides, commands }: Outline): string => {
  if (sides === null) return commands;
  const text = String.fromCharCode(...sides.map((side) => ZERO + side)).replace(/[()\\]/g, '\\$&');
  return `${startX} ${startY}(${text})p\n`;
};

const CANVAS = { xPx: 0, yPx: 0, scalePx: 1 };

/** Draws the logo of a scene: as paths where it has them and none is translucent, else as a bitmap. */
const logoCommands = (scene: Scene, inks: Inks): string[] => {
  if (scene.logo === null) return [];
  const { box, logo } = scene.logo;
  const { vector } = logo;
  const isSolid = vector?.figures.every(({ color }) => rgbaOf(color).alpha === 1);
  return vector !== undefined && isSolid
    ? [vectorCommands(box, vector, inks)]
    : [bitmapCommands(box, logo, scene, inks)];
};

const vectorCommands = (box: Box, { width, height, figures }: LogoVector, inks: Inks): string => {
  const place = `${formatNumbers([box.x, box.y])} translate ${formatNumbers([box.width / width, box.height / height])} scale`;
  const clip = `0 0 m ${formatNumbers([width])} 0 l ${formatNumbers([width, height])} l 0 ${formatNumbers([height])} l h clip newpath`;
  return `q ${place}\n${clip}\n${figures.map((figure) => figureCommands(figure, inks)).join('\n')} Q`;
};

const figureCommands = ({ path, color, rule, stroke }: LogoFigure, inks: Inks): string => {
  const paint = colorCommand(rgbaOf(color), inks);
  if (stroke === undefined) return `${paint}\n${pathCommands(path)}${rule === 'evenodd' ? 'f' : 'fill'}`;
  const state = strokeState(stroke, ['setlinewidth', 'setlinecap', 'setlinejoin', 'setmiterlimit']);
  return `${paint} ${state}\n${pathCommands(path)}stroke`;
};

/** Draws a bitmap, opaque as it shows over the background, without pixels that are more than half transparent. */
const bitmapCommands = (box: Box, logo: Logo, scene: Scene, inks: Inks): string => {
  const pixels = pixelsOf(logo);
  const { widthPx, heightPx } = pixels;
  const below = underSymbol(scene, inks.paper, CANVAS);
  const { space, bytes } = componentsOf(pixels, inks, (color, index) => {
    if (color.alpha === 1) return color;
    const [column, row] = [(index % widthPx) + 0.5, Math.floor(index / widthPx) + 0.5];
    const x = box.x + (box.width * column) / widthPx;
    const y = box.y + (box.height * row) / heightPx;
    return blendOver(color, colorOf(below, x, y));
  });
  const alpha = alphaOf(pixels);
  const common = `/ImageType 1/Width ${widthPx}/Height ${heightPx}/ImageMatrix[${widthPx} 0 0 ${heightPx} 0 0]/BitsPerComponent 8`;
  const source = '/DataSource currentfile/ASCIIHexDecode filter/FlateDecode filter';
  const colors = `<<${common}/Decode[${formatNumbers(Array.from({ length: 2 * space.count }, (_, i) => i % 2))}]${source}>>`;
  const image =
    alpha === null
      ? colors
      : `<</ImageType 3/InterleaveType 1/DataDict ${colors}/MaskDict<<${common}/Decode[0 1]>>>>`;
  const data = deflateSync(alpha === null ? bytes : masked(bytes, alpha, space.count));
  return `q ${formatNumbers([box.x, box.y])} translate ${formatNumbers([box.width, box.height])} scale
/${space.name} setcolorspace
${image}image
${hexLines(data)}>
Q`;
};

/** Puts a byte in front of each pixel that masks it: 0 shows it, 255 leaves it out. */
const masked = (components: Uint8Array, alpha: Uint8Array, count: number): Uint8Array => {
  const bytes = new Uint8Array(alpha.length * (count + 1));
  for (const [i, value] of alpha.entries()) {
    bytes[i * (count + 1)] = value < 128 ? 255 : 0;
    bytes.set(components.subarray(i * count, (i + 1) * count), i * (count + 1) + 1);
  }
  return bytes;
};

/**
 * Short names. `p` draws an outline whose sides alternate between across and down, from its first corner and a string
 * with a character for each side: its code less 80 is the length.
 */
const PROLOG = `/m{moveto}bind def/l{lineto}bind def/c{curveto}bind def/h{closepath}bind def
/k{setcmykcolor}bind def/r{setrgbcolor}bind def/g{setgray}bind def/f{eofill}bind def/q{gsave}bind def/Q{grestore}bind def
/p{3 1 roll moveto/a true def{80 sub a{0}{0 exch}ifelse rlineto/a a not def}forall closepath}bind def`;

/**
 * Returns an EPS file of a scene at the size of `page` with its bleed around it. EPS has no transparency: every colour
 * is blended over the background and the paper. The file is ASCII and holds no user text but the names of inks, and the
 * same scene gives the same bytes. Gradients and bitmaps need PostScript 3.
 */
export const writeEps = (scene: Scene, page: Page, inks: Inks): string => {
  const widthPt = (page.widthMm + 2 * page.bleedMm) * PT_PER_MM;
  const heightPt = (page.heightMm + 2 * page.bleedMm) * PT_PER_MM;
  const scale = (page.widthMm * PT_PER_MM) / scene.widthPx;
  const bleedPt = page.bleedMm * PT_PER_MM;
  const [xPt, yPt] = [bleedPt - scale * scene.leftPx, heightPt - bleedPt + scale * scene.topPx];
  const body = [
    `${formatNumbers([xPt, yPt])} translate ${formatNumbers([scale, -scale])} scale`,
    ...flatten(scene, inks.paper).map((part) => shapeCommands(part, scene, inks)),
    ...logoCommands(scene, inks),
    ...platesOf(scene, page, inks).map(plateCommands),
  ];
  const names = [...(inks.spots ?? []), ...platesOf(scene, page, inks)].map(({ name }) => `(${name})`);
  return `%!PS-Adobe-3.0 EPSF-3.0
%%BoundingBox: 0 0 ${Math.ceil(widthPt)} ${Math.ceil(heightPt)}
%%HiResBoundingBox: 0 0 ${formatNumbers([widthPt, heightPt])}
%%LanguageLevel: ${body.some((part) => /shfill|image/.test(part)) ? 3 : 2}
${names.length === 0 ? '' : `%%DocumentCustomColors: ${names.join(' ')}\n`}%%EndComments
12 dict begin gsave
${PROLOG}
${body.join('\n')}
Q end
%%EOF
`;
};

const frameCommand = ({ xPx, yPx, scalePx }: Frame): string =>
  xPx === 0 && yPx === 0 && scalePx === 1
    ? ''
    : `${formatNumbers([xPx, yPx])} translate ${formatNumbers([scalePx])} dup scale\n`;

const shapeCommands = ({ shape, fill, within }: OpaqueShape, scene: Scene, inks: Inks): string => {
  const { frame } = shape;
  const clip = within === null ? '' : `${pathCommands(within.path)}eoclip newpath\n`;
  const path = `${frameCommand(frame)}${pathCommands(shape.path)}`;
  if (fill.kind === 'color') {
    const isOver = shape !== scene.background && isOverprinted(fill.color, inks);
    const operator = shape.rule === 'nonzero' ? 'fill' : 'f';
    return `q ${clip}${(isOver ? overCommand : colorCommand)(fill.color, inks)}\n${path}${operator} Q`;
  }
  const area = inFrame(spreadOf(scene), frame);
  return `q ${clip}${path}eoclip newpath\n${shadingCommand(fill, area, inks)} Q`;
};

const plateCommands = ({ name, instead, path, strokePx }: Plate): string => {
  const paint = strokePx === null ? 'f' : `${formatNumbers([strokePx])} setlinewidth stroke`;
  return `q true setoverprint ${inkCommand(name, instead)}\n${pathCommands(path)}${paint} Q`;
};

/** Samples along a side of a field of colours. PostScript allows 65,535 bytes in a string. */
const SAMPLES = 120;

/** Fills the clip with a gradient, or with a field of colours that is sampled over `area`. */
const shadingCommand = (fill: Exclude<Opaque, { kind: 'color' }>, area: Box, inks: Inks): string => {
  if (fill.kind === 'shading') return gradientCommand(fill.shading, spaceOfShading(fill.shading, inks));
  const space = spaceOf(false, inks);
  const { x, y, width, height } = area;
  const domain = formatNumbers([x, x + width, y, y + height]);
  const samples: number[] = [];
  for (let row = 0; row < SAMPLES; row += 1) {
    for (let column = 0; column < SAMPLES; column += 1) {
      const share = (index: number): number => index / (SAMPLES - 1);
      const color = colorOf(fill, x + width * share(column), y + height * share(row));
      samples.push(...space.componentsOf(color).map((part) => Math.round(part * 255)));
    }
  }
  const range = formatNumbers(Array.from({ length: 2 * space.count }, (_, i) => i % 2));
  return `<</ShadingType 1/ColorSpace/${space.name}/Domain[${domain}]/Function<</FunctionType 0/Domain[${domain}]/Range[${range}]/Size[${SAMPLES} ${SAMPLES}]/BitsPerSample 8/DataSource
<${hexLines(Buffer.from(samples))}>>>>>shfill`;
};

const gradientCommand = ({ type, coords, stretches }: Shading, { name, componentsOf }: ColorSpace) => {
  const functions = stretches.map(
    ({ colors: [from, to] }) =>
      `<</FunctionType 2/Domain[0 1]/N 1/C0[${formatNumbers(componentsOf(from))}]/C1[${formatNumbers(componentsOf(to))}]>>`,
  );
  const bounds = formatNumbers(stretches.slice(1).map(({ from }) => from));
  const encode = formatNumbers(stretches.flatMap(() => [0, 1]));
  return `<</ShadingType ${type === 'linear' ? 2 : 3}/ColorSpace/${name}/Coords[${formatNumbers(coords)}]/Extend[true true]
/Function<</FunctionType 3/Domain[0 1]/Bounds[${bounds}]/Encode[${encode}]/Functions[
${functions.join('\n')}]>>>>shfill`;
};
