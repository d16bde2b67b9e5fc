import type { Design, RenderTask } from '../../workers/protocol.ts';

const plain: Design = {
  widthPx: 300,
  heightPx: 300,
  marginPx: null,
  shape: 'square',
  symbol: { typeNumber: 0, mode: null, levels: ['Q'] },
  dots: { type: 'square', paint: '#000000', roundSize: true },
  cornersSquare: { type: null, paint: null },
  cornersDot: { type: null, paint: null },
  background: { paint: '#ffffff', round: 0 },
  image: { size: 0.4, marginPx: 0, hideBackgroundDots: true },
};

const stamped: Design = { ...plain, dots: { ...plain.dots, type: 'rounded' } };

const layered: Design = {
  ...plain,
  dots: {
    ...plain.dots,
    paint: {
      type: 'linear',
      rotationRad: 0,
      colorStops: [
        { offset: 0, color: '#000000' },
        { offset: 1, color: '#0000ff' },
      ],
    },
  },
};

const reference: Design = { ...stamped, dots: { ...stamped.dots, roundSize: false } };

/** One picture for each lane, which every thread draws before the first request. */
export const WARM_UP: readonly RenderTask[] = [plain, stamped, layered, reference].map((design) => ({
  text: 'https://example.com/',
  design,
  logo: null,
  format: 'png',
}));
