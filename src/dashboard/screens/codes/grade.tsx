/** How easily a picture can be scanned, in words. */
import type { Grade } from '../../api/shapes.ts';
import { say } from '../../words/say.ts';

const VERDICTS: Readonly<Record<Grade, string>> = {
  4: say('Scans well'),
  3: say('Nearly every reader scans it'),
  2: say('May be hard to scan'),
  1: say('Hard to scan'),
  0: say('Few readers scan it'),
};

/** Returns the classes of a chip in the colour of a grade. */
export const gradeChip = (grade: Grade): string =>
  `chip ${grade === 4 ? 'good' : grade >= 2 ? 'warn' : 'bad'}`;

/** Shows a grade and what it means, for example `Grade 4: Scans well`. */
export const GradeChip = ({ grade }: { readonly grade: Grade }) => (
  <span class={gradeChip(grade)}>{say('Grade {grade}: {verdict}', { grade, verdict: VERDICTS[grade] })}</span>
);

/** Shows a grade of a list in short; `null`: there is no picture yet. */
export const GradeMark = ({ grade }: { readonly grade: Grade | null }) =>
  grade === null ? (
    <span class="muted small">{say('No picture')}</span>
  ) : (
    <span class={gradeChip(grade)} title={VERDICTS[grade]}>
      <span class="hidden">{say('Grade')} </span>
      {grade}
      <span class="hidden">: {VERDICTS[grade]}</span>
    </span>
  );
