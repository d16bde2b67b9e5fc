/** The targets of the drill: a world, a supervisor of two processes, a render pool that can hang, and a small disk. */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { Registry } from 'prom-client';
import { openScanStream } from '../../../src/clickhouse/stream/stream.ts';
import { freeBytes } from '../../../src/db/embedded/folder.ts';
import { registerScanStream } from '../../../src/metrics/jobs.ts';
import { registerProcess, registerReplica } from '../../../src/metrics/process.ts';
import { registerRendering } from '../../../src/metrics/rendering.ts';
import { createRenderPool } from '../../../src/render/pool.ts';
import type { Stores } from '../../faults/stack.ts';
import { request } from '../../render/requests.ts';
import { type GatewayProcess, startGateway } from '../../servers/gateway-process.ts';
import type { TestPostgres } from '../../servers/postgres/postgres.ts';
import { sameDatabaseOn, startReplica } from '../../servers/postgres/replica.ts';
import { freePort, type TestScope } from '../../servers/server-process.ts';
import { temporaryFolder } from '../../servers/temporary-folder.ts';
import { ADMIN_TOKEN, type Answer } from '../../support/app/app.ts';
import { openFor } from '../../support/database/database.ts';
import { silent } from '../../support/silent-log.ts';
import { serveRegistry, startWorld, type World } from '../world.ts';

/** Lifetime of reservations in the world's gateway: short, so that an outage of Redis soon outlasts it. */
const TTL_MS = 5000;
/** Lifetime in the supervisor's processes: far longer than it takes to send the calls that are then lost. */
const LONG_TTL_MS = 30_000;
/** Two minutes become four seconds: on a busy machine some scrapes fail, and a window needs two that succeed. */
const FASTER = 30;
/** A little more free space than the threshold of the alert. */
const DISK = '2100M';

export interface Scene extends World {
  /** A supervisor of two processes on the same stores. */
  readonly processes: GatewayProcess;
  /** Connected directly to the server, bypassing the proxy. */
  readonly redis: Redis;
  /** Sends a single call to the world's gateway. */
  single(body: object): Promise<Answer>;
  /** Makes a picture hang the thread of a pool that Prometheus scrapes. Returns a function that releases the thread. */
  hangThread(): () => void;
  /** A replica of Postgres, whose lag Prometheus scrapes. */
  readonly replica: TestPostgres;
  /** A folder on a disk with 2.2 GB free, whose metrics Prometheus scrapes. */
  readonly disk: string;
}

/** Returns a folder on a disk of its own. Only processes in this one's mount namespace see the disk. */
const mountDisk = async (scope: TestScope): Promise<string> => {
  const folder = await temporaryFolder(scope);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', folder]);
  scope.teardown(() => void execFileSync('umount', [folder]));
  return folder;
};

/** Starts a pool with its metrics, and returns a function that hangs one of its threads. */
const startPool = async (scope: TestScope, registry: Registry): Promise<Scene['hangThread']> => {
  const pipe = join(await temporaryFolder(scope), 'pipe');
  execFileSync('mkfifo', [pipe]);
  const pool = createRenderPool(
    {
      ...{ threads: 2, queueMax: 10, queueMaxBytes: 1e9, hangLimitMs: 3000, onStuck: () => {} },
      workerUrl: new URL('../../render/fake-worker.ts', import.meta.url),
    },
    { error: () => {} },
  );
  // The other end of the pipe.
  const letGo = () => closeSync(openSync(pipe, 'r+'));
  scope.teardown(async () => {
    letGo();
    await pool.close({ timeoutMs: 0 });
  });
  registerRendering(registry, pool.stats);
  return () => {
    void pool.render(request([`read ${pipe}`])).catch(() => {});
    return letGo;
  };
};

const startProcesses = async (scope: TestScope, { env }: Stores, store: string): Promise<GatewayProcess> =>
  startGateway(scope, {
    ...env,
    ADMIN_TOKEN,
    PORT: String(await freePort()),
    GATEWAYS: '2',
    METRICS_PUBLIC: 'true',
    BATCH_STORE: store,
    BATCH_WORKERS: '0',
    RATE_LIMIT_PER_SECOND: '0',
    QUOTA_RESERVATION_TTL_MS: String(LONG_TTL_MS),
    // Calls with a logo that never arrives stay open until then.
    LOGO_ALLOW_PRIVATE_NETWORKS: 'true',
    LOGO_FETCH_TIMEOUT_MS: '60000',
    LOG_LEVEL: 'error',
  });

/** Starts a replica, and registers how far it is behind. */
const watchReplica = async (
  scope: TestScope,
  { postgres, env }: Stores,
  registry: Registry,
): Promise<TestPostgres> => {
  const replica = await startReplica(scope, postgres);
  const url = sameDatabaseOn(postgres, env.DATABASE_URL!);
  const readUrl = sameDatabaseOn(replica, url);
  const database = await openFor(scope, { url, readUrl, dataDir: '' });
  registerReplica(registry, database.replica!.stats);
  return replica;
};

/** Watches the scans that wait in Redis, as a gateway with ClickHouse does. */
const watchStream = (scope: TestScope, { redis }: Stores, registry: Registry): void => {
  const stream = openScanStream(redis.url, 1e6, silent);
  const timer = setInterval(() => void stream.look().catch(() => {}), 1000);
  scope.teardown(() => {
    clearInterval(timer);
    return stream.close();
  });
  registerScanStream(registry, stream.stats);
};

/** Starts all of it, and a Prometheus that scrapes it. */
export const startScene = async (scope: TestScope): Promise<Scene> => {
  const rendering = new Registry();
  const hangThread = await startPool(scope, rendering);
  const space = new Registry();
  const disk = await mountDisk(scope);
  registerProcess(space, {}, () => freeBytes(disk));

  const lag = new Registry();
  const waiting = new Registry();

  let processes: GatewayProcess | undefined;
  let replica: TestPostgres | undefined;
  const world = await startWorld(
    scope,
    { RENDER_QUEUE_MAX: '20', BATCH_WORKERS: '1', QUOTA_RESERVATION_TTL_MS: String(TTL_MS) },
    async (stores, store) => {
      processes = await startProcesses(scope, stores, store);
      replica = await watchReplica(scope, stores, lag);
      watchStream(scope, stores, waiting);
      return {
        threads: await serveRegistry(scope, rendering),
        disk: await serveRegistry(scope, space),
        replica: await serveRegistry(scope, lag),
        stream: await serveRegistry(scope, waiting),
        processes: new URL(processes.url).host,
      };
    },
    FASTER,
  );
  const redis = new Redis(world.stores.redis.url);
  scope.teardown(() => redis.disconnect());
  const { app, key } = world;
  return {
    ...world,
    ...{ processes: processes!, replica: replica!, redis, hangThread, disk },
    single: (body) => app.call({ method: 'POST', url: '/api/v1/qr', key, body }),
  };
};

/** A fault that alerts must detect. */
export interface Fault {
  /** The fault, in the words of the table in docs/operations/failures.md. */
  readonly what: string;
  readonly alerts: readonly string[];
  /** Causes it, and returns a function that ends it. */
  make(scene: Scene): Promise<() => unknown>;
}
