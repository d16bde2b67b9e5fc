/** Short versions of the drills. The commands run them with more load. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const SHORT = ['--seconds', '1', '--callers', '3'];
const FEW_CODES = ['--codes', '100000'];

const drill = (name: string, args: readonly string[]) =>
  new Promise<{ readonly code: unknown; readonly said: string }>((resolve) => {
    const script = fileURLToPath(new URL(`../../dist/test/drills/${name}-main.js`, import.meta.url));
    execFile(process.execPath, [script, ...args], (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, said: stdout + stderr }),
    );
  });

t.test('a dump under load is restored without loss or a double charge, beside an empty Redis', async (t) => {
  // Ten seconds instead of the usual one, because a busy machine drains the ledger late.
  const { code, said } = await drill('backup', [...SHORT, '--rows', '60', '--missing', '10000']);
  t.equal(code, 0, said);
  t.match(said, 'Everything that was answered is there, doctor finds nothing, and no unit is charged twice.');
  const { answeredBeforeDump, slugs } = JSON.parse(said.split('\n')[0]!);
  t.ok(answeredBeforeDump > 60 && slugs > 0, said);
});

t.test('a gateway runs on a newer compatible schema, and refuses an incompatible one', async (t) => {
  const { code, said } = await drill('rollback', SHORT);
  t.equal(code, 0, said);
  t.match(said, 'No call failed, and the older version refuses the incompatible schema.');
  t.ok(Number(/^(\d+) calls answered/m.exec(said)?.[1]) > 10, said);
});

t.test('no save fails while an online migration is applied and killed', async (t) => {
  const { code, said } = await drill('migration', FEW_CODES);
  t.equal(code, 0, said);
  t.match(said, 'No save failed, and the migration is applied once.');
});
