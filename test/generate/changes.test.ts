/** The changes of a repair, as listed in a header, and as a caller would make them. */
import t from 'tap';
import { serializeChanges, toRepairOptions } from '../../src/generate/quality/repair.ts';
import type { Change } from '../../workers/protocol.ts';

const CHANGES: readonly Change[] = [
  { name: 'quiet-zone', value: null },
  { name: 'level', value: 'H' },
  { name: 'logo-size', value: 0.3 },
];

t.test('changes are a list of tokens, with their values as parameters', async (t) => {
  t.equal(serializeChanges(CHANGES), 'quiet-zone, level;v=H, logo-size;v=0.3');
  t.equal(serializeChanges([]), '');
});

t.test('changes set the same fields as a caller would', async (t) => {
  t.strictSame(toRepairOptions(CHANGES), {
    margin: null,
    qrOptions: { errorCorrectionLevel: 'H' },
    imageOptions: { imageSize: 0.3 },
  });
});
