/** The image: the Dockerfile copies existing files, and the service works with the pruned packages. */
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { filesOf } from '../../deploy/image/prune.mjs';
import { startGateway } from '../servers/gateway-process.ts';
import { startRedis } from '../servers/redis.ts';
import { startS3 } from '../servers/s3.ts';
import { temporaryFolder } from '../servers/temporary-folder.ts';
import { ADMIN_TOKEN } from '../support/app/app.ts';
import { realDatabaseUrl } from '../support/database/database.ts';
import { dockerfile, imageCommand, instructions, ROOT } from './dockerfile.ts';
import { packages } from './packages.ts';
import { unitCommand, unitEnv } from './unit.ts';
import { checkWholeService } from './whole-service.ts';

const run = promisify(execFile);
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Project files that the files of a folder import. */
const importsOf = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file))
    .flatMap((path) =>
      [...read(path).matchAll(/(?:from|import) '(\.[^']+)'/g)].map(([, to = '']) => join(dirname(path), to)),
    );

t.test('the Dockerfile', async (t) => {
  const { scripts, engines } = JSON.parse(read('package.json'));
  const built = ['package.json', 'node_modules', 'dist'];
  const ignored = read('.dockerignore').split('\n');
  const copies = instructions('COPY').map((line) => line.split(/ +/));
  const copied = copies.filter(([first]) => !first!.startsWith('--')).flatMap((words) => words.slice(0, -1));

  t.test('copies only existing files, including everything that the build imports', async (t) => {
    for (const source of copied) t.ok(existsSync(join(ROOT, source)) && !ignored.includes(source), source);
    for (const [from, ...words] of copies.filter(([first]) => first === '--from=build')) {
      for (const path of words.slice(0, -1))
        t.ok(built.includes(path.replace('/app/', '')), `${from} ${path}`);
    }
    const isCopied = (path: string) =>
      copied.some((source) => path === source || path.startsWith(`${source}/`));
    for (const [source = ''] of scripts['build:copies'].matchAll(/(?<=cp -R )[^/ ]+/g))
      t.ok(isCopied(source), source);
    const folders: string[] = JSON.parse(read('tsconfig.build.json')).include;
    for (const folder of folders) t.ok(isCopied(folder), folder);
    for (const path of folders.flatMap(importsOf)) if (!isCopied(path)) t.fail(`${path} is imported`);
  });

  t.test('builds and starts like package.json, on a version of Node that it allows', async (t) => {
    const lines = dockerfile.join('\n');
    for (const [, script = ''] of lines.matchAll(/npm run (\w+)/g)) t.ok(script in scripts, script);
    t.ok(instructions('RUN').includes('npm ci'));
    t.ok(scripts.start.endsWith(imageCommand.join(' ')), imageCommand.join(' '));
    const [base = ''] = instructions('ARG');
    t.match(base, /^NODE_IMAGE=node:\d+\.\d+\.\d+-[a-z-]+@sha256:[0-9a-f]{64}$/);
    t.ok(Number(/:(\d+)/.exec(base)![1]) >= Number(/\d+/.exec(engines.node)![0]), base);
    t.match(instructions('FROM'), [/^\$\{NODE_IMAGE\} AS build$/, /^\$\{NODE_IMAGE\} AS system$/, 'scratch']);
  });

  t.test('runs the service as a user other than root, under an init, with a data folder', async (t) => {
    t.strictSame(instructions('USER'), ['node']);
    t.strictSame(instructions('ENTRYPOINT'), ['["tini", "--"]']);
    t.strictSame(instructions('VOLUME'), ['/data']);
    t.match(instructions('HEALTHCHECK'), [/\/readyz/]);
  });
});

const made = new Set<string>();

/** Puts a file elsewhere, as a hard link if possible, to avoid copying thousands of files. */
const place = (from: string, to: string): void => {
  const folder = dirname(to);
  if (!made.has(folder)) mkdirSync(folder, { recursive: true });
  made.add(folder);
  try {
    linkSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    copyFileSync(from, to);
  }
};

t.test('the service of the image works with the pruned packages and the systemd command', async (t) => {
  const app = await temporaryFolder(t);
  const parts = ['src', 'workers', 'clients/typescript', 'sql', 'dashboard'].map((part) =>
    join(ROOT, 'dist', part),
  );
  const built = parts.flatMap((part) => filesOf(part).map((path) => join(part, path)));
  const kept = packages.flatMap((one) => one.kept.map((path) => join(one.folder, path)));
  for (const path of [join(ROOT, 'package.json'), ...built, ...kept])
    place(path, join(app, relative(ROOT, path)));

  const s3 = await startS3(t);
  const secrets = {
    DATABASE_URL: await realDatabaseUrl(),
    REDIS_URL: (await startRedis(t)).url,
    ADMIN_TOKEN,
  };
  const folders = { state: await temporaryFolder(t), credentials: await temporaryFolder(t) };
  for (const [name, value] of Object.entries(secrets))
    await writeFile(join(folders.credentials, name), `${value}\n`);
  const env = { ...unitEnv(folders), ...s3.env, RATE_LIMIT_PER_SECOND: '0' };
  const command = [process.execPath, ...unitCommand.slice(1)] as const;
  const gateway = await startGateway(t, env, { command, cwd: app });
  await checkWholeService(t, { url: gateway.url, adminToken: ADMIN_TOKEN });

  t.test('runs the command line', async (t) => {
    const command = [
      'dist/src/cli/main.js',
      'accounts',
      'list',
      '--url',
      gateway.url,
      '--token',
      ADMIN_TOKEN,
    ];
    const { stdout } = await run(process.execPath, command, { cwd: app });
    t.match(stdout, /whole service/);
  });

  t.test('exits on SIGTERM', async (t) => {
    gateway.process.kill('SIGTERM');
    t.equal(await gateway.ended, 0);
  });
});
