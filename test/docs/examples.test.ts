/** Every example in the README and the pages runs unchanged and gives the output shown. */
import { execFile } from 'node:child_process';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { PNG } from 'pngjs';
import t from 'tap';
import { demoKeyIn, startGateway } from '../servers/gateway-process.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { embeddedFolder } from '../support/database/database.ts';
import { decodePng } from '../support/pictures/decode.ts';
import { type Block, blocksOf, ROOT, readPage, USER_PAGES } from './pages.ts';

const run = promisify(execFile);

/** Examples that cannot run here: the start of each block, and the test that covers it instead. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'npm ci && npm start': 'test/process.test.ts',
  'npm ci && npm test': 'the run that this test is part of',
  'export ADMIN_TOKEN=$(openssl rand -hex 24) POSTGRES_PASSWORD': 'test/compose.test.ts',
  'GATEWAYS=auto DATABASE_URL=': 'test/supervisor/gateways.test.ts',
  'docker compose exec gateway': 'test/compose.test.ts',
  'export PORT=443': 'test/compose.test.ts',
  'docker compose up --detach --no-recreate': 'test/compose.test.ts',
  'old=$(docker compose ps': 'test/compose.test.ts',
  'npm install http://127.0.0.1:3000/clients/':
    'test/clients/typescript/packed.test.ts, test/clients/python.test.ts',
  'docker build --tag': 'test/deploy/kubernetes/kubernetes.test.ts',
  'cd /opt/tessera': 'test/deploy/systemd.test.ts',
};

const folder = await temporaryFolder(t);
await rename(await embeddedFolder(t), join(folder, 'data'));
const gateway = await startGateway(t, { DATA_DIR: join(folder, 'data') });
const key = await demoKeyIn(join(folder, 'data'));

t.test('the stand-in for npm in the examples runs the same command as package.json', async (t) => {
  const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
  t.equal(scripts.tessera, 'node --enable-source-maps dist/src/cli/main.js');
});

/** One shell for all blocks of a page, so that variables exported by one block are set in the next. */
const openShell = async (page: string) => {
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, TESSERA_KEY: key, TESSERA_URL: gateway.url };
  // Readers run the examples in the project folder, but here they must not write into it.
  const npmHere = `npm() { test "$1 $2 $3 $4" = 'run --silent tessera --' && shift 4 && (export INIT_CWD="$PWD" npm_lifecycle_event=tessera; cd '${ROOT}' && node dist/src/cli/main.js "$@"); }\n`;
  const exported = join(folder, `exported-${page.replaceAll('/', '-')}`);
  await writeFile(exported, '');
  return async (script: string): Promise<string> => {
    const whole = `. '${exported}'\n${npmHere}${script}\nexport -p >'${exported}'\n`;
    const options = { cwd: folder, env, maxBuffer: 1e8 };
    return (await run('bash', ['-euo', 'pipefail', '-c', whole], options)).stdout;
  };
};

/** Whether the block shows the output of the one before it. */
const isAnswer = (block: Block | undefined): boolean =>
  block?.language === 'json' && block.before.trim() === '';

const notRun = new Set(Object.keys(NOT_RUN));

for (const page of USER_PAGES) {
  const blocks = blocksOf(readPage(page));
  if (!blocks.some(({ language }) => language === 'sh')) continue;

  t.test(`the examples of ${page} run unchanged`, async (t) => {
    const shell = await openShell(page);
    const csv = blocks.find(({ language }) => language === 'csv');
    if (csv !== undefined) await writeFile(join(folder, 'codes.csv'), csv.text);
    let printed = '';
    for (const [index, { language, text }] of blocks.entries()) {
      if (language !== 'sh') continue;
      const reason = Object.keys(NOT_RUN).find((beginning) => text.startsWith(beginning));
      if (reason !== undefined) {
        notRun.delete(reason);
        continue;
      }
      const script = text
        .replaceAll('http://127.0.0.1:3000', gateway.url)
        .replaceAll('tsr_your_key_as_printed', key)
        .replaceAll('id_as_printed', () => /^id +(\S+)$/m.exec(printed)![1]!);
      const stdout = await shell(script);
      printed += stdout;
      t.pass(text);
      const next = blocks[index + 1];
      if (stdout.startsWith('{')) t.notOk('error' in JSON.parse(stdout), stdout.slice(0, 300));
      if (isAnswer(next)) t.strictSame(shapeOf(JSON.parse(stdout)), shapeOf(JSON.parse(next!.text)), text);
    }
  });
}

t.test('every example that does not run is listed', async (t) => {
  t.strictSame([...notRun], [], 'each listed example is still on a page');
});

t.test('the examples make the promised pictures and files', async (t) => {
  const made = await readFile(join(folder, 'code.png'));
  t.ok(isSamePicture(made, await readFile(join(ROOT, 'docs/images/first-code.png'))));
  t.equal(await decodePng(made), 'https://example.com/');
  t.equal(await decodePng(await readFile(join(folder, 'codes/table-1.png'))), 'Table 1');
  t.match(await readFile(join(folder, 'metrics.txt'), 'utf8'), /^tessera_http_requests_total/m);
});

t.test('each design in the docs makes the picture beside it, and the picture scans', async (t) => {
  const page = 'docs/design.md';
  const designs = blocksOf(readPage(page)).filter(({ language }) => language === 'json');
  t.ok(designs.length >= 5);
  for (const { text, before } of designs) {
    const file = /!\[[^\]]+\]\(([^)]+)\)\s*$/.exec(before)![1]!;
    const shown = await readFile(join(ROOT, dirname(page), file));
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await fetch(`${gateway.url}/api/v1/qr`, { method: 'POST', headers, body: text });
    const { data } = (await answer.json()) as { data: string };
    t.ok(isSamePicture(Buffer.from(data.split(',')[1]!, 'base64'), shown), file);
    // A circle has one module of quiet zone.
    t.equal(answer.headers.get('tessera-grade'), JSON.parse(text).shape === 'circle' ? '3' : '4', file);
    t.equal(await decodePng(shown), JSON.parse(text).data, file);
  }
});

t.test('the designs of the README have grade 4', async (t) => {
  const bodies = blocksOf(readPage('README.md')).flatMap(({ text }) => {
    const [, path, body] = /(\/api\/v1\/qr(?:\/bulk)?) .*-d '([^']+)'/s.exec(text) ?? [];
    return path === undefined ? [] : [{ path, body: body! }];
  });
  t.equal(bodies.length, 2);
  for (const { path, body } of bodies) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const answer = await fetch(`${gateway.url}${path}`, { method: 'POST', headers, body });
    t.equal(answer.headers.get('tessera-grade'), '4', body);
  }
});

/** Whether two PNGs have the same pixels, however they are compressed. */
function isSamePicture(one: Buffer, other: Buffer): boolean {
  const [a, b] = [PNG.sync.read(one), PNG.sync.read(other)];
  return a.width === b.width && a.data.equals(b.data);
}

/** The names and types of a JSON value, without its values. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
}
