import type { WarningName } from '../../../workers/protocol.ts';

/** What to do about a low parameter. */
export interface Remedy {
  /** The field of a request that decides the parameter most. */
  readonly field: string;
  /** One sentence, or two. */
  readonly advice: string;
}

/** A remedy for every warning. The first table of `docs/quality.md` has the same texts. */
export const REMEDIES: Readonly<Record<WarningName, Remedy>> = {
  contrast: {
    field: 'dotsOptions.color',
    advice: 'Darken dots and corners, or lighten the background.',
  },
  'red-light': {
    field: 'dotsOptions.color',
    advice: 'Use an ink with less red, such as black, blue or green; cameras need nothing.',
  },
  modulation: {
    field: 'dotsOptions.gradient',
    advice: 'End the gradient in a darker colour, or use one colour.',
  },
  'logo-damage': {
    field: 'imageOptions.imageSize',
    advice: 'Make the logo smaller, or raise `qrOptions.errorCorrectionLevel`.',
  },
  'fixed-patterns': {
    field: 'imageOptions.imageSize',
    advice: 'Make the logo smaller: it hides timing or alignment patterns.',
  },
  'finder-centre': {
    field: 'cornersDotOptions.type',
    advice: 'Use `square` or `rounded`, in a colour as dark as the dots.',
  },
  'finder-ring': {
    field: 'cornersSquareOptions.type',
    advice: 'Use `square` or `rounded`, in a colour as dark as the dots.',
  },
  ground: {
    field: 'backgroundOptions.color',
    advice: 'Lighten the background.',
  },
  inverted: {
    field: 'dotsOptions.color',
    advice: 'Use dark dots on a light background.',
  },
  'quiet-zone': {
    field: 'margin',
    advice: 'Raise `margin` to two modules, or leave it out; a circle always has one.',
  },
  'small-modules': {
    field: 'width',
    advice: 'Enlarge the picture, or shorten the content: a module needs four pixels, and 0.33 mm on paper.',
  },
};
