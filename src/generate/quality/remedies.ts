import type { WarningName } from '../../../workers/protocol.ts';

/** What to do about a low parameter. */
export interface Remedy {
  /** The field of a request that decides the parameter most. */
  readonly field: string;
  /** One sentence, or two. */
  readonly advice: string;
}

/** A remedy for every warning. The table of `docs/api.md` has the same texts. */
export const REMEDIES: Readonly<Record<WarningName, Remedy>> = {
  contrast: {
    field: 'dotsOptions.color',
    advice: 'Use darker dots or a lighter background.',
  },
  'red-light': {
    field: 'dotsOptions.color',
    advice: 'Use dots that are dark in red light too, such as black, blue or green.',
  },
  modulation: {
    field: 'dotsOptions.gradient',
    advice: 'Use one colour for the dots, or a gradient without pale colours.',
  },
  'logo-damage': {
    field: 'imageOptions.imageSize',
    advice: 'Make the logo smaller, or raise qrOptions.errorCorrectionLevel.',
  },
  'fixed-patterns': {
    field: 'imageOptions.imageSize',
    advice: 'Make the logo smaller, so that it leaves the lines and small squares of the symbol free.',
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
    advice: 'Use a lighter background: on white paper it looks more like ink than like paper.',
  },
  inverted: {
    field: 'dotsOptions.color',
    advice: 'Use dark dots on a light background.',
  },
  'quiet-zone': {
    field: 'margin',
    advice: 'Leave `margin` out, which gives four empty modules; a circle has one.',
  },
  'small-modules': {
    field: 'width',
    advice: 'Make the picture larger or the content shorter: a module needs four pixels.',
  },
};
