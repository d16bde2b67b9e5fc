import type { Box } from '../../design/gradient.ts';
import type { Inks } from '../../protocol.ts';
import { cmykOf, rgbOf } from '../colors.ts';
import { colorOf, type Opaque } from '../flatten.ts';
import type { Shading } from '../shading.ts';
import { numbers } from './path.ts';

/** Samples along a side of a field of colours. PostScript allows 65,535 bytes in a string. */
const SAMPLES = 120;

/** Fills the clip with a gradient, or with a field of colours that is sampled over `area`. */
export function shadingCommand(fill: Exclude<Opaque, { kind: 'color' }>, area: Box, inks: Inks): string {
  const isCmyk = inks.color === 'cmyk';
  const componentsOf = isCmyk ? cmykOf : rgbOf;
  const space = `/ColorSpace/Device${isCmyk ? 'CMYK' : 'RGB'}`;
  if (fill.kind === 'shading') return gradientCommand(fill.shading, space, componentsOf);
  const { x, y, width, height } = area;
  const domain = numbers([x, x + width, y, y + height]);
  const samples: number[] = [];
  for (let row = 0; row < SAMPLES; row += 1) {
    for (let column = 0; column < SAMPLES; column += 1) {
      const share = (index: number): number => index / (SAMPLES - 1);
      const color = colorOf(fill, x + width * share(column), y + height * share(row));
      samples.push(...componentsOf(color).map((part) => Math.round(part * 255)));
    }
  }
  const hex = (
    Buffer.from(samples)
      .toString('hex')
      .match(/.{1,240}/g) ?? []
  ).join('\n');
  const range = numbers(Array.from({ length: isCmyk ? 8 : 6 }, (_, i) => i % 2));
  return `<</ShadingType 1${space}/Domain[${domain}]/Function<</FunctionType 0/Domain[${domain}]/Range[${range}]/Size[${SAMPLES} ${SAMPLES}]/BitsPerSample 8/DataSource
<${hex}>>>>>shfill`;
}

function gradientCommand(
  { type, coords, stretches }: Shading,
  space: string,
  componentsOf: typeof rgbOf,
): string {
  const functions = stretches.map(
    ({ colors: [from, to] }) =>
      `<</FunctionType 2/Domain[0 1]/N 1/C0[${numbers(componentsOf(from))}]/C1[${numbers(componentsOf(to))}]>>`,
  );
  const bounds = numbers(stretches.slice(1).map(({ from }) => from));
  const encode = numbers(stretches.flatMap(() => [0, 1]));
  return `<</ShadingType ${type === 'linear' ? 2 : 3}${space}/Coords[${numbers(coords)}]/Extend[true true]
/Function<</FunctionType 3/Domain[0 1]/Bounds[${bounds}]/Encode[${encode}]/Functions[
${functions.join('\n')}]>>>>shfill`;
}
