/** The conditions under which a picture is read. Pure functions from picture to picture. */
import { blur } from './blur.ts';
import type { Luma } from './luma.ts';
import { reduce } from './reduce.ts';

/**
 * `sharp`: the picture as it is. `blurred`: out of focus. `small`: seen from afar. The sizes of the last two are in
 * modules, so that they mean the same for a small and a large picture.
 */
export const CONDITIONS = ['sharp', 'blurred', 'small'] as const;
/** One of `CONDITIONS`. */
export type Condition = (typeof CONDITIONS)[number];

/** Pixels a module of a picture that is seen from afar: most phones read no less. */
export const SMALL_MODULE_PX = 3;
/** Pixels a module of a picture that is out of focus: a phone at reading distance. */
export const BLURRED_MODULE_PX = 4;
/** Standard deviation of the Gaussian, in modules. */
export const BLUR_SIGMA_MODULES = 0.3;

/** For the receipt: what each condition is. */
export const CONDITION_TEXTS: Readonly<Record<Condition, string>> = {
  sharp: 'the picture as it is, on white',
  blurred: `reduced to ${BLURRED_MODULE_PX} pixels a module where it has more, then blurred by a Gaussian with a standard deviation of ${BLUR_SIGMA_MODULES} modules`,
  small: `reduced to ${SMALL_MODULE_PX} pixels a module where it has more`,
};

/** Returns the picture under a condition. @param modulePx Side of a module in the picture. */
export const underCondition = (luma: Luma, condition: Condition, modulePx: number): Luma => {
  if (condition === 'sharp') return luma;
  const seenPx = condition === 'small' ? SMALL_MODULE_PX : BLURRED_MODULE_PX;
  const scale = Math.min(1, seenPx / modulePx);
  const seen = scale < 1 ? reduce(luma, scale) : luma;
  return condition === 'small' ? seen : blur(seen, BLUR_SIGMA_MODULES * modulePx * scale);
};
