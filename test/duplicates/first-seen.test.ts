import fc from 'fast-check';
import t from 'tap';
import { createFirstSeen, hashText } from '../../src/duplicates/first-seen.ts';

t.test('the first place of each text is found, and repeated texts are counted', async () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 4000 }), (numbers) => {
      const seen = createFirstSeen();
      const first = new Map<number, number>();
      const times = new Map<number, number>();
      const isRight = numbers.every((number, index) => {
        const known = first.get(number) ?? null;
        if (known === null) first.set(number, index + 1);
        times.set(number, (times.get(number) ?? 0) + 1);
        return seen.look(hashText(String(number)), index + 1) === known;
      });
      const repeated = [...times.values()].filter((count) => count > 1);
      return (
        isRight &&
        seen.repeated.contents === repeated.length &&
        seen.repeated.codes === repeated.reduce((sum, count) => sum + count, 0)
      );
    }),
    { numRuns: 100 },
  );
});
