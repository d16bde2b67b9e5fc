/** The contrast of a design: all its dark colours against all its light ones. */
import type { QrRequest } from '../../../api/shapes.ts';
import { BLACK, type Contrast, type Rgba, WHITE, worstContrast } from './contrast.ts';
import type { Gradient } from './gradient.ts';

interface Paint {
  readonly color?: string;
  readonly gradient?: Gradient;
}

const colorsOf = ({ color, gradient }: Paint): readonly string[] =>
  gradient?.colorStops.map((stop) => stop.color) ?? (color === undefined ? [] : [color]);

/**
 * Returns the worst contrast of a design; `null` when `toRgba` cannot read a colour. Corners without colours of their
 * own look like the dots, and so count with them.
 */
export const designContrast = (
  { dotsOptions, cornersSquareOptions, cornersDotOptions, backgroundOptions }: QrRequest,
  toRgba: (color: string) => Rgba | null,
): Contrast | null => {
  const read = (paint: Paint | undefined, otherwise: readonly Rgba[]) => {
    const colors = colorsOf(paint ?? {});
    return colors.length === 0 ? otherwise : colors.map(toRgba);
  };
  const dots: readonly (Rgba | null)[] = [
    ...read(dotsOptions, [BLACK]),
    ...read(cornersSquareOptions, []),
    ...read(cornersDotOptions, []),
  ];
  const backgrounds: readonly (Rgba | null)[] = read(backgroundOptions, [WHITE]);
  if (dots.includes(null) || backgrounds.includes(null)) return null;
  return worstContrast(dots as readonly Rgba[], backgrounds as readonly Rgba[]);
};
