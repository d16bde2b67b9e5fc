import { PARAMETERS } from '../lists.ts';
import { TILL } from '../print/till.ts';
import type { Fault, Grade } from '../protocol.ts';
import { namesIn } from './warnings.ts';

/**
 * Returns why tills do not read a picture of this grade, on the field that decides its lowest parameter; `null`: they do.
 *
 * @param warnings As `serializeWarnings` writes them.
 */
export const gradeFaultOfTill = (grade: Grade, warnings: string): Fault | null => {
  const names = namesIn(warnings);
  if (grade < TILL.grade) {
    const { field, advice } = PARAMETERS[names[0]!];
    return {
      field,
      message: `this gives grade ${grade}, and tills need ${TILL.grade} (${warnings}). ${advice}`,
    };
  }
  // Tills look in red light (ISO/IEC 15415 at 660 nm), in which this contrast is below grade 2; cameras need nothing.
  if (!names.includes('red-light')) return null;
  const { field } = PARAMETERS['red-light'];
  return { field, message: 'must be an ink with less red, such as black, blue or green, for tills' };
};
