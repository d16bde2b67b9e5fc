import type { Geometry } from '../design/geometry.ts';
import type { Design, Logo } from '../protocol.ts';
import { type SolidColors, solidColorsOf } from './solid-colors.ts';

/** The lane that draws the PNG; the two fast lanes also get the solid colours that they paint with. */
export type Route =
  | { readonly lane: 'plain' | 'stamped'; readonly solidColors: SolidColors }
  | { readonly lane: 'reference' };

const REFERENCE: Route = { lane: 'reference' };

/**
 * Returns the fastest lane that draws the same pixels as the reference. A fast lane takes solid colours on whole
 * pixels, without a logo or a round background; the plain lane draws only squares. The function is pure and cheap,
 * since the gateway calls it too, to estimate what a picture costs.
 */
export function chooseLane(design: Design, geometry: Geometry, logo: Logo | null): Route {
  const solidColors = solidColorsOf(design);
  if (solidColors === null || logo !== null || design.background.round !== 0) return REFERENCE;
  if (!isOnWholePixels(design, geometry)) return REFERENCE;
  if (isSquare(design)) return { lane: 'plain', solidColors };
  // Without `roundSize` resvg draws curves without smooth edges, and the glyph masks have smooth ones.
  return design.dots.roundSize ? { lane: 'stamped', solidColors } : REFERENCE;
}

/** Whether all modules begin and end between pixels and lie on the canvas. */
function isOnWholePixels({ widthPx, heightPx }: Design, geometry: Geometry): boolean {
  const { xPx, yPx, modulePx, moduleCount, fillerRings } = geometry;
  const insetPx = fillerRings * modulePx;
  const sidePx = moduleCount * modulePx + insetPx;
  return (
    [xPx, yPx, modulePx].every(Number.isInteger) &&
    Math.min(xPx, yPx) >= insetPx &&
    xPx + sidePx <= widthPx &&
    yPx + sidePx <= heightPx
  );
}

function isSquare({ shape, dots, cornersSquare, cornersDot }: Design): boolean {
  const types = [dots.type, cornersSquare.type ?? dots.type, cornersDot.type ?? dots.type];
  return shape === 'square' && types.every((type) => type === 'square');
}
