import type { Grade } from '../protocol.ts';

/** The least figures for the grades 4, 3, 2 and 1. */
export type Thresholds = readonly [four: number, three: number, two: number, one: number];

/** Returns the highest grade whose threshold a figure reaches. */
export function gradeAtLeast(figure: number, thresholds: Thresholds): Grade {
  for (let i = 0; i < 4; i += 1) if (figure >= thresholds[i]!) return (4 - i) as Grade;
  return 0;
}

/** Returns the highest grade whose threshold a figure does not exceed. */
export function gradeAtMost(figure: number, thresholds: Thresholds): Grade {
  for (let i = 0; i < 4; i += 1) if (figure <= thresholds[i]!) return (4 - i) as Grade;
  return 0;
}

/** Returns the lowest of some grades. */
export const lowest = (...grades: readonly Grade[]): Grade => Math.min(...grades) as Grade;
