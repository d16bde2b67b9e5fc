/** Starts what benchmarks measure: Redis, Postgres, gateways from the build, a bare route and the hand-written peer. */
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
import { until } from './until.ts';

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

/** Starts a gateway on an embedded database. @param options.build Folder of another build. */
export const startServer = (
  scope: Scope,
  { folder }: Pick<Backends, 'folder'>,
  options: {
    readonly name: string;
    readonly env?: Env;
    readonly build?: string;
    readonly flags?: readonly string[];
  },
): Promise<Server> => {
  const { name, env, build = OWN_BUILD, flags = [] } = options;
  return startNodeServer(scope, folder, {
    name,
    script: join(build, 'src/server.js'),
    readyPath: '/readyz',
    env: { ...GATEWAY_ENV, DATA_DIR: folder, ...env },
    flags: ['--enable-source-maps', '--max-semi-space-size=16', ...flags],
  });
};

/** How to start a gateway on the stores. */
export interface GatewayOptions {
  readonly database: string;
  readonly env?: Env;
  readonly build?: string;
  readonly flags?: readonly string[];
}

/** Starts a gateway, on a new database unless `env` names one. @param options.build Folder of another build. */
export const startGateway = async (
  scope: Scope,
  backends: Backends,
  { database, env = {}, ...options }: GatewayOptions,
): Promise<Server> => {
  const DATABASE_URL = env.DATABASE_URL ?? (await backends.postgres.createDatabase(database));
  return startServer(scope, backends, { ...options, name: database, env: { ...env, DATABASE_URL } });
};

/** Starts the bare route. */
export const startBare = (scope: Scope, { folder }: Backends): Promise<Server> =>
  startNodeServer(scope, folder, {
    name: 'bare',
    script: join(OWN_BUILD, 'test/servers/bare.js'),
    readyPath: '/',
  });

/** Starts the hand-written peer. */
export const startPeer = (scope: Scope, { folder }: Backends): Promise<Server> =>
  startNodeServer(scope, folder, {
    name: 'peer',
    script: join(OWN_BUILD, 'test/servers/peer.js'),
    readyPath: '/',
  });

/** A gateway with its stores, and an account on it for loads. */
export interface Target {
  readonly backends: Backends;
  readonly gateway: Server;
  readonly aim: Aim;
}

/** What loads need: a unique name, and what their recipes need; short links by default. */
interface LoadOptions {
  readonly run: string;
  readonly needs?: readonly Need[] | undefined;
}

/** Starts a gateway, and makes accounts with what loads need. */
export const startTarget = async (
  scope: Scope,
  backends: Backends,
  { run, needs, ...options }: GatewayOptions & LoadOptions,
): Promise<Target> => {
  const gateway = await startGateway(scope, backends, options);
  return { backends, gateway, aim: await createOwnAim(gateway.url, ADMIN_TOKEN, run, needs) };
};

/** Lets an account make any number of calls that cost no units, where nobody else is to be protected. */
export const UNBOUNDED = { FREE_WORK_MS_PER_SECOND: '0' } as const;

/** Starts stores and a gateway with a ledger on Redis. @param options.env Added to the environment of the gateway. */
export const startTestbed = async (
  scope: Scope,
  { env, ...options }: LoadOptions & { readonly env?: Env },
): Promise<Target> => {
  const backends = await startBackends(scope);
  const all = { REDIS_URL: backends.redis.url, ...UNBOUNDED, ...env };
  return startTarget(scope, backends, { ...options, database: 'bench', env: all });
};

/** Resolves when all processes of a gateway serve, each with one render thread. */
export const allServe = async (url: string, processes: number): Promise<void> => {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const wanted = new RegExp(`^tessera_render_threads ${processes}$`, 'm');
  await until(async () => wanted.test(await (await fetch(`${url}/metrics`, { headers })).text()), {
    deadlineMs: 120_000,
    pauseMs: 200,
  });
};
