/** The composition root: builds every part from its slice of the config, then registers the routes. */
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { createAccounts } from './accounts/accounts.ts';
import { makeFirstAccount } from './accounts/demo.ts';
import { startKeyUses } from './accounts/key-uses.ts';
import { createSessions } from './accounts/sessions.ts';
import { createArchives } from './archive/archive.ts';
import type { Config } from './config.ts';
import { openDatabase } from './db/database.ts';
import { freeBytes, tellFullDisk } from './db/embedded/disk-space.ts';
import { createBatchStore } from './db/tables/batches.ts';
import { findKeyByHash } from './db/tables/keys.ts';
import { findSession } from './db/tables/sessions.ts';
import { startUpkeep } from './db/upkeep.ts';
import { createBulk } from './generate/bulk.ts';
import { createImage } from './generate/image.ts';
import { createPreview } from './generate/preview.ts';
import { createRedraw } from './generate/redraw.ts';
import { createSingle } from './generate/single.ts';
import { createAdminAuth } from './http/auth/admin-auth.ts';
import { createAuth } from './http/auth/auth.ts';
import { createBodyBudget } from './http/bodies/body-budget.ts';
import { closeGateway, stopListening } from './http/closing.ts';
import { createGateway } from './http/gateway.ts';
import { createRateLimit } from './http/limits/rate-limit.ts';
import { createSearchLine } from './http/limits/search-line.ts';
import { createLogger } from './http/log.ts';
import { registerRoutes } from './http/routes/index.ts';
import { createFreeWork } from './limits/free-work.ts';
import { checkDestination } from './links/destination.ts';
import { openLinks } from './links/links.ts';
import { createSlug } from './links/slug.ts';
import { createLogoFitter } from './logo/fit.ts';
import { createLogoSource } from './logo/source.ts';
import { createMetrics } from './metrics/metrics.ts';
import { meterQuota } from './metrics/quota.ts';
import { createRequestMeter } from './metrics/requests.ts';
import { startReaper } from './quota/reaper.ts';
import { createRedisQuota } from './quota/redis/redis-quota.ts';
import { createSqlQuota } from './quota/sql-quota.ts';
import { createRenderPool } from './render/pool.ts';
import { createResultCache } from './render/result-cache.ts';

/** A gateway that is built and can serve. */
export interface App {
  readonly gateway: FastifyInstance;
  /** Base of short links, without a trailing slash. Without `PUBLIC_URL` it is '' until the gateway listens. */
  publicUrl(): string;
  /** Resolves when the gateway accepts connections. */
  listen(): Promise<void>;
  /** As `makeFirstAccount` of `accounts/demo.ts`. Call it when the gateway listens. */
  makeFirstAccount(tell: (key: string) => void): Promise<boolean>;
  /** Render threads that hang in native code and cannot be ended. */
  readonly stuckThreads: number;
  /** Stops every part, in an order in which nothing is lost. */
  close(): Promise<void>;
}

const RESULT_CACHE_MAX_BYTES = 64 * 1024 * 1024;
const LOGO_CACHE_MAX_BYTES = 64 * 1024 * 1024;
const FITTED_LOGOS_MAX_BYTES = 32 * 1024 * 1024;
const IN_FLIGHT_TIMEOUT_MS = 20_000;
/** Time for balancers to send a last request over each connection that they keep open. */
const USE_UP_MS = 1000;

/**
 * Builds every part and registers the routes. Listens nowhere yet.
 *
 * @param onStuck Called when render threads hang and cannot be ended. The process should then drain and exit.
 */
export const createApp = async (config: Config, onStuck: () => void): Promise<App> => {
  const logger = createLogger(config.logLevel);
  let publicUrl = config.publicUrl ?? '';
  let draining = false;
  let leaving = false;

  const database = await openDatabase({ url: config.databaseUrl, dataDir: config.dataDir }, logger);
  const { sql, changes } = database;

  const redisQuota =
    config.redisUrl === null
      ? null
      : await createRedisQuota({ sql, url: config.redisUrl, ...config.quota }, logger);
  const quotaMeter = meterQuota(redisQuota ?? createSqlQuota({ sql, ...config.quota }, logger));
  const { quota } = quotaMeter;
  const reaper = startReaper(quota, logger);
  const accounts = createAccounts(database, quota, config);
  const keyUses = startKeyUses(database, logger);
  // While the process ends already, a second signal would cut that short.
  const endUnlessEnding = () => {
    if (!draining) onStuck();
  };
  const pool = createRenderPool({ ...config.render, onStuck: endUnlessEnding }, logger);
  const freeWork = createFreeWork(config.freeWorkMsPerSecond);
  const logos = createLogoSource(
    { ...config.logo, cacheMaxBytes: LOGO_CACHE_MAX_BYTES, allowance: freeWork },
    logger,
  );
  const upkeep = await startUpkeep(database, config.scanRetentionMonths, logger);
  const links = openLinks(database, logger);

  const parts = {
    quota,
    freeWork,
    pool,
    cache: createResultCache({ maxBytes: RESULT_CACHE_MAX_BYTES }),
    logos,
    fitLogo: createLogoFitter(FITTED_LOGOS_MAX_BYTES),
    log: logger,
    // A reservation must outlive the work that it pays for.
    deadlineMs: config.quota.reservationTtlMs / 2,
  };
  const linkRules = {
    createSlug,
    shortUrl: (slug: string) => `${publicUrl}/l/${slug}`,
    checkDestination: (url: string) => checkDestination(url, publicUrl),
  };
  const store = createBatchStore(database);
  const redraw = createRedraw({ ...parts, findLogo: store.findLogo, shortUrl: linkRules.shortUrl });

  const requests = createRequestMeter();
  const bodies = createBodyBudget(config.bodiesInFlightMaxBytes);
  const gateway = createGateway(config, logger, {
    requests,
    bodies,
    isImageSource: (image) => logos.checkSyntax(image) === null,
    isLeaving: () => leaving,
  });
  const auth = createAuth(
    {
      findKey: (hash) => findKeyByHash(sql, hash),
      findSession: (hash) => findSession(sql, hash),
      changes,
      touchKey: (id) => keyUses.note(id),
      publicUrl: config.publicUrl,
    },
    logger,
  );
  const rateLimit = await createRateLimit(gateway, config, logger);
  const metrics = createMetrics({
    requests,
    bodies: bodies.stats,
    quota: quotaMeter,
    drain: redisQuota?.stats ?? null,
    pool,
    caches: { results: parts.cache, keys: auth, redirects: links.redirects, logos },
    scans: links.scans,
    diskFreeBytes: database.embedded ? () => freeBytes(config.dataDir) : null,
    dependencies: { postgres: database.ping, ...(redisQuota === null ? {} : { redis: redisQuota.ping }) },
  });
  const notReady = async (): Promise<string | null> => {
    if (draining) return 'The gateway is shutting down.';
    return database.embedded ? tellFullDisk(config.dataDir, config.diskFreeMinBytes) : null;
  };
  const services = {
    auth,
    rateLimit,
    requireAdmin: createAdminAuth(config.adminToken),
    database,
    quota,
    accounts,
    sessions: createSessions(database),
    freeWork,
    searches: createSearchLine(),
    single: createSingle(parts),
    bulk: createBulk({ ...parts, store, links: linkRules, refund: config.quota.refund }),
    image: createImage(parts),
    preview: createPreview(parts),
    redraw,
    openArchive: createArchives({ ...linkRules, redraw, log: logger }),
    links,
    linkRules,
    metrics,
    notReady,
  };
  const basePath = new URL(config.publicUrl ?? 'http://localhost').pathname;
  await registerRoutes(gateway, services, { ...config, basePath });
  await pool.ready();

  return {
    gateway,
    publicUrl: () => publicUrl,
    async listen() {
      const { host, port } = config;
      await gateway.listen({ host, port });
      publicUrl ||= `http://${hostInUrl(host)}:${(gateway.server.address() as AddressInfo).port}`;
    },
    makeFirstAccount: (tell) => makeFirstAccount(database, tell),
    get stuckThreads() {
      return pool.stats().stuckThreads;
    },
    async close() {
      draining = true;
      await sleep(config.shutdownGraceMs);
      // Hardly any connection is opened after the grace, so refusing new ones harms nobody. Balancers keep connections
      // open: each can still carry a last request before idle ones are closed.
      stopListening(gateway);
      leaving = true;
      if (config.shutdownGraceMs > 0) await sleep(USE_UP_MS);
      await closeGateway(gateway, IN_FLIGHT_TIMEOUT_MS, () => pool.close({ timeoutMs: 0 }));
      rateLimit.close();
      await logos.close();
      await reaper.stop();
      upkeep.stop();
      await quota.close();
      await links.close();
      await keyUses.close();
      await database.close();
    },
  };
};

/** RFC 3986, 3.2.2: an IPv6 address stands in brackets. */
const hostInUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);
