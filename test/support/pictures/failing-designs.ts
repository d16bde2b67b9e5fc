/** Designs that readers miss, as requests: 40 of those that failed when six readers read 707 designs. */
import { DOT_TYPES, namesOf } from '../../../workers/lists.ts';

const CENTRES = { cornersDotOptions: { type: 'dots' } };
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><rect width="200" height="100" fill="#c22"/></svg>';
const LOGO = { image: `data:image/svg+xml;base64,${Buffer.from(SVG).toString('base64')}` };
const GRADIENT = (to: string) => ({
  type: 'radial',
  colorStops: [
    { offset: 0, color: '#000' },
    { offset: 1, color: to },
  ],
});

const discs = namesOf(DOT_TYPES).flatMap((type) => [
  { dotsOptions: { type }, ...CENTRES },
  { dotsOptions: { type }, cornersSquareOptions: { type: 'square' }, ...CENTRES },
]);
const rings = ['dots', 'dot', 'rounded', 'extra-rounded'].map((type) => ({
  dotsOptions: { type: 'dots' },
  cornersSquareOptions: { type },
  ...CENTRES,
}));
const logos = ['L', 'M', 'Q', 'H'].flatMap((errorCorrectionLevel) =>
  [0.6, 0.8, 1].map((imageSize) => ({
    ...LOGO,
    qrOptions: { errorCorrectionLevel },
    imageOptions: { imageSize },
  })),
);

/** A repair makes these readable: a list of each kind. */
export const REPAIRABLE: readonly (readonly object[])[] = [discs, rings, logos];

/** These fail by their colours, which a repair refuses to change: a list of each kind. */
export const REFUSED: readonly (readonly object[])[] = [
  ['#bbb', '#ccc', '#eee', 'yellow'].map((color) => ({ dotsOptions: { color } })),
  ['#000', '#123', '#063', '#400'].map((color) => ({
    dotsOptions: { color: '#fff' },
    backgroundOptions: { color },
  })),
  ['#fff', '#eee'].map((color) => ({ dotsOptions: { color }, backgroundOptions: { color: 'transparent' } })),
  [
    { dotsOptions: { gradient: GRADIENT('#fff') } },
    { dotsOptions: { type: 'dots', gradient: GRADIENT('#eee') } },
  ],
];
