import type { QrRequest } from '../../api/shapes.ts';

export type Gradient = NonNullable<NonNullable<QrRequest['dotsOptions']>['gradient']>;

export type PaintKind = 'color' | 'linear' | 'radial';

export const kindOf = (gradient: Gradient | undefined): PaintKind =>
  gradient === undefined ? 'color' : (gradient.type ?? 'linear');

/** A gradient that begins in the colour that was there. */
export const gradientFrom = (color: string, type: 'linear' | 'radial', before?: Gradient): Gradient => ({
  ...(before ?? {
    colorStops: [
      { offset: 0, color },
      { offset: 1, color: '#7c3aed' },
    ],
  }),
  type,
});

export const toDegrees = (radians = 0): number => Math.round((radians * 180) / Math.PI);
export const toRadians = (degrees: number): number => Math.round(((degrees * Math.PI) / 180) * 10000) / 10000;
