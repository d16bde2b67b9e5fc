/** How the codes of the scenarios look, as fields of a single call. */
import type { PictureOptions } from '../../src/generate/request.ts';

export const PLAIN: PictureOptions = { width: 300, height: 300 };

export const STYLED: PictureOptions = {
  width: 300,
  height: 300,
  dotsOptions: { type: 'rounded', color: '#1a5fb4' },
  cornersSquareOptions: { type: 'extra-rounded', color: '#26215c' },
  cornersDotOptions: { type: 'dot', color: '#26215c' },
  backgroundOptions: { color: '#fdfdfd' },
};

export const GRADIENT: PictureOptions = {
  width: 300,
  height: 300,
  dotsOptions: {
    type: 'rounded',
    gradient: {
      type: 'linear',
      rotation: 0.8,
      colorStops: [
        { offset: 0, color: '#7b1fa2' },
        { offset: 1, color: '#0d47a1' },
      ],
    },
  },
};

/** The dearest picture there is, nearly: gradient, full size. */
export const LARGE_GRADIENT: PictureOptions = { ...GRADIENT, width: 2000, height: 2000 };
