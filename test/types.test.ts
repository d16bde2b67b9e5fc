/** Type checks and linting of sources, workers, tests, benchmarks and the dashboard, in parallel with the tests. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const run = async (script: string) => {
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const checker = spawn('npm', ['run', '--silent', script], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const [found, [code]] = await Promise.all([text(checker.stdout), once(checker, 'close')]);
  return { code, found };
};

t.test('every file type-checks', async (t) => {
  t.strictSame(await run('typecheck:all'), { code: 0, found: '' });
});

t.test('every file is formatted and passes the linter', async (t) => {
  const { code, found } = await run('lint');
  t.equal(code, 0, found);
});
