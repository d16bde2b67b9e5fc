import type { Geometry } from '../design/geometry.ts';
import type { Design, Logo } from '../protocol.ts';
import { type SolidColors, solidColorsOf } from './solid-colors.ts';

/** Which lane draws the PNG; the fast ones with the solid colours that they need. */
export type Route =
  | { readonly lane: 'plain' | 'stamped'; readonly colors: SolidColors }
  | { readonly lane: 'reference' };

const REFERENCE: Route = { lane: 'reference' };

/**
 * The fastest lane whose picture is the reference's, pixel by pixel. A fast lane takes solid colours on whole
 * pixels, without a logo or a round background; the plain one draws squares alone. Pure and cheap: the gateway
 * asks too, to know what a picture will cost.
 */
export function chooseLane(design: Design, geometry: Geometry, logo: Logo | null): Route {
  const colors = solidColorsOf(design);
  if (colors === null || logo !== null || design.background.round !== 0) return REFERENCE;
  if (!isOnWholePixels(design, geometry)) return REFERENCE;
  if (isSquare(design)) return { lane: 'plain', colors };
  // Without `roundSize` curves are drawn without smooth edges.
  return design.dots.roundSize ? { lane: 'stamped', colors } : REFERENCE;
}

/** Modules begin and end between pixels, on the canvas. */
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
