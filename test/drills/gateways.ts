/** Gateways as separate processes, for the drills. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Server, startNodeServer } from '../servers/node-server.ts';
import type { Scope } from '../servers/scope.ts';
import { OWN_BUILD } from '../servers/testbed.ts';

/** Random, as in a real installation. */
export const ADMIN_TOKEN = randomBytes(24).toString('hex');

export interface Stores {
  readonly DATABASE_URL: string;
  readonly REDIS_URL: string;
}

/** The environment of the gateways. */
export const environment = (folder: string, stores: Stores): Readonly<Record<string, string>> => ({
  ...stores,
  DATA_DIR: folder,
  BATCH_STORE: join(folder, 'batches'),
  PUBLIC_URL: 'https://qr.example.com',
  TRUST_PROXY: '10.0.0.0/8',
  ADMIN_TOKEN,
});

/** @param build Folder of the build: this one, or that of another version. */
export const startGateway = (
  scope: Scope,
  folder: string,
  stores: Stores,
  more: Readonly<Record<string, string>> = {},
  build = OWN_BUILD,
): Promise<Server> =>
  startNodeServer(scope, folder, {
    name: 'drill',
    script: join(build, 'src/server.js'),
    readyPath: '/readyz',
    flags: ['--enable-source-maps', '--max-semi-space-size=16'],
    env: {
      ...environment(folder, stores),
      RATE_LIMIT_PER_SECOND: '0',
      RENDER_THREADS: '1',
      SHUTDOWN_GRACE_MS: '0',
      LOG_LEVEL: 'warn',
      ...more,
    },
  });
