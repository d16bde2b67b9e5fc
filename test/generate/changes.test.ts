/** The changes of a repair, as listed in a header. */
import fc from 'fast-check';
import t from 'tap';
import { parseChanges, serializeChanges, toRepairOptions } from '../../src/generate/quality/repair.ts';
import type { Change } from '../../workers/protocol.ts';

const record = (names: readonly string[], value: fc.Arbitrary<unknown>) =>
  fc.record({ name: fc.constantFrom(...names), value }, { noNullPrototype: true });

const change = fc.oneof(
  record(['quiet-zone', 'logo-size', 'logo-margin'], fc.nat(99)),
  record(['finder-centre', 'finder-ring', 'level'], fc.constant('square')),
  record(['quiet-zone'], fc.constant(null)),
) as fc.Arbitrary<Change>;

t.test('changes are read back as they were written', async () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 4 }), (changes) => {
      t.strictSame(parseChanges(serializeChanges(changes)), changes);
    }),
  );
});

t.test('changes set the same fields as a caller would', async (t) => {
  t.strictSame(toRepairOptions(parseChanges('quiet-zone, level;v=H, logo-size;v=0.3')), {
    margin: null,
    qrOptions: { errorCorrectionLevel: 'H' },
    imageOptions: { imageSize: 0.3 },
  });
});
