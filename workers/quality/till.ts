import { PARAMETERS } from '../lists.ts';
import { TILL } from '../print/till.ts';
import type { Fault, Quality } from '../protocol.ts';
import { serializeWarnings } from './warnings.ts';

/** Returns the fault of a picture below the grade of tills, on the field that decides its lowest parameter. */
export const gradeFaultOfTill = ({ grade, warnings }: Quality): Fault | null => {
  // Tills look in red light (ISO/IEC 15415 at 660 nm), in which this contrast is below grade 2; cameras need nothing.
  const redLight = warnings.find(({ name }) => name === 'red-light');
  if (grade >= TILL.grade && redLight === undefined) return null;
  if (grade >= TILL.grade) {
    const { field } = PARAMETERS['red-light'];
    return { field, message: 'must be an ink with less red, such as black, blue or green, for tills' };
  }
  const { field, advice } = PARAMETERS[warnings[0]!.name];
  return {
    field,
    message: `this gives grade ${grade}, and tills need ${TILL.grade} (${serializeWarnings(warnings)}). ${advice}`,
  };
};
