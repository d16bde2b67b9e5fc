/** How easily a picture can be scanned, in words. */
import type { Grade } from '../../api/shapes.ts';

const VERDICTS: Readonly<Record<Grade, string>> = {
  4: 'Scans well',
  3: 'Nearly every reader scans it',
  2: 'May be hard to scan',
  1: 'Hard to scan',
  0: 'Few readers scan it',
};

/** Returns the classes of a chip in the colour of a grade. */
export const gradeChip = (grade: Grade): string =>
  `chip ${grade === 4 ? 'good' : grade >= 2 ? 'warn' : 'bad'}`;

/** Shows a grade and what it means, for example `Grade 4: Scans well`. */
export const GradeChip = ({ grade }: { readonly grade: Grade }) => (
  <span class={gradeChip(grade)}>
    Grade {grade}: {VERDICTS[grade]}
  </span>
);

/** Shows a grade of a list in short; `null`: there is no picture yet. */
export const GradeMark = ({ grade }: { readonly grade: Grade | null }) =>
  grade === null ? (
    <span class="muted small">No picture</span>
  ) : (
    <span class={gradeChip(grade)} title={VERDICTS[grade]}>
      <span class="hidden">Grade </span>
      {grade}
      <span class="hidden">: {VERDICTS[grade]}</span>
    </span>
  );
