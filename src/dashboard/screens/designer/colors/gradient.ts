import type { QrRequest } from '../../../api/shapes.ts';

/** A gradient as the API takes it. */
export type Gradient = NonNullable<NonNullable<QrRequest['dotsOptions']>['gradient']>;

/** What a part is painted with: one colour or a kind of gradient. */
export type PaintKind = 'color' | 'linear' | 'radial';

/** Returns the kind of a paint; `undefined` is one colour. A gradient without a type is linear. */
export const kindOf = (gradient: Gradient | undefined): PaintKind =>
  gradient === undefined ? 'color' : (gradient.type ?? 'linear');

/** Returns a gradient of the given type. It keeps the stops of `before`, or begins in `color`. */
export const gradientFrom = (color: string, type: 'linear' | 'radial', before?: Gradient): Gradient => ({
  ...(before ?? {
    colorStops: [
      { offset: 0, color },
      { offset: 1, color: '#7c3aed' },
    ],
  }),
  type,
});

/** Converts radians to whole degrees, for a slider. */
export const toDegrees = (radians = 0): number => Math.round((radians * 180) / Math.PI);
/** Converts degrees to radians with four decimals, for the request. */
export const toRadians = (degrees: number): number => Math.round(((degrees * Math.PI) / 180) * 10000) / 10000;
