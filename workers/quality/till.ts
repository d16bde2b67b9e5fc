import { PARAMETERS } from '../lists.ts';
import { TILL } from '../print/till.ts';
import type { Fault, Quality } from '../protocol.ts';
import { serializeWarnings } from './warnings.ts';

/** Returns the fault of a picture below the grade of tills, on the field that decides its lowest parameter. */
export const gradeFaultOfTill = ({ grade, warnings }: Quality): Fault | null => {
  if (grade >= TILL.grade) return null;
  const { field, advice } = PARAMETERS[warnings[0]!.name];
  return {
    field,
    message: `this gives grade ${grade}, and tills need ${TILL.grade} (${serializeWarnings(warnings)}). ${advice}`,
  };
};
