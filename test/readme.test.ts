/** The README says what the code does: its tables are the code's, its examples run. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { VARIABLES } from '../src/config.ts';
import { errorTable } from '../src/errors.ts';
import { decodePng } from './support/decode.ts';
import { startGateway } from './support/gateway-process.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
const run = promisify(execFile);

const section = (name: string): string =>
  new RegExp(`<!-- ${name} -->\n([\\s\\S]*?)\n?<!-- /${name} -->`).exec(readme)?.[1]?.trim() ?? '';

t.test('the table of errors is that of the code', async (t) => {
  const rows = errorTable().map(({ status, error, when }) => `| ${status} | \`${error}\` | ${when} |`);
  t.equal(section('errors'), ['| Status | `error` | When |', '|---|---|---|', ...rows].join('\n'));
});

t.test('the table of the environment is that of the code', async (t) => {
  const rows = Object.entries(VARIABLES).map(([name, { fallback, meaning }]) => {
    // The number of cores of this machine is no default to document.
    const shown = fallback === null || name === 'RENDER_THREADS' ? '–' : `\`${fallback}\``;
    return `| \`${name}\` | ${shown} | ${meaning} |`;
  });
  t.equal(section('environment'), ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n'));
});

t.test('every file and folder that the map of the project names is there', async (t) => {
  const { stdout } = await run('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
  });
  const files = stdout.split('\n');
  for (const map of ['docs/architecture.md', 'CONTRIBUTING.md']) {
    const text = await readFile(join(ROOT, map), 'utf8');
    const named = [...text.matchAll(/`((?:src|workers|sql|bench|test)\/[\w./-]*)`/g)].map(
      (match) => match[1]!,
    );
    t.ok(named.length > 10, map);
    for (const path of named)
      t.ok(
        files.some((file) => file === path || file.startsWith(path)),
        `${map}: ${path}`,
      );
  }
});

t.test('every example runs as it stands', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-readme-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const gateway = await startGateway(t, { DATA_DIR: join(folder, 'data') });
  const key = /tsr_[0-9A-Za-z]{38}/.exec(gateway.output())![0];
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, TESSERA_KEY: key, TESSERA_URL: gateway.url };
  // The reader stands in the project's folder; what the examples write shall not lie there.
  const npmHere = `npm() { command npm --prefix '${ROOT}' "$@"; }\n`;
  // One shell runs all of them: what an example exports, the next ones have.
  const exported = join(folder, 'exported');
  await writeFile(exported, '');
  const inOneShell = (script: string): string =>
    `. '${exported}'\n${npmHere}${script}\nexport -p >'${exported}'\n`;
  const shell = async (script: string): Promise<string> => {
    const options = { cwd: folder, env, maxBuffer: 1e8 };
    return (await run('bash', ['-euo', 'pipefail', '-c', inOneShell(script)], options)).stdout;
  };

  const blocks = [...readme.matchAll(/```sh\n([\s\S]*?)```(?:\n+```json\n([\s\S]*?)```)?/g)];
  const requests = blocks.filter(([, script]) => script!.includes('curl'));
  t.equal(requests.length, 6);
  for (const [, script, shown] of requests) {
    const stdout = await shell(script!.replaceAll('http://127.0.0.1:3000', gateway.url));
    if (stdout === '') continue;
    const answer = JSON.parse(stdout);
    t.notOk('error' in answer, stdout.slice(0, 300));
    if (shown !== undefined) t.strictSame(shapeOf(answer), shapeOf(JSON.parse(shown)), script!);
  }
  t.equal(await decodePng(await readFile(join(folder, 'code.png'))), 'https://example.com/');

  const commands = blocks.flatMap(([, script]) => (script!.includes('tessera --') ? [script!] : []));
  t.equal(commands.length, 3);
  await writeFile(join(folder, 'codes.csv'), /```csv\n([\s\S]*?)```/.exec(readme)![1]!);
  const printed: string[] = [];
  for (const script of commands) {
    const id = /^id +(\S+)$/im.exec(printed.join('\n'))?.[1] ?? '';
    const asPrinted = { tsr_your_key_as_printed: key, id_as_printed: id };
    printed.push(
      await shell(
        script.replace(
          /tsr_your_key_as_printed|id_as_printed/g,
          (name) => asPrinted[name as keyof typeof asPrinted],
        ),
      ),
    );
  }
  t.match(printed[1], /^key +tsr_/m);
  t.equal(await decodePng(await readFile(join(folder, 'codes/table-1.png'))), 'Table 1');
});

t.test('the picture that it shows is the one that its example makes', async (t) => {
  t.equal(await decodePng(await readFile(join(ROOT, 'docs/first-code.png'))), 'https://example.com/');
});

/** The names and types of a JSON value, without its values. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]));
}
