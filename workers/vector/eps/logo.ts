import { deflateSync } from 'node:zlib';
import type { Box } from '../../design/gradient.ts';
import type { Inks, Logo, LogoFigure, LogoVector } from '../../protocol.ts';
import { blendOver, rgbaOf } from '../colors.ts';
import { colorOf, underSymbol } from '../flatten.ts';
import { alphaOf, componentsOf, pixelsOf, strokeState } from '../logo.ts';
import type { Scene } from '../scene.ts';
import { colorCommand, formatNumbers, hexLines, pathCommands } from './path.ts';

const CANVAS = { xPx: 0, yPx: 0, scalePx: 1 };

/** Draws the logo of a scene: as paths where it has them and none is translucent, else as a bitmap. */
export function logoCommands(scene: Scene, inks: Inks): string[] {
  if (scene.logo === null) return [];
  const { box, logo } = scene.logo;
  const { vector } = logo;
  const isSolid = vector?.figures.every(({ color }) => rgbaOf(color).alpha === 1);
  return vector !== undefined && isSolid
    ? [vectorCommands(box, vector, inks)]
    : [bitmapCommands(box, logo, scene, inks)];
}

function vectorCommands(box: Box, { width, height, figures }: LogoVector, inks: Inks): string {
  const place = `${formatNumbers([box.x, box.y])} translate ${formatNumbers([box.width / width, box.height / height])} scale`;
  const clip = `0 0 m ${formatNumbers([width])} 0 l ${formatNumbers([width, height])} l 0 ${formatNumbers([height])} l h clip newpath`;
  return `q ${place}\n${clip}\n${figures.map((figure) => figureCommands(figure, inks)).join('\n')} Q`;
}

function figureCommands({ path, color, rule, stroke }: LogoFigure, inks: Inks): string {
  const paint = colorCommand(rgbaOf(color), inks);
  if (stroke === undefined) return `${paint}\n${pathCommands(path)}${rule === 'evenodd' ? 'f' : 'fill'}`;
  const state = strokeState(stroke, ['setlinewidth', 'setlinecap', 'setlinejoin', 'setmiterlimit']);
  return `${paint} ${state}\n${pathCommands(path)}stroke`;
}

/** Draws a bitmap, opaque as it shows over the background, without pixels that are more than half transparent. */
function bitmapCommands(box: Box, logo: Logo, scene: Scene, inks: Inks): string {
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
}

/** Puts a byte in front of each pixel that masks it: 0 shows it, 255 leaves it out. */
function masked(components: Uint8Array, alpha: Uint8Array, count: number): Uint8Array {
  const bytes = new Uint8Array(alpha.length * (count + 1));
  for (const [i, value] of alpha.entries()) {
    bytes[i * (count + 1)] = value < 128 ? 255 : 0;
    bytes.set(components.subarray(i * count, (i + 1) * count), i * (count + 1) + 1);
  }
  return bytes;
}
