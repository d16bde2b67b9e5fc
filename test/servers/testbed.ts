/** The testbed on this machine: Redis, Postgres, a gateway from the build, a bare route and the hand-written peer. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Aim, Need } from '../../bench/load/aim.ts';
import { createOwnAim } from './account.ts';
import { type Server, startNodeServer } from './node-server.ts';
import { type BenchPostgres, startPostgres } from './postgres/bench-postgres.ts';
import { startRedis } from './redis.ts';
import type { Scope } from './scope.ts';

/** The admin token of every gateway that is started here. */
export const ADMIN_TOKEN = 'an-admin-token-for-benchmarks';

/** The build that this file is part of. */
export const OWN_BUILD = fileURLToPath(new URL('../..', import.meta.url));

/** The settings of the gateway for benchmarks. All others have their defaults. */
export const GATEWAY_ENV = {
  RATE_LIMIT_PER_SECOND: '0',
  RESOLVER: 'on',
  LOG_LEVEL: 'warn',
  SHUTDOWN_GRACE_MS: '0',
  ADMIN_TOKEN,
} as const;

type Env = Readonly<Record<string, string>>;

/** The stores of gateways: a data folder, Redis and Postgres. */
export interface Backends {
  readonly folder: string;
  readonly redis: { readonly url: string; readonly pid: number };
  readonly postgres: BenchPostgres;
}

/** Starts Redis and Postgres, both empty. @param settings Of Postgres, besides those of all benchmarks. */
export const startBackends = async (scope: Scope, settings: readonly string[] = []): Promise<Backends> => {
  const folder = await mkdtemp(join(tmpdir(), 'tessera-bench-'));
  scope.teardown(() => rm(folder, { recursive: true, force: true }));
  // Postgres runs as another user, who must have access to its folder.
  await chmod(folder, 0o755);
  return {
    folder,
    redis: await startRedis(scope, { args: [] }),
    postgres: await startPostgres(scope, folder, settings),
  };
};

/** Starts a gateway, on a new database unless `env` names one. @param options.build Folder of another build. */
export const startGateway = async (
  scope: Scope,
  { folder, postgres }: Backends,
  options: {
    readonly database: string;
    readonly env?: Env;
    readonly build?: string;
    readonly flags?: readonly string[];
  },
): Promise<Server> => {
  const { database, env = {}, build = OWN_BUILD, flags = [] } = options;
  const DATABASE_URL = env.DATABASE_URL ?? (await postgres.createDatabase(database));
  return startNodeServer(scope, folder, {
    name: database,
    script: join(build, 'src/server.js'),
    readyPath: '/readyz',
    env: { ...GATEWAY_ENV, DATABASE_URL, DATA_DIR: folder, ...env },
    flags: ['--enable-source-maps', '--max-semi-space-size=16', ...flags],
  });
};

/** Starts the bare route. @param build Folder of another build. */
export const startBare = (scope: Scope, { folder }: Backends, build = OWN_BUILD): Promise<Server> =>
  startNodeServer(scope, folder, {
    name: 'bare',
    script: join(build, 'test/servers/bare.js'),
    readyPath: '/',
  });

/** Starts the hand-written peer. */
export const startPeer = (scope: Scope, { folder }: Backends): Promise<Server> =>
  startNodeServer(scope, folder, {
    name: 'peer',
    script: join(OWN_BUILD, 'test/servers/peer.js'),
    readyPath: '/',
  });

/** All servers of a benchmark, and the targets of its loads. */
export interface Testbed {
  readonly backends: Backends;
  readonly gateway: Server;
  readonly bare: Server;
  readonly peer: Server;
  readonly aim: Aim;
}

/**
 * Starts all servers of a benchmark.
 *
 * @param options.run A unique name of the run.
 * @param options.env Added to the environment of the gateway.
 * @param options.needs What the recipes of the loads need; short links by default.
 */
export const startTestbed = async (
  scope: Scope,
  options: { readonly run: string; readonly env?: Env; readonly needs?: readonly Need[] },
): Promise<Testbed> => {
  const backends = await startBackends(scope);
  const env = { REDIS_URL: backends.redis.url, ...options.env };
  const gateway = await startGateway(scope, backends, { database: 'bench', env });
  return {
    backends,
    gateway,
    bare: await startBare(scope, backends),
    peer: await startPeer(scope, backends),
    aim: await createOwnAim(gateway.url, ADMIN_TOKEN, options.run, options.needs),
  };
};
