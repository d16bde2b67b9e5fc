/** How the codes of the scenarios look, as options of a single call. */
import type { PictureOptions } from '../../src/generate/request/picture-options.ts';

/** Black squares on white, 300 px: drawn in the `plain` lane. */
export const PLAIN: PictureOptions = { width: 300, height: 300 };

/** Rounded dots and corners in solid colours, 300 px: drawn in the `stamped` lane. */
export const STYLED: PictureOptions = {
  width: 300,
  height: 300,
  dotsOptions: { type: 'rounded', color: '#1a5fb4' },
  cornersSquareOptions: { type: 'extra-rounded', color: '#26215c' },
  cornersDotOptions: { type: 'dot', color: '#26215c' },
  backgroundOptions: { color: '#fdfdfd' },
};

/** A gradient over all dots, 300 px: drawn in the `layered` lane. */
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

/** An expensive picture: a gradient at full size. */
export const LARGE_GRADIENT: PictureOptions = { ...GRADIENT, width: 2000, height: 2000 };
