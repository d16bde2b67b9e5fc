import type { Grade } from '../protocol.ts';

/** The least figures for the grades 4, 3, 2 and 1. */
export type Thresholds = readonly [four: number, three: number, two: number, one: number];

/** Returns the highest grade whose threshold a figure reaches. */
export const gradeAtLeast = (figure: number, thresholds: Thresholds): Grade =>
  gradeOfFirst(thresholds.findIndex((threshold) => figure >= threshold));

/** Returns the highest grade whose threshold a figure does not exceed. */
export const gradeAtMost = (figure: number, thresholds: Thresholds): Grade =>
  gradeOfFirst(thresholds.findIndex((threshold) => figure <= threshold));

const gradeOfFirst = (index: number): Grade => (index < 0 ? 0 : ((4 - index) as Grade));

/** Returns the lowest of some grades. */
export const lowestGradeOf = (...grades: readonly Grade[]): Grade => Math.min(...grades) as Grade;
