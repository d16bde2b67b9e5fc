import type { Design, Paint } from '../protocol.ts';
import { type PixelColor, pixelColor } from './blend.ts';

/** What the parts of a picture in solid colours are painted with. */
export interface SolidColors {
  readonly background: PixelColor;
  readonly dots: PixelColor;
  readonly ring: PixelColor;
  readonly centre: PixelColor;
}

/** The solid colours of a design, or `null` when a part has a gradient. Ring and centre fall back as layers do. */
export function solidColorsOf({ background, dots, cornersSquare, cornersDot }: Design): SolidColors | null {
  const ring = inkOf(cornersSquare.paint ?? dots.paint);
  const centre = cornersDot.paint === null ? ring : inkOf(cornersDot.paint);
  const [canvas, data] = [inkOf(background.paint), inkOf(dots.paint)];
  if (canvas === null || data === null || ring === null || centre === null) return null;
  return { background: canvas, dots: data, ring, centre };
}

const inkOf = (paint: Paint): PixelColor | null => (typeof paint === 'string' ? pixelColor(paint) : null);
