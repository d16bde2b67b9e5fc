/** How calls report the grades of several pictures, and when they refuse one. */
import fc from 'fast-check';
import t from 'tap';
import { type Graded, gradeFault, toPicture, worstOf } from '../../src/generate/quality/graded.ts';
import { namesOf, PARAMETERS, type ParameterName } from '../../workers/lists.ts';
import type { Grade } from '../../workers/protocol.ts';

const NAMES = namesOf(PARAMETERS);

const picture: fc.Arbitrary<Graded> = fc
  .record({
    grade: fc.integer({ min: 0, max: 4 }),
    names: fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 }),
    figure: fc.integer({ min: 1, max: 99 }),
  })
  .map(({ grade, names, figure }) => ({
    grade: grade as Grade,
    warnings:
      grade === 4 ? '' : names.map((name, i) => (i % 2 === 0 ? `${name};v=0.${figure}` : name)).join(', '),
  }));

t.test('of several pictures the lowest grade is reported, and each warning at its worst', async (t) => {
  fc.assert(
    fc.property(fc.array(picture, { minLength: 1, maxLength: 6 }), (pictures) => {
      const lowest = Math.min(...pictures.map(({ grade }) => grade));
      const expected: string[] = [];
      for (let grade = lowest; grade < 4; grade += 1) {
        for (const item of pictures
          .filter((one) => one.grade === grade)
          .flatMap(({ warnings }) => warnings.split(', ')))
          if (!expected.some((other) => other.split(';')[0] === item.split(';')[0])) expected.push(item);
      }
      return (
        fc.stringify(worstOf(pictures)) === fc.stringify({ grade: lowest, warnings: expected.join(', ') })
      );
    }),
    { numRuns: 500 },
  );
  t.equal(worstOf([]), null);
});

t.test('a picture below the minimum grade is refused, naming the field of its first warning', async () => {
  fc.assert(
    fc.property(
      picture,
      fc.integer({ min: 0, max: 4 }),
      fc.boolean(),
      ({ grade, warnings }, minGrade, repair) => {
        const fault = gradeFault({ grade, warnings }, { minGrade: minGrade as Grade, repair });
        if (grade >= minGrade) return fault === null;
        const { field, advice } = PARAMETERS[warnings.split(/[;,]/)[0] as ParameterName];
        return (
          fault?.field === field &&
          fault.message.includes(`grade ${grade}`) &&
          fault.message.includes(`asks for ${minGrade} (${warnings}). ${advice}`) &&
          fault.message.includes('even after repair, and Tessera-Repair') === repair &&
          fault.message.includes('Tessera-Min-Grade') === !repair
        );
      },
    ),
  );
});

t.test('an answer has the bytes and the grade of the picture', async (t) => {
  const bytes = Uint8Array.of(1);
  const drawn = { bytes, grade: 3, warnings: 'contrast', lane: 'vector', renderMs: 1 } as const;
  t.strictSame(toPicture(drawn), { png: bytes, grade: 3, warnings: 'contrast' });
});
