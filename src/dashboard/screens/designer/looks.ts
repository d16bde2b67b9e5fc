/** Looks to start from. Each replaces the whole look of a design and keeps content, size and logo. */
import type { QrRequest } from '../../api/shapes.ts';

/** A named look. */
export interface Look {
  readonly name: string;
  readonly options: Omit<QrRequest, 'data' | 'width' | 'height' | 'margin' | 'image' | 'imageOptions'>;
}

/** Each gives grade 4. In the order of the list. */
export const LOOKS: readonly Look[] = [
  { name: 'Plain', options: {} },
  {
    name: 'Harbour',
    options: {
      dotsOptions: { type: 'rounded', color: '#1a4b8c' },
      cornersSquareOptions: { type: 'rounded', color: '#0b2545' },
      cornersDotOptions: { type: 'rounded', color: '#1a4b8c' },
      backgroundOptions: { color: '#ffffff' },
    },
  },
  {
    name: 'Sunset',
    options: {
      dotsOptions: {
        type: 'extra-rounded',
        gradient: {
          type: 'linear',
          rotation: 0.7854,
          colorStops: [
            { offset: 0, color: '#960e3f' },
            { offset: 1, color: '#7a2c00' },
          ],
        },
      },
      cornersSquareOptions: { type: 'rounded' },
      cornersDotOptions: { type: 'rounded' },
      backgroundOptions: { color: '#fff8f0', round: 0.1 },
    },
  },
  {
    name: 'Forest',
    options: {
      dotsOptions: { type: 'classy-rounded', color: '#14532d' },
      cornersSquareOptions: { type: 'classy', color: '#052e16' },
      cornersDotOptions: { type: 'classy', color: '#14532d' },
      backgroundOptions: { color: '#f2fbf4' },
    },
  },
  {
    name: 'Confetti',
    options: {
      dotsOptions: {
        type: 'dots',
        gradient: {
          type: 'radial',
          colorStops: [
            { offset: 0, color: '#6d28d9' },
            { offset: 1, color: '#1e1b4b' },
          ],
        },
      },
      cornersSquareOptions: { type: 'rounded', color: '#1e1b4b' },
      cornersDotOptions: { type: 'rounded', color: '#831843' },
      qrOptions: { errorCorrectionLevel: 'H' },
    },
  },
  {
    name: 'Badge',
    options: {
      dotsOptions: { type: 'rounded', color: '#111827' },
      cornersSquareOptions: { type: 'rounded', color: '#9f1239' },
      cornersDotOptions: { type: 'square', color: '#111827' },
      backgroundOptions: { color: '#ffffff', round: 0.2 },
    },
  },
];

/** Returns the design with the options of a look. */
export const dress = (
  { data, width, height, margin, image, imageOptions }: QrRequest,
  { options }: Look,
): QrRequest =>
  Object.fromEntries(
    Object.entries({ data, width, height, margin, image, imageOptions, ...options }).filter(
      ([, value]) => value !== undefined,
    ),
  ) as QrRequest;
