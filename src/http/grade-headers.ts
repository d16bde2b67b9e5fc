/** The request headers about the grade of pictures. */
import Type, { type Static } from 'typebox';
import type { Grade } from '../../workers/protocol.ts';
import type { GradeTerms } from '../generate/parts.ts';

/** The request headers of calls that generate. */
export const GradeHeaders = Type.Object({
  'tessera-min-grade': Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 4,
      description: 'Refuses pictures of a lower grade, free of charge.',
    }),
  ),
});

/** The request headers of calls that may repair what they generate. */
export const RepairHeaders = Type.Object({
  ...GradeHeaders.properties,
  'tessera-repair': Type.Optional(
    Type.Literal('true', {
      description: 'Makes the least change that gives grade 4, or `Tessera-Min-Grade`.',
    }),
  ),
});

/** Returns what validated headers ask for. */
export const gradeTermsOf = (headers: Static<typeof GradeHeaders>): GradeTerms => ({
  minGrade: (headers['tessera-min-grade'] ?? 0) as Grade,
  repair: false,
});

/** Returns the same for a call that may repair. */
export const repairTermsOf = (headers: Static<typeof RepairHeaders>): GradeTerms =>
  headers['tessera-repair'] === undefined
    ? gradeTermsOf(headers)
    : { minGrade: (headers['tessera-min-grade'] ?? 4) as Grade, repair: true };
