/** Looks to start from. Each replaces the whole look of a design and keeps content, size and logo. */
import type { QrRequest } from '../../api/shapes.ts';
import { say } from '../../words/say.ts';
import { withField } from './draft.ts';

interface Look {
  readonly name: string;
  readonly options: Omit<QrRequest, 'data' | 'width' | 'height' | 'margin' | 'image' | 'imageOptions'>;
}

type CornerType = NonNullable<NonNullable<QrRequest['cornersDotOptions']>['type']>;

/** The squares of the corners and the dots in them, each of a type and, where it is named, in a colour of its own. */
const corners = (square: CornerType, squareColor?: string, dot = square, dotColor?: string) => ({
  cornersSquareOptions: { type: square, ...(squareColor && { color: squareColor }) },
  cornersDotOptions: { type: dot, ...(dotColor && { color: dotColor }) },
});

const stops = (from: string, to: string) => [
  { offset: 0, color: from },
  { offset: 1, color: to },
];

/** Each gives grade 4. In the order of the list. */
export const LOOKS: readonly Look[] = [
  { name: say('Plain'), options: {} },
  {
    name: say('Harbour'),
    options: {
      dotsOptions: { type: 'rounded', color: '#1a4b8c' },
      ...corners('rounded', '#0b2545', 'rounded', '#1a4b8c'),
      backgroundOptions: { color: '#ffffff' },
    },
  },
  {
    name: say('Sunset'),
    options: {
      dotsOptions: {
        type: 'extra-rounded',
        gradient: { type: 'linear', rotation: 0.7854, colorStops: stops('#960e3f', '#7a2c00') },
      },
      ...corners('rounded'),
      backgroundOptions: { color: '#fff8f0', round: 0.1 },
    },
  },
  {
    name: say('Forest'),
    options: {
      dotsOptions: { type: 'classy-rounded', color: '#14532d' },
      ...corners('classy', '#052e16', 'classy', '#14532d'),
      backgroundOptions: { color: '#f2fbf4' },
    },
  },
  {
    name: say('Confetti'),
    options: {
      dotsOptions: { type: 'dots', gradient: { type: 'radial', colorStops: stops('#6d28d9', '#1e1b4b') } },
      ...corners('rounded', '#1e1b4b', 'rounded', '#831843'),
      qrOptions: { errorCorrectionLevel: 'H' },
    },
  },
  {
    name: say('Badge'),
    options: {
      dotsOptions: { type: 'rounded', color: '#111827' },
      ...corners('rounded', '#9f1239', 'square', '#111827'),
      backgroundOptions: { color: '#ffffff', round: 0.2 },
    },
  },
];

/** Returns the design with the options of a look. Keeps whether the content is GS1 data. */
export const applyLook = (
  { data, width, height, margin, image, imageOptions, qrOptions }: QrRequest,
  { options }: Look,
): QrRequest => {
  const styled = Object.fromEntries(
    Object.entries({ data, width, height, margin, image, imageOptions, ...options }).filter(
      ([, value]) => value !== undefined,
    ),
  ) as QrRequest;
  return withField(styled, 'qrOptions.gs1', qrOptions?.gs1);
};
