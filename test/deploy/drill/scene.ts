/** What the drill makes its faults on: a world, a supervisor of two processes, a render pool whose thread may hang, a small disk. */
import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { Registry } from 'prom-client';
import { freeBytes } from '../../../src/db/embedded/disk-space.ts';
import { registerProcess } from '../../../src/metrics/process.ts';
import { registerRendering } from '../../../src/metrics/rendering.ts';
import { createRenderPool } from '../../../src/render/pool.ts';
import type { Stores } from '../../faults/stack.ts';
import { request } from '../../render/requests.ts';
import { type GatewayProcess, startGateway } from '../../servers/gateway-process.ts';
import { freePort, type TestScope } from '../../servers/server-process.ts';
import { temporaryFolder } from '../../servers/temporary-folder.ts';
import { ADMIN_TOKEN, type Answer } from '../../support/app/app.ts';
import { serveRegistry, startWorld, type World } from '../world.ts';

/** The life of reservations of the world's gateway: an outage of Redis that is longer comes soon. */
const TTL_MS = 5000;
/** That of the supervisor's processes: far longer than it takes to send the calls that are then lost. */
const LONG_TTL_MS = 30_000;
/** Two minutes are four seconds: on a busy machine some scrapes fail, and a window needs two that do not. */
const FASTER = 30;
/** A little more than the alert asks for. */
const DISK = '2100M';

export interface Scene extends World {
  /** A supervisor of two processes on the same stores. */
  readonly processes: GatewayProcess;
  /** Straight to the server, past the proxy. */
  readonly redis: Redis;
  /** Sends a single call to the world's gateway. */
  single(body: object): Promise<Answer>;
  /** Lets a picture hang the thread of a pool that Prometheus sees. Returns what lets the thread go on. */
  hangThread(): () => void;
  /** A folder on a disk that Prometheus sees, and on which 2.2 GB are free. */
  readonly disk: string;
}

/** Returns a folder on a disk of its own. Only processes in this one's mount namespace see the disk. */
const mountDisk = async (scope: TestScope): Promise<string> => {
  const folder = await temporaryFolder(scope);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', folder]);
  scope.teardown(() => void execFileSync('umount', [folder]));
  return folder;
};

/** Starts a pool with its metrics, and returns what hangs a thread of it. */
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

const startProcesses = async (scope: TestScope, { env }: Stores): Promise<GatewayProcess> =>
  startGateway(scope, {
    ...env,
    ADMIN_TOKEN,
    PORT: String(await freePort()),
    GATEWAYS: '2',
    METRICS_PUBLIC: 'true',
    BATCH_WORKERS: '0',
    RATE_LIMIT_PER_SECOND: '0',
    QUOTA_RESERVATION_TTL_MS: String(LONG_TTL_MS),
    // Calls with a logo that never comes are under way until then.
    LOGO_ALLOW_PRIVATE_NETWORKS: 'true',
    LOGO_FETCH_TIMEOUT_MS: '60000',
    LOG_LEVEL: 'error',
  });

/** Starts all of it, and a Prometheus that scrapes it. */
export const startScene = async (scope: TestScope): Promise<Scene> => {
  const rendering = new Registry();
  const hangThread = await startPool(scope, rendering);
  const space = new Registry();
  const disk = await mountDisk(scope);
  registerProcess(space, {}, () => freeBytes(disk));

  let processes: GatewayProcess | undefined;
  const world = await startWorld(
    scope,
    { RENDER_QUEUE_MAX: '20', BATCH_WORKERS: '1', QUOTA_RESERVATION_TTL_MS: String(TTL_MS) },
    async (stores) => {
      processes = await startProcesses(scope, stores);
      return {
        threads: await serveRegistry(scope, rendering),
        disk: await serveRegistry(scope, space),
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
    ...{ processes: processes!, redis, hangThread, disk },
    single: (body) => app.call({ method: 'POST', url: '/api/v1/qr', key, body }),
  };
};

/** A fault that alerts watch for. */
export interface Fault {
  /** What happens, as the table of docs/operations.md says it. */
  readonly what: string;
  readonly alerts: readonly string[];
  /** Makes it, and returns what ends it. */
  make(scene: Scene): Promise<() => unknown>;
}
