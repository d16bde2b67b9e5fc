import type { Geometry } from '../design/geometry.ts';
import { visibleStops } from '../design/gradient.ts';
import type { Design, GradientStop, Paint, RasterLane, Surround } from '../protocol.ts';
import { isOpaqueColor, type PixelColor, pixelColor } from './pixels.ts';

/** The colour of each part of a picture that has no gradient. */
export type SolidColors = Readonly<Record<'background' | 'dots' | 'ring' | 'centre', PixelColor>>;

/**
 * Returns the colours of a design, or `null` when a part has a gradient. A ring without a paint of its own takes the
 * dots' paint, and a centre takes the ring's, as in `symbolLayers`.
 */
const solidColorsOf = ({ background, dots, cornersSquare, cornersDot }: Design): SolidColors | null => {
  const ring = solidColorOf(cornersSquare.paint ?? dots.paint);
  const centre = cornersDot.paint === null ? ring : solidColorOf(cornersDot.paint);
  const [canvas, data] = [solidColorOf(background.paint), solidColorOf(dots.paint)];
  if (canvas === null || data === null || ring === null || centre === null) return null;
  return { background: canvas, dots: data, ring, centre };
};

const solidColorOf = (paint: Paint): PixelColor | null =>
  typeof paint === 'string' ? pixelColor(paint) : null;

/** Whether a paint is opaque everywhere. */
export const isOpaque = (paint: Paint): boolean => {
  if (typeof paint === 'string') return isOpaqueColor(pixelColor(paint));
  const isOpaqueStop = ({ color }: GradientStop): boolean => isOpaqueColor(pixelColor(color));
  return paint.colorStops.every(isOpaqueStop) || visibleStops(paint).every(isOpaqueStop);
};

/** Whether resvg paints with the blend mode for opaque paints. It never does so for a radial gradient. */
export const isPaintedOpaque = (paint: Paint): boolean => {
  const isRadial = typeof paint !== 'string' && paint.type === 'radial' && paint.colorStops.length > 1;
  return !isRadial && isOpaque(paint);
};

/** How a PNG is drawn. The plain and stamped lanes also get the solid colours that they paint with. */
export type Route =
  | { readonly lane: 'plain' | 'stamped'; readonly solidColors: SolidColors }
  | { readonly lane: 'layered' | 'reference' };

/**
 * Returns the fastest lane that draws the same pixels as the reference. Fast lanes need modules on whole pixels. The
 * plain lane draws only squares, the stamped lane dots and corners of any style and a logo whose modules are hidden,
 * both in solid colours; the layered lane draws gradients, round backgrounds and all other logos too. No fast lane
 * draws a mark. When a logo turns out to have too many colours for the stamped lane, the layered lane takes over. The
 * function is pure and cheap, since the gateway calls it too, to estimate what a picture costs.
 */
export const chooseLane = (design: Design, geometry: Geometry): Route => {
  // Without `roundSize` resvg draws curves without smooth edges, and the glyph masks have smooth ones.
  const isSquare = hasOnlySquares(design);
  const isSmooth = design.dots.roundSize || isSquare;
  const isMarked = design.mark !== undefined;
  if (
    isMarked ||
    !isSmooth ||
    !isOnWholePixels(design, geometry) ||
    isLogoOverTranslucent(design, geometry)
  ) {
    return { lane: 'reference' };
  }
  const solidColors = solidColorsOf(design);
  const isLogoOverDots = geometry.logo !== null && geometry.hidden === null;
  if (solidColors === null || isLogoOverDots || design.background.round !== 0) return { lane: 'layered' };
  const isPlain = isSquare && design.shape === 'square' && geometry.logo === null;
  return { lane: isPlain ? 'plain' : 'stamped', solidColors };
};

/**
 * Returns the fastest lane that draws a picture with what stands around it: the stamped lane draws no frames, and no text
 * beside the picture. When letters turn out to be too large to be kept, or texts to have several colours, another lane
 * takes over.
 */
export const laneAround = (lane: RasterLane, { leftPx, rightPx, frame }: Surround): RasterLane => {
  const isWider = leftPx > 0 || rightPx > 0 || frame !== undefined;
  return lane === 'stamped' && isWider ? 'layered' : lane;
};

/**
 * Whether dots show through a logo over a background that is not opaque. resvg blends a logo with more precision than
 * pixels have; divided by a low alpha, the difference would show.
 */
const isLogoOverTranslucent = ({ background }: Design, { logo, hidden }: Geometry): boolean =>
  logo !== null && hidden === null && !(background.round === 0 && isOpaque(background.paint));

/**
 * Returns where modules are, for a geometry on whole pixels. V8 keeps a number as a double wherever it was once a
 * fraction, as in geometries of the reference lane, and loops over pixels then take up to half as long again.
 */
export const wholePixels = ({ xPx, yPx, modulePx, fillerRings }: Geometry) => ({
  xPx: xPx | 0,
  yPx: yPx | 0,
  modulePx: modulePx | 0,
  fillerRings: fillerRings | 0,
});

/** Whether all modules begin and end between pixels and lie on the canvas. */
const isOnWholePixels = ({ widthPx, heightPx }: Design, geometry: Geometry): boolean => {
  const { xPx, yPx, modulePx, moduleCount, fillerRings } = geometry;
  const insetPx = fillerRings * modulePx;
  const sidePx = moduleCount * modulePx + insetPx;
  return (
    [xPx, yPx, modulePx].every(Number.isInteger) &&
    Math.min(xPx, yPx) >= insetPx &&
    xPx + sidePx <= widthPx &&
    yPx + sidePx <= heightPx
  );
};

const hasOnlySquares = ({ dots, cornersSquare, cornersDot }: Design): boolean => {
  const types = [dots.type, cornersSquare.type ?? dots.type, cornersDot.type ?? dots.type];
  return types.every((type) => type === 'square');
};
