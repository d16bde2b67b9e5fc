/** The types of sources, workers, tests, benchmarks and the dashboard. A file like any other, so it runs beside them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import t from 'tap';

t.test('every file type-checks', async (t) => {
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const checker = spawn('npm', ['run', '--silent', 'typecheck:all'], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [found, [code]] = await Promise.all([text(checker.stdout), once(checker, 'close')]);
  t.equal(found, '');
  t.equal(code, 0);
});
