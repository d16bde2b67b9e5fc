import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { EQUIVALENTS, equivalence } from './equivalents.ts';
import { type Found, mutantsOf } from './found.ts';
import { MODULES } from './modules.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

t.test('every mutant that is listed as equivalent is one that the tool makes', async (t) => {
  const sources = new Set(Object.values(MODULES).flatMap((module) => module.sources));
  for (const { file, because, mutants } of EQUIVALENTS) {
    t.ok(sources.has(file), `${file} is mutated`);
    t.ok(because !== '' && mutants.length > 0);
  }
  const all = await mutantsOf(ROOT, { sources: [...sources], tests: [] });
  const reasonOf = equivalence(all);
  const count = EQUIVALENTS.reduce((sum, { mutants }) => sum + mutants.length, 0);
  t.equal(all.filter((mutant) => reasonOf(mutant) !== null).length, count);
});

t.test('every test of a module exists', async (t) => {
  for (const file of Object.values(MODULES).flatMap(({ tests }) => tests))
    t.ok(existsSync(join(ROOT, file)), file);
});

t.test('an entry that is no mutant any more is an error', async (t) => {
  const [{ file }] = EQUIVALENTS as readonly [(typeof EQUIVALENTS)[number]];
  t.throws(() => equivalence([{ file, was: 'return 1;', becomes: 'return 2;' }]), {
    message: /lists 1|lists 2/,
  });
});

t.test('mistakes of the other kinds change the source, and are none of the first kinds', async (t) => {
  const module = { sources: MODULES.quality!.sources, tests: [] };
  const nameOf = ({ file, start, end, text }: Found): string => `${file} ${start} ${end} ${text}`;
  const first = new Set((await mutantsOf(ROOT, module)).map(nameOf));
  const others = await mutantsOf(ROOT, module, true);
  t.ok(others.length > first.size);
  t.strictSame(
    others.filter((mutant) => mutant.was === mutant.becomes || first.has(nameOf(mutant))),
    [],
  );
});
