import { CENTRE_INSET, CENTRE_MODULES } from '../../design/finders.ts';
import type { Design } from '../../protocol.ts';
import { centreOf, type Mask, ringOf } from '../../raster/glyph-masks.ts';

/** Returns the light, 0 to 1, at a place of a finder pattern, in modules from its top left corner. */
export type FinderLight = (x: number, y: number) => number;

/** Samples per module. A shape looks the same at every size of the picture. */
export const SAMPLE_PX = 8;

/** Coverage of the ink of a finder pattern. */
export type FinderShape = Readonly<Record<'ring' | 'centre', Mask>>;

/** Returns the shapes of a design's finder patterns, from the masks that the stamped lane draws. */
export const finderShapeOf = ({ dots, cornersSquare, cornersDot }: Design): FinderShape => ({
  ring: ringOf(cornersSquare.type, dots.type, SAMPLE_PX),
  centre: centreOf(cornersDot.type, dots.type, SAMPLE_PX),
});

/** The light of ground, ring and centre at a place of the pattern, in modules from its top left corner. */
export type FinderPaint = Readonly<Record<'ground' | 'ring' | 'centre', FinderLight>>;

/** Returns the light of the drawn pattern. */
export function finderLight({ ring, centre }: FinderShape, paint: FinderPaint): FinderLight {
  const insetPx = CENTRE_INSET * SAMPLE_PX;
  const centrePx = CENTRE_MODULES * SAMPLE_PX;
  return (x, y) => {
    const ground = paint.ground(x, y);
    const [column, row] = [Math.floor(x * SAMPLE_PX), Math.floor(y * SAMPLE_PX)];
    if (Math.min(column, row) < 0 || Math.max(column, row) >= ring.widthPx) return ground;
    const ofRing = ring.coverage[row * ring.widthPx + column]!;
    if (ofRing > 0) return ground + ((paint.ring(x, y) - ground) * ofRing) / 255;
    const [left, top] = [column - insetPx, row - insetPx];
    if (Math.min(left, top) < 0 || Math.max(left, top) >= centrePx) return ground;
    const ofCentre = centre.coverage[top * centrePx + left]!;
    return ofCentre === 0 ? ground : ground + ((paint.centre(x, y) - ground) * ofCentre) / 255;
  };
}
