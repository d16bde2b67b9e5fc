/** Every file under deploy/ is covered by a test. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import t from 'tap';
import { ROOT } from './dockerfile.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

t.test('every file under deploy/ is named in a test, or in a file that a test reads', async (t) => {
  const files = readdirSync(join(ROOT, 'deploy'), { recursive: true, encoding: 'utf8' })
    .map((path) => join('deploy', path))
    .filter((path) => statSync(join(ROOT, path)).isFile())
    // What operators write there is not the project's.
    .filter((path) => !path.includes('/secrets/') || path.endsWith('.gitignore'));
  t.ok(files.length > 10);
  const tests = readdirSync(join(ROOT, 'test/deploy'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  );
  const readers = [
    ...tests.map((path) => `test/deploy/${path}`),
    'deploy/kubernetes/kustomization.yaml',
    'Dockerfile',
  ];
  const texts = readers.map(read);
  for (const file of files) {
    const name = basename(file).replace('.d.mts', '.mjs');
    t.ok(
      texts.some((text) => text.includes(name)),
      file,
    );
  }
});
