import { visibleStops } from '../design/gradient.ts';
import type { Design, GradientStop, Paint } from '../protocol.ts';
import { isOpaqueColor, type PixelColor, pixelColor } from './blend.ts';

/** The colour of each part of a picture that has no gradient. */
export type SolidColors = Readonly<Record<'background' | 'dots' | 'ring' | 'centre', PixelColor>>;

/**
 * Returns the colours of a design, or `null` when a part has a gradient. A ring without a paint of its own takes the
 * dots' paint, and a centre takes the ring's, as in `symbolLayers`.
 */
export function solidColorsOf({ background, dots, cornersSquare, cornersDot }: Design): SolidColors | null {
  const ring = solidColorOf(cornersSquare.paint ?? dots.paint);
  const centre = cornersDot.paint === null ? ring : solidColorOf(cornersDot.paint);
  const [canvas, data] = [solidColorOf(background.paint), solidColorOf(dots.paint)];
  if (canvas === null || data === null || ring === null || centre === null) return null;
  return { background: canvas, dots: data, ring, centre };
}

const solidColorOf = (paint: Paint): PixelColor | null =>
  typeof paint === 'string' ? pixelColor(paint) : null;

/** Whether a paint is opaque everywhere. */
export function isOpaque(paint: Paint): boolean {
  if (typeof paint === 'string') return isOpaqueColor(pixelColor(paint));
  const isOpaqueStop = ({ color }: GradientStop): boolean => isOpaqueColor(pixelColor(color));
  return paint.colorStops.every(isOpaqueStop) || visibleStops(paint).every(isOpaqueStop);
}

/** Whether resvg paints with the blend mode for opaque paints. It never does so for a radial gradient. */
export function isPaintedOpaque(paint: Paint): boolean {
  const isRadial = typeof paint !== 'string' && paint.type === 'radial' && paint.colorStops.length > 1;
  return !isRadial && isOpaque(paint);
}
