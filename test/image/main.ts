/**
 * `npm run test:image` builds and tests the image without Docker and its registry, as root on Debian. The base is a
 * Debian of `debootstrap` with a Node of this machine; `buildah` runs the steps of the Dockerfile.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { imageEnv, ROOT } from '../deploy/dockerfile.ts';
import { checkWholeService } from '../deploy/whole-service.ts';
import { startGateway } from '../servers/gateway-process.ts';
import { ADMIN_TOKEN } from '../support/app/app.ts';
import { commandLine } from '../support/command.ts';
import { makeBase } from './base.ts';
import { containerCommand, firstProcess } from './container.ts';

commandLine({
  name: 'npm run test:image',
  about:
    'Builds the image from the Dockerfile without Docker and its registry, and tests it. It takes some minutes and runs as root on Debian. It needs the packages buildah and debootstrap.',
  options: {},
  examples: [['', 'builds the image, tries it and removes it']],
});

/** The size that docs/operations/compose.md promises. */
const IMAGE_MAX_MB = 260;

const missing = ['buildah', 'debootstrap'].filter(
  (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0,
);
if (missing.length > 0 || process.getuid?.() !== 0) {
  console.error(
    'This must run as root on Debian, after: apt-get install --no-install-recommends buildah debootstrap',
  );
  process.exit(1);
}

const home = mkdtempSync(join(tmpdir(), 'tessera-image-'));
const storage = ['--storage-driver', 'vfs', '--root', join(home, 'root'), '--runroot', join(home, 'run')];

/** Runs Buildah with its own store and returns its output. */
const buildah = (...args: readonly string[]): string =>
  execFileSync('buildah', [...storage, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1e9,
  }).trim();

t.teardown(() => {
  buildah('umount', '--all');
  rmSync(home, { recursive: true, force: true });
});

const started = performance.now();
const base = makeBase(home, buildah);
const basedAt = performance.now();
buildah(
  'build',
  '--isolation',
  'chroot',
  '--format',
  'docker',
  '--build-arg',
  `NODE_IMAGE=${base}`,
  '--tag',
  'tessera',
  '.',
);
const builtAt = performance.now();
t.comment(
  `base ${Math.round((basedAt - started) / 1000)} s, build ${Math.round((builtAt - basedAt) / 1000)} s`,
);
const root = buildah('mount', buildah('from', 'tessera'));

t.test('the image is small, without shell or package manager, and says how to run it', async (t) => {
  const bytes = Number(
    execFileSync('du', ['-s', '--block-size=1', '--apparent-size', root], { encoding: 'utf8' }).split(
      '\t',
    )[0],
  );
  t.comment(`${Math.round(bytes / 1e6)} MB`);
  t.ok(bytes < IMAGE_MAX_MB * 1e6);
  const { Docker } = JSON.parse(buildah('inspect', '--type', 'image', 'tessera'));
  t.match(Docker.config, { User: 'node', Entrypoint: ['tini', '--'], Volumes: { '/data': {} } });
  t.match(Docker.config.Healthcheck.Test, ['CMD', 'node']);
  const unwanted = [
    '-name',
    'npm',
    '-o',
    '-name',
    'sh',
    '-o',
    '-name',
    'apt-get',
    '-o',
    '-path',
    '*/node_modules/*.map',
  ];
  t.ok(existsSync(join(root, 'app/dist/src/server.js.map')), 'stack traces name the source files');
  t.equal(execFileSync('find', [root, ...unwanted], { encoding: 'utf8' }), '');
});

t.test('a container with a read-only root runs the whole service, and exits on SIGTERM', async (t) => {
  const env = { ...imageEnv, ADMIN_TOKEN, RATE_LIMIT_PER_SECOND: '0' };
  const gateway = await startGateway(t, env, { command: containerCommand(root) });
  const { pid, name, uid } = firstProcess(gateway.process.pid!);
  t.strictSame({ name, uid }, { name: 'tini', uid: 1000 });
  await checkWholeService(t, { url: gateway.url, adminToken: ADMIN_TOKEN });
  process.kill(pid, 'SIGTERM');
  t.equal(await gateway.ended, 0);
});
