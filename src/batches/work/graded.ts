/**
 * Enforces a batch's minimum grade: designs are repaired before they are drawn, and files below the grade are refused.
 */
import { gradeFault, type Terms } from '../../generate/quality/graded.ts';
import { toMended, toRepairTask } from '../../generate/repair/repair.ts';
import { planTask } from '../../generate/task.ts';
import { isOk, ok, type Result, refused } from '../../result.ts';
import {
  type Drawn,
  type DrawOptions,
  drawTasks,
  encodedSlug,
  type RowFailure,
  type Sketch,
  toFailure,
} from './draw.ts';
import { gradeOf } from './files.ts';
import type { WorkParts } from './parts.ts';

/**
 * Repairs the designs of rows if their batch asks for it. Sizes in millimetres stay as requested.
 *
 * @throws When nothing can be drawn at the moment.
 */
export const repairRows = async (
  parts: WorkParts,
  sketches: readonly Sketch[],
  { repair, minGrade }: Terms,
  { accountId, shortUrl }: Pick<DrawOptions, 'accountId' | 'shortUrl'>,
): Promise<readonly Result<Sketch, RowFailure>[]> => {
  if (!repair) return sketches.map(ok);
  const planned = await Promise.all(
    sketches.map((sketch) => {
      const { row, found } = sketch;
      const { content, design } = row;
      const slug = encodedSlug(sketch);
      const text = slug === null ? content : shortUrl(slug);
      return planTask(parts.fitLogo, { text, design, found, format: 'png' });
    }),
  );
  const tasks = planned.filter(isOk).map(({ value }) => toRepairTask(value.task, minGrade));
  const outcomes = (await drawTasks(parts, accountId, tasks)).values();
  return sketches.map((sketch, place): Result<Sketch, RowFailure> => {
    const task = planned[place]!;
    if (!task.ok) return refused({ ...task.fault, cause: 'row' });
    const outcome = outcomes.next().value!;
    if (!outcome.ok) return refused(toFailure(outcome));
    const { design } = toMended(outcome.value);
    return ok({ ...sketch, row: { ...sketch.row, design } });
  });
};

/** Fails a row that has a file below the grade. */
export const refuseBelow = (drawn: Drawn, terms: Terms): Drawn => {
  const fault = drawn.ok ? gradeFault(gradeOf(drawn.value), terms) : null;
  return fault === null ? drawn : refused({ ...fault, cause: 'grade' });
};
