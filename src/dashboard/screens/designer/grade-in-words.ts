import type { Grade } from './hints.ts';

const VERDICTS: Readonly<Record<Grade, string>> = {
  4: 'Scans well',
  3: 'Nearly every reader scans it',
  2: 'May be hard to scan',
  1: 'Hard to scan',
  0: 'Few readers scan it',
};

/** Returns a grade and what it means, for example `Grade 4: Scans well`. */
export const gradeInWords = (grade: Grade): string => `Grade ${grade}: ${VERDICTS[grade]}`;
