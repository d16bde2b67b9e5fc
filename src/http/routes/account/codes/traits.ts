/** The filters of codes by what they are, as queries have them. */
import Type, { type Static } from 'typebox';
import type { Traits } from '../../../../db/tables/codes/traits.ts';
import { fieldError } from '../../../../errors.ts';
import { Grade } from '../../../schemas/atoms.ts';
import { Moment, readMoment } from '../../../schemas/cursors.ts';

const Width = Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 });

/** The fields of a query. */
export const traitFilters = {
  dynamic: Type.Optional(
    Type.Boolean({ description: 'Only codes with a short link, or only those without.' }),
  ),
  min_grade: Type.Optional({ ...Grade, description: 'Only codes of this grade or higher.' }),
  max_grade: Type.Optional({ ...Grade, description: 'Only codes of this grade or lower.' }),
  created_from: Moment('Only codes that were made then or later.', 'in UTC'),
  created_to: Moment('Only codes that were made before.', 'in UTC'),
  min_width: Type.Optional({ ...Width, description: 'Only codes of this width in pixels or more.' }),
  max_width: Type.Optional({ ...Width, description: 'Only codes of this width or less.' }),
};

const TraitsQuery = Type.Object(traitFilters);

const GRADES = [0, 1, 2, 3, 4];

/** @throws {AppError} 400 when no value is in the range. */
const requireRange = (
  from: string,
  least: number | undefined,
  to: string,
  most: number | undefined,
): void => {
  if (least !== undefined && most !== undefined && least > most)
    throw fieldError(from, `must not be more than ${to}`, 'invalid_query');
};

/** Returns what a validated query filters by. @throws {AppError} 400 for a range that has nothing in it. */
export const readTraits = (query: Static<typeof TraitsQuery>): Traits => {
  const { dynamic, min_grade: minGrade, max_grade: maxGrade } = query;
  const { min_width: minWidthPx, max_width: maxWidthPx, created_from: from, created_to: to } = query;
  const createdFrom = from === undefined ? undefined : readMoment('created_from', from);
  const createdTo = to === undefined ? undefined : readMoment('created_to', to);
  requireRange('min_grade', minGrade, 'max_grade', maxGrade);
  requireRange('min_width', minWidthPx, 'max_width', maxWidthPx);
  requireRange('created_from', createdFrom?.getTime(), 'created_to', createdTo?.getTime());
  return {
    ...(dynamic !== undefined && { isDynamic: dynamic }),
    ...((minGrade !== undefined || maxGrade !== undefined) && {
      grades: GRADES.filter((grade) => grade >= (minGrade ?? 0) && grade <= (maxGrade ?? 4)),
    }),
    ...(createdFrom !== undefined && { createdFrom }),
    ...(createdTo !== undefined && { createdTo }),
    ...(minWidthPx !== undefined && { minWidthPx }),
    ...(maxWidthPx !== undefined && { maxWidthPx }),
  };
};
