import type { Inks, Page } from '../protocol.ts';
import { logoCommands } from './eps/logo.ts';
import { colorCommand, numbers, pathCommands } from './eps/path.ts';
import { shadingCommand } from './eps/shading.ts';
import { flatten, type OpaqueShape } from './flatten.ts';
import { type Frame, inFrame, type Scene, spreadOf } from './scene.ts';

const PT_PER_MM = 72 / 25.4;

/**
 * Short names. `p` draws an outline whose sides alternate between across and down, from its first corner and a string
 * with a character for each side: its code less 80 is the length.
 */
const PROLOG = `/m{moveto}bind def/l{lineto}bind def/c{curveto}bind def/h{closepath}bind def
/k{setcmykcolor}bind def/g{setrgbcolor}bind def/f{eofill}bind def/q{gsave}bind def/Q{grestore}bind def
/p{3 1 roll moveto/a true def{80 sub a{0}{0 exch}ifelse rlineto/a a not def}forall closepath}bind def`;

/**
 * Returns an EPS file of a scene at the size of `page` with its bleed around it. EPS has no transparency: every colour
 * is what shows of it over the background and the paper. The file is ASCII, holds no text of anyone, and the same scene
 * gives the same bytes. Gradients and bitmaps need PostScript 3.
 */
export function writeEps(scene: Scene, page: Page, inks: Inks): string {
  const [widthPt, heightPt] = [page.widthMm, page.heightMm].map(
    (mm) => (mm + 2 * page.bleedMm) * PT_PER_MM,
  ) as [number, number];
  const scale = (page.widthMm * PT_PER_MM) / scene.widthPx;
  const bleedPt = page.bleedMm * PT_PER_MM;
  const body = [
    `${numbers([bleedPt, heightPt - bleedPt])} translate ${numbers([scale, -scale])} scale`,
    ...flatten(scene, inks.paper).map((part) => shapeCommands(part, scene, inks)),
    ...logoCommands(scene, inks),
  ];
  return `%!PS-Adobe-3.0 EPSF-3.0
%%BoundingBox: 0 0 ${Math.ceil(widthPt)} ${Math.ceil(heightPt)}
%%HiResBoundingBox: 0 0 ${numbers([widthPt, heightPt])}
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
    : `${numbers([xPx, yPx])} translate ${numbers([scalePx])} dup scale\n`;

function shapeCommands({ shape, fill, within }: OpaqueShape, scene: Scene, inks: Inks): string {
  const { frame } = shape;
  const clip = within === null ? '' : `${pathCommands(within.path)}eoclip newpath\n`;
  const path = `${frameCommand(frame)}${pathCommands(shape.path)}`;
  if (fill.kind === 'color') return `q ${clip}${colorCommand(fill.color, inks)}\n${path}f Q`;
  const area = inFrame(spreadOf(scene), frame);
  return `q ${clip}${path}eoclip newpath\n${shadingCommand(fill, area, inks)} Q`;
}
