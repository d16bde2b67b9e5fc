import type { Box } from '../design/gradient.ts';
import { PT_PER_MM } from '../print/dots.ts';
import type { Inks, Page } from '../protocol.ts';
import { type ColorSpace, spaceOf } from './colors.ts';
import { logoCommands } from './eps/logo.ts';
import { colorCommand, formatNumbers, hexLines, pathCommands } from './eps/path.ts';
import { colorOf, flatten, type Opaque, type OpaqueShape } from './flatten.ts';
import { type Frame, inFrame, type Scene, spreadOf } from './scene.ts';
import { type Shading, spaceOfShading } from './shading.ts';

/**
 * Short names. `p` draws an outline whose sides alternate between across and down, from its first corner and a string
 * with a character for each side: its code less 80 is the length.
 */
const PROLOG = `/m{moveto}bind def/l{lineto}bind def/c{curveto}bind def/h{closepath}bind def
/k{setcmykcolor}bind def/r{setrgbcolor}bind def/g{setgray}bind def/f{eofill}bind def/q{gsave}bind def/Q{grestore}bind def
/p{3 1 roll moveto/a true def{80 sub a{0}{0 exch}ifelse rlineto/a a not def}forall closepath}bind def`;

/**
 * Returns an EPS file of a scene at the size of `page` with its bleed around it. EPS has no transparency: every colour
 * is blended over the background and the paper. The file is ASCII and holds no user text, and the same scene gives the
 * same bytes. Gradients and bitmaps need PostScript 3.
 */
export function writeEps(scene: Scene, page: Page, inks: Inks): string {
  const widthPt = (page.widthMm + 2 * page.bleedMm) * PT_PER_MM;
  const heightPt = (page.heightMm + 2 * page.bleedMm) * PT_PER_MM;
  const scale = (page.widthMm * PT_PER_MM) / scene.widthPx;
  const bleedPt = page.bleedMm * PT_PER_MM;
  const body = [
    `${formatNumbers([bleedPt, heightPt - bleedPt])} translate ${formatNumbers([scale, -scale])} scale`,
    ...flatten(scene, inks.paper).map((part) => shapeCommands(part, scene, inks)),
    ...logoCommands(scene, inks),
  ];
  return `%!PS-Adobe-3.0 EPSF-3.0
%%BoundingBox: 0 0 ${Math.ceil(widthPt)} ${Math.ceil(heightPt)}
%%HiResBoundingBox: 0 0 ${formatNumbers([widthPt, heightPt])}
%%LanguageLevel: ${body.some((part) => /shfill|image/.test(part)) ? 3 : 2}
%%EndComments
12 dict begin gsave
${PROLOG}
${body.join('\n')}
Q end
%%EOF
`;
}

const frameCommand = ({ xPx, yPx, scalePx }: Frame): string =>
  xPx === 0 && yPx === 0 && scalePx === 1
    ? ''
    : `${formatNumbers([xPx, yPx])} translate ${formatNumbers([scalePx])} dup scale\n`;

function shapeCommands({ shape, fill, within }: OpaqueShape, scene: Scene, inks: Inks): string {
  const { frame } = shape;
  const clip = within === null ? '' : `${pathCommands(within.path)}eoclip newpath\n`;
  const path = `${frameCommand(frame)}${pathCommands(shape.path)}`;
  if (fill.kind === 'color') return `q ${clip}${colorCommand(fill.color, inks)}\n${path}f Q`;
  const area = inFrame(spreadOf(scene), frame);
  return `q ${clip}${path}eoclip newpath\n${shadingCommand(fill, area, inks)} Q`;
}

/** Samples along a side of a field of colours. PostScript allows 65,535 bytes in a string. */
const SAMPLES = 120;

/** Fills the clip with a gradient, or with a field of colours that is sampled over `area`. */
function shadingCommand(fill: Exclude<Opaque, { kind: 'color' }>, area: Box, inks: Inks): string {
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
}

function gradientCommand({ type, coords, stretches }: Shading, { name, componentsOf }: ColorSpace) {
  const functions = stretches.map(
    ({ colors: [from, to] }) =>
      `<</FunctionType 2/Domain[0 1]/N 1/C0[${formatNumbers(componentsOf(from))}]/C1[${formatNumbers(componentsOf(to))}]>>`,
  );
  const bounds = formatNumbers(stretches.slice(1).map(({ from }) => from));
  const encode = formatNumbers(stretches.flatMap(() => [0, 1]));
  return `<</ShadingType ${type === 'linear' ? 2 : 3}/ColorSpace/${name}/Coords[${formatNumbers(coords)}]/Extend[true true]
/Function<</FunctionType 3/Domain[0 1]/Bounds[${bounds}]/Encode[${encode}]/Functions[
${functions.join('\n')}]>>>>shfill`;
}
